import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindStatus } from '../../../web_client/src/page/status.js';

/** An element of which the status line writes the text. */
function makeElement() {
  return {
    ...{ textContent: '', offsetWidth: 0, live: '', next: null },
    setAttribute(name, value) {
      if (name === 'aria-live') this.live = value;
    },
    removeAttribute() {},
    toggleAttribute() {},
    after(next) {
      this.next = next;
    },
  };
}

function bind({ mock }) {
  Object.assign(globalThis, {
    document: { activeElement: null, createElement: makeElement },
    HTMLInputElement: class {},
  });
  let now = 100_000;
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  mock.method(performance, 'now', () => now);
  const element = makeElement();
  let screen = 'room';
  const status = bindStatus(element, () => screen);
  return {
    status,
    now: () => now,
    pass(ms) {
      for (let left = ms; left > 0; left -= 50) {
        now += 50;
        mock.timers.tick(50);
      }
    },
    shown: () => element.textContent,
    spoken: () => element.next.textContent,
    isLive: () => element.live === 'polite',
    go(to) {
      screen = to;
      status.changeScreen();
    },
    /** Let the state ask for another screen, which is still loading. @param {string} to */
    want(to) {
      screen = to;
    },
  };
}

test('sentences go with their screen, but not those about the next one', (t) => {
  const line = bind(t);
  line.status.say('Bob joined.');
  line.status.readOut('Bob is ready.');
  line.go('countdown');
  assert.deepEqual([line.shown(), line.spoken()], ['', '']);
  line.want('results');
  line.status.say('Ada left.');
  line.status.readOut('Bob wins.');
  line.go('results');
  assert.deepEqual([line.shown(), line.spoken()], ['Ada left.', 'Bob wins.']);
  line.status.say('Bob joined.');
  line.status.readOut('Cleo is ready.');
  assert.deepEqual([line.shown(), line.spoken()], ['Bob joined.', 'Cleo is ready.']);
  line.status.clear();
  assert.deepEqual([line.shown(), line.spoken()], ['', '']);
});

test('a sentence that counts down is read out once, and ends with the time', (t) => {
  const line = bind(t);
  const end = line.now() + 2_000;
  line.status.count(
    (left) => `${left} s`,
    () => Math.max(0, Math.ceil((end - line.now()) / 1_000)),
  );
  assert.deepEqual([line.shown(), line.isLive()], ['2 s', true]);
  line.pass(1_100);
  assert.deepEqual([line.shown(), line.isLive()], ['1 s', false]);
  line.pass(1_000);
  assert.equal(line.shown(), '');
  line.status.say('Go!');
  assert.equal(line.isLive(), true);
});

test('a sentence of many is shown at once, and the next ones together after it was read', (t) => {
  const line = bind(t);
  let names = [];
  const come = (...more) => {
    names.push(...more);
    line.status.collect(() => names.splice(0).join());
  };
  come('Bob');
  assert.equal(line.shown(), 'Bob');
  line.pass(1_000);
  come('Cleo');
  come('Dora');
  line.pass(2_000);
  assert.equal(line.shown(), 'Bob');
  line.pass(1_000);
  assert.equal(line.shown(), 'Cleo,Dora');
  line.pass(1_000);
  come('Eve');
  names = [];
  line.pass(10_000);
  assert.equal(line.shown(), 'Cleo,Dora', 'a player who has left again is not announced');
  come('Fay');
  assert.equal(line.shown(), 'Fay');
});
