import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, rankAbove, runs, short, spoken } from '../../web_client/src/cards.js';

test('cards have names for the eye and the ear', () => {
  assert.equal(short('TD'), '10♦');
  assert.equal(spoken('AS'), 'ace of spades');
  assert.equal(rankAbove('TD'), 'jack');
  assert.equal(rankAbove('KS'), null);
});

test('a run is of one suit and goes down by one', () => {
  const lengths = runs(['9S', '8S', '7S', '3H', '2S', 'AS']).map((run) => run.length);
  assert.deepEqual(lengths, [3, 1, 2]);
});

test('a column is read out from bottom to top', () => {
  assert.equal(
    describe({ down: 4, up: ['9S', '8S', '7S', '3H'] }),
    '4 face down; run 9 to 7 of spades, 3 of hearts',
  );
  assert.equal(describe({ down: 0, up: [] }), 'empty');
  assert.equal(describe({ down: 50, up: [] }), '50 face down');
});
