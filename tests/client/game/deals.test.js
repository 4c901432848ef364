import '../english.js';
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import * as deals from '../../../web_client/src/game/cards.js';
import { verdict } from '../../../web_client/src/results/record.js';

const { deckOf, fromHex, keepsCommitment, sha256, toHex } = deals;
const COUNTED = '000102030405060708090a0b0c0d0e0f';
const FULL = 'f'.repeat(32);
const top = (game, seed) => deckOf(game, seed).slice(0, 10).join(' ');

test('decks are those of the test vectors, with the same ranks in a family, and whole', () => {
  assert.equal(top('spider-4', COUNTED), 'JD KH JD 6H KD AD AS 2S 5S 8H');
  assert.equal(top('spider-4', FULL), '9H 9D QH TD 3C 5H 4H 2C 3H 7D');
  assert.equal(top('spider-2', COUNTED), 'JH KH JH 6H KH AH AS 2S 5S 8H');
  assert.equal(top('spider-1', COUNTED), 'JS KS JS 6S KS AS AS 2S 5S 8S');
  assert.notEqual(top('spiderette-4', COUNTED), top('little-spider', COUNTED));
  for (const [game, { cards, suits, decks }] of Object.entries(GAMES)) {
    const deck = deckOf(game, FULL);
    assert.equal(deck.length, cards, game);
    assert.equal(new Set(deck).size * decks * 4, cards * suits, game);
  }
});

test('hashes are those of Node, and keep a commitment', () => {
  for (let length = 0; length < 192; length += 1) {
    const bytes = randomBytes(length);
    assert.equal(toHex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'));
  }
  const [seed, salt] = ['00'.repeat(16), '11'.repeat(16)];
  const promise = toHex(sha256(fromHex(seed + salt)));
  assert.ok(keepsCommitment(seed, salt, promise) && !keepsCommitment(salt, seed, promise));
});

const SEED = '24'.repeat(16);
const SALT = '42'.repeat(16);
const SEAL = toHex(sha256(fromHex(SEED + SALT)));
const DECK = deckOf('spider-2', SEED);

const reveal = (change) => ({
  ...{ deal: 'secret', number: null, seed: SEED, salt: SALT, commitment: SEAL, deck: DECK },
  ...change,
});
const good = (change, promised = SEAL) => verdict('spider-2', promised, reveal(change)).good;

test('a secret deal is verified if hash, seed and deck belong together', () => {
  assert.ok(good());
  assert.ok(!good({ salt: SEED }), 'another salt');
  assert.ok(!good({}, 'f'.repeat(64)), 'another seal was shown before the race');
  assert.ok(!good({ deck: DECK.toReversed() }), 'another deck');
});

test('an open deal is named, and checked by its deck if it is from a seed', () => {
  const open = { deal: 'seed', salt: null, commitment: null };
  const numbered = { deal: 'numbered', number: 24, seed: null, salt: null };
  const { title, text } = verdict('spider-2', null, reveal(open));
  assert.equal(title, 'Open deal');
  assert.match(text, /known before the race, so there’s nothing to check/);
  assert.equal(verdict('spider-2', null, reveal(numbered)).title, 'Open deal 24');
  assert.ok(good(open) && !good({ ...open, deck: DECK.toReversed() }));
});
