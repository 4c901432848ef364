import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movableCards } from '../../../web_client/src/play/aids.js';

test('movable cards are the longest runs that can move', () => {
  const move = (from, count) => ({ type: 'move', from, count, to: 't3', exception: false });
  const table = {
    piles: [
      { id: 't0', up: ['9S', '8S', '7S'] },
      { id: 't1', up: ['KD'] },
      { id: 't2', up: ['4H'] },
      { id: 't3', up: [] },
    ],
    legal: [move('t0', 1), move('t0', 3), move('t2', 1), { type: 'deal' }],
  };
  assert.deepEqual(Object.fromEntries(movableCards(table)), { t0: 3, t2: 1 });
});
