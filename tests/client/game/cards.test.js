import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '../../../web_client/src/game/cards.js';

test('a run is of one suit and goes down by one', () => {
  const lengths = runs(['9S', '8S', '7S', '3H', '2S', 'AS']).map((run) => run.length);
  assert.deepEqual(lengths, [3, 1, 2]);
});
