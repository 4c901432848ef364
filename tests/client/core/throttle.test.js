import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePace } from '../../../web_client/src/core/throttle.js';

/** @param {import('node:test').TestContext} t */
function drawing(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = { ms: 10_000 };
  t.mock.method(performance, 'now', () => clock.ms);
  const told = { drawn: 0 };
  const pace = makePace(400, () => {
    told.drawn += 1;
  });
  /** @param {number} timers @param {number} clocks */
  const pass = (timers, clocks) => {
    clock.ms += clocks;
    t.mock.timers.tick(timers);
  };
  return { pace, told, pass };
}

test('the first is drawn at once, and what follows soon is drawn together', (t) => {
  const { pace, told, pass } = drawing(t);
  pace.ask();
  assert.equal(told.drawn, 1);
  pass(100, 100);
  pace.ask();
  pace.ask();
  assert.equal(told.drawn, 1);
  pass(300, 300);
  assert.equal(told.drawn, 2);
  pass(1_000, 1_000);
  assert.equal(told.drawn, 2);
  pace.ask();
  assert.equal(told.drawn, 3);
});

test('a timer that fires before the clock says so draws what was last', (t) => {
  const { pace, told, pass } = drawing(t);
  pace.ask();
  pace.ask();
  pass(400, 399.2);
  assert.equal(told.drawn, 2);
});

test('what is drawn out of turn takes the next turn along, and nothing is drawn after the end', (t) => {
  const { pace, told, pass } = drawing(t);
  pace.ask();
  pass(100, 100);
  pace.ask();
  pace.now();
  assert.equal(told.drawn, 2);
  pass(399, 399);
  assert.equal(told.drawn, 2);
  pace.ask();
  pace.stop();
  pass(1_000, 1_000);
  assert.equal(told.drawn, 2);
});
