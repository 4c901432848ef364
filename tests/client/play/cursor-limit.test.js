import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorLimit } from '../../../web_client/src/play/cursor-limit.js';

/**
 * Return a table with a column of these cards over `down` face-down ones, and its legal moves.
 *
 * @param {string} up @param {number} [down] @param {any[]} [legal]
 * @returns {any}
 */
const column = (up, down = 2, legal = []) => ({
  piles: [{ id: 't3', down, up: up.split(' ') }],
  legal,
});
function why(table, count, level = 'off', free = false) {
  const reason = cursorLimit(table, { pile: 't3', count }, level, free);
  return reason && [reason.code, ...reason.details.cards].join(' ');
}

test('the cursor surrounds a run of one suit to its first card', () => {
  const table = column('KH 9S 8S 7S');
  assert.deepEqual(
    [1, 2, 3].map((count) => why(table, count)),
    [null, null, null],
  );
  assert.equal(why(table, 4), 'not_a_run KH 9S');
});

test('the cursor surrounds no face-down card', () => {
  assert.equal(why(column('9S 8S'), 3), 'face_down');
  assert.equal(why(column('9S 8S', 0), 3), 'not_enough_cards');
});

test('the cursor surrounds a mixed run only when it can be moved', () => {
  const table = column('QD 9H 8S 7S');
  assert.equal(why(table, 3), 'mixed_suits 9H 8S');
  assert.equal(why(table, 3, 'hard'), 'exception_not_asked 9H 8S');
  assert.equal(why(table, 3, 'hard', true), null);
  assert.equal(why(table, 3, 'easy', true), null);
  assert.equal(why(table, 4, 'easy', true), 'not_a_run QD 9H', 'not even as an exception');
  assert.equal(why(table, 4, 'hard'), 'not_a_run QD 9H', 'an exception would not help');
});

test('the cursor surrounds every legal move', () => {
  const legal = [{ type: 'move', from: 't3', count: 2, to: 't0' }];
  assert.equal(why(column('9S 4H', 2, legal), 2), null);
  assert.equal(why(column('9S 4H', 2, [{ ...legal[0], from: 't4' }]), 2), 'not_a_run 9S 4H');
});
