import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeThrottle } from '../../../web_client/src/page/throttle.js';

/** @param {import('node:test').TestContext} t */
function drawing(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = { ms: 10_000 };
  t.mock.method(performance, 'now', () => clock.ms);
  const seen = { drawn: 0 };
  const throttle = makeThrottle(400, () => {
    seen.drawn += 1;
  });
  /** @param {number} timers @param {number} clocks */
  const pass = (timers, clocks) => {
    clock.ms += clocks;
    t.mock.timers.tick(timers);
  };
  return { throttle, seen, pass };
}

test('the first change is drawn at once, and the next ones together', (t) => {
  const { throttle, seen, pass } = drawing(t);
  throttle.request();
  assert.equal(seen.drawn, 1);
  pass(100, 100);
  throttle.request();
  throttle.request();
  assert.equal(seen.drawn, 1);
  pass(300, 300);
  assert.equal(seen.drawn, 2);
  pass(1_000, 1_000);
  assert.equal(seen.drawn, 2);
  throttle.request();
  assert.equal(seen.drawn, 3);
});

test('a timer that fires a little early draws the last change', (t) => {
  const { throttle, seen, pass } = drawing(t);
  throttle.request();
  throttle.request();
  pass(400, 399.2);
  assert.equal(seen.drawn, 2);
});

test('a drawing out of turn replaces the next one, and nothing is drawn after the end', (t) => {
  const { throttle, seen, pass } = drawing(t);
  throttle.request();
  pass(100, 100);
  throttle.request();
  throttle.drawNow();
  assert.equal(seen.drawn, 2);
  pass(399, 399);
  assert.equal(seen.drawn, 2);
  throttle.request();
  throttle.stop();
  pass(1_000, 1_000);
  assert.equal(seen.drawn, 2);
});
