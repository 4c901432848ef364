import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns, placed, playingFirst } from '../../../web_client/src/race/board-places.js';

/** Return standings of these seats, best first. @param {...number} seats */
const of = (...seats) => seats.map((seat) => ({ seat, state: 'RACING' }));

test('boards begin in the order of the standings', () => {
  assert.deepEqual(placed([], of(3, 1, 0, 2)), [3, 1, 0, 2]);
  assert.deepEqual(placed([], of(0, 1, 4, 3)), [0, 1, 4, 3]);
  assert.deepEqual(placed([], of(7)), [7]);
  assert.deepEqual(placed([], []), []);
});

test('a new leader changes places with the one it replaces, and no small board moves', () => {
  const order = placed([], of(0, 1, 2, 3, 4));
  assert.deepEqual(placed(order, of(1, 0, 2, 3, 4)), [1, 0, 2, 3, 4], 'the better one is first');
  assert.deepEqual(placed(order, of(0, 3, 1, 2, 4)), [0, 3, 2, 1, 4]);
  assert.deepEqual(placed(order, of(4, 3, 0, 1, 2)), [4, 3, 2, 0, 1]);
});

test('the board of a newcomer takes the place of one that is gone', () => {
  assert.deepEqual(placed([0, 1, 2, 3], of(0, 1, 3, 5)), [0, 1, 5, 3]);
  assert.deepEqual(placed([0, 1, 2], of(0, 2)), [0, 2]);
});

test('those who still play come before the others', () => {
  const [ada, bob, cleo] = of(0, 1, 2);
  const won = { ...ada, state: 'FINISHED' };
  assert.deepEqual(
    playingFirst([won, bob, { ...cleo, state: 'CHASING' }]).map(({ seat }) => seat),
    [1, 2, 0],
  );
});

test('a row has room for three to six small boards', () => {
  assert.deepEqual([0, 1, 3, 5, 6, 8].map(columns), [3, 3, 3, 5, 6, 6]);
});
