import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { makeSteadyDraw } from '../../../web_client/src/widgets/draw-after-press.js';

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** Return a steady drawing, how often it was done, and a way to press. */
function made() {
  const element = /** @type {any} */ (new EventTarget());
  const drawn = { times: 0 };
  const update = makeSteadyDraw(element, () => {
    drawn.times += 1;
  });
  const fire = (/** @type {string} */ type) => element.dispatchEvent(new Event(type));
  return { update, drawn, fire };
}

test('nothing waits while no pointer is pressed', () => {
  const { update, drawn } = made();
  update();
  assert.equal(drawn.times, 1);
});

test('what comes in during a press is drawn once, after its click', () => {
  const { update, drawn, fire } = made();
  fire('pointerdown');
  update();
  update();
  fire('pointerup');
  assert.equal(drawn.times, 0, 'the click has not come yet');
  mock.timers.tick(50);
  assert.equal(drawn.times, 1);
  update();
  assert.equal(drawn.times, 2);
});

test('a press without changes draws nothing', () => {
  const { drawn, fire } = made();
  fire('pointerdown');
  fire('pointerup');
  mock.timers.tick(2_000);
  assert.equal(drawn.times, 0);
});

test('a press whose end is not told holds nothing back for long', () => {
  const { update, drawn, fire } = made();
  fire('pointerdown');
  update();
  mock.timers.tick(999);
  assert.equal(drawn.times, 0);
  mock.timers.tick(1);
  assert.equal(drawn.times, 1);
});
