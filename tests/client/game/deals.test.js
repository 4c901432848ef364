import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import { deckOf } from '../../../web_client/src/game/deals.js';

const COUNTED = '000102030405060708090a0b0c0d0e0f';
const FULL = 'f'.repeat(32);
const top = (game, seed) => deckOf(game, seed).slice(0, 10).join(' ');

test('the test vectors of the scheme', () => {
  assert.equal(top('spider-4', COUNTED), 'JD KH JD 6H KD AD AS 2S 5S 8H');
  assert.equal(top('spider-4', FULL), '9H 9D QH TD 3C 5H 4H 2C 3H 7D');
});

test('one seed gives the games of a family the same ranks, and relabels the suits', () => {
  assert.equal(top('spider-2', COUNTED), 'JH KH JH 6H KH AH AS 2S 5S 8H');
  assert.equal(top('spider-1', COUNTED), 'JS KS JS 6S KS AS AS 2S 5S 8S');
  assert.notEqual(top('spiderette-4', COUNTED), top('little-spider', COUNTED));
});

test('every game has all its cards', () => {
  for (const [game, { cards, suits, decks }] of Object.entries(GAMES)) {
    const deck = deckOf(game, FULL);
    assert.equal(deck.length, cards, game);
    assert.equal(new Set(deck).size * decks * 4, cards * suits, game);
  }
});
