import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTilt } from '../../../web_client/src/board/tilt.js';

/** Return the tilt after moves of 16 ms each. @param {readonly number[]} moves in pixels */
const after = (moves) => moves.reduce((tilt, dx) => nextTilt(tilt, dx, 16), 0);

test('cards tilt to the side to which they are carried, by three degrees at most', () => {
  assert.ok(after([8, 8, 8]) > 0.5);
  assert.equal(after([-8, -8]), -after([8, 8]));
  const fast = after(Array(60).fill(400));
  assert.ok(fast > 2.9 && fast <= 3);
});

test('cards that are carried straight up do not tilt, and a change of direction takes a while', () => {
  assert.equal(after([0, 0, 0]), 0);
  const right = after(Array(20).fill(20));
  const turned = nextTilt(right, -20, 16);
  assert.ok(turned > 0 && turned < right);
});

test('two moves at the same time are no endless speed', () => {
  assert.ok(Number.isFinite(nextTilt(0, 5, 0)));
});
