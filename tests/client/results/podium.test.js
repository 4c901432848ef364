import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPodium } from '../../../web_client/src/results/podium.js';

/** @param {...(number | null)} places */
const placed = (...places) => places.map((place, seat) => ({ seat, name: `P${seat}`, place }));
/** @param {...(number | null)} places */
const seats = (...places) => onPodium(placed(...places), true).map(({ seat }) => seat);

test('the first three of a ranking stand on the podium', () => {
  assert.deepEqual(seats(1, 2), [0, 1]);
  assert.deepEqual(seats(1, 2, 3, 4), [0, 1, 2]);
});

test('tied players stand on it together or not at all', () => {
  assert.deepEqual(seats(1, 2, 3, 3), [0, 1]);
  assert.deepEqual(seats(1, 2, 2, 4), [0, 1, 2]);
});

test('players off the ranking have no place on it', () => {
  assert.deepEqual(seats(1, 2, null), [0, 1]);
});

test('there is no podium without rivals or without a winner', () => {
  assert.deepEqual(seats(1), []);
  assert.deepEqual(onPodium(placed(1, 2), false), []);
});
