import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import '../english.js';
import { bindLastSeconds, lastSeconds } from '../../../web_client/src/race/last-seconds.js';

test('the last ten seconds are counted down, and no others', () => {
  const end = 100_000;
  assert.equal(lastSeconds(end, 89_999), 0);
  assert.equal(lastSeconds(end, 90_000), 10);
  assert.equal(lastSeconds(end, 90_001), 10);
  assert.equal(lastSeconds(end, 91_000), 9);
  assert.equal(lastSeconds(end, 99_999), 1);
  assert.equal(lastSeconds(end, 100_000), 0);
});

test('a race without an end has no last seconds', () => {
  assert.equal(lastSeconds(null, 5), 0);
  assert.equal(lastSeconds(undefined, 5), 0);
});

test('screen readers read out that the last ten seconds begin, once, and not a later end', () => {
  const element = () => ({
    ...{ style: { setProperty() {} }, hidden: true, textContent: '', offsetWidth: 0 },
    ...{ append() {}, setAttribute() {}, removeAttribute() {}, toggleAttribute() {} },
  });
  Object.assign(globalThis, { document: { createElement: element } });
  mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  let end = 12_000;
  /** @type {string[]} */
  const told = [];
  /** @type {any} */
  const app = {
    state: () => ({
      room: { state: 'RUNNING', round: { t_end: end }, match: null, settings: { rounds: 1 } },
    }),
    now: () => now,
    readOut: (/** @type {string} */ text) => told.push(text),
    sound: { play() {} },
  };
  const bound = bindLastSeconds(app);
  const pass = () => {
    for (; now < end; now += 100) mock.timers.tick(100);
  };
  pass();
  assert.deepEqual(told, ['The race ends in 10 seconds.']);
  end = now + 7_000;
  pass();
  assert.equal(told.length, 1, 'the status line has announced it');
  bound.unbind();
  mock.timers.reset();
});
