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

test('of a stack the top card is read out, and which way a foundation is built', () => {
  assert.equal(
    describe({ down: 0, up: ['4H', 'KC', '9S'], fan: 'none', direction: null }),
    '9 of spades on top of 2',
  );
  assert.equal(
    describe({ down: 0, up: ['AS', '2S', '3S'], fan: 'none', direction: 'up' }),
    '3 of spades on top of 2; builds up from the ace',
  );
  assert.equal(
    describe({ down: 0, up: ['KS', 'QS'], fan: 'none', direction: 'down' }),
    'run king to queen of spades; builds down from the king',
  );
});
