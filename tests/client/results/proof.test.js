// The deck that follows from a seed, and the check of a deal.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/protocol.js';
import {
  checkDeal,
  deckOf,
  fromHex,
  keepsCommitment,
  sha256,
  toHex,
} from '../../../web_client/src/results/proof.js';

const COUNTED = '000102030405060708090a0b0c0d0e0f';
const FULL = 'f'.repeat(32);

test('decks match the test vectors, have the same ranks in a family, and are whole', () => {
  const top = (game, seed) => deckOf(game, seed).slice(0, 10).join(' ');
  assert.equal(top('spider-4', COUNTED), 'JD KH JD 6H KD AD AS 2S 5S 8H');
  assert.equal(top('spider-4', FULL), '9H 9D QH TD 3C 5H 4H 2C 3H 7D');
  assert.equal(top('spider-2', COUNTED), 'JH KH JH 6H KH AH AS 2S 5S 8H');
  assert.equal(top('spider-1', COUNTED), 'JS KS JS 6S KS AS AS 2S 5S 8S');
  assert.notEqual(top('spiderette-4', COUNTED), top('little-spider', COUNTED));
  for (const [game, { cards: size, suits, decks }] of Object.entries(GAMES)) {
    const deck = deckOf(game, FULL);
    assert.equal(deck.length, size, game);
    assert.equal(new Set(deck).size * decks * 4, size * suits, game);
  }
});

const [SEED, SALT] = ['24'.repeat(16), '42'.repeat(16)];
const SEAL = toHex(sha256(fromHex(SEED + SALT)));

test('hashes match those of Node, and verify a commitment', () => {
  for (let length = 0; length < 192; length += 1) {
    const bytes = randomBytes(length);
    assert.equal(toHex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'));
  }
  assert.ok(keepsCommitment(SEED, SALT, SEAL) && !keepsCommitment(SALT, SEED, SEAL));
});

const DECK = deckOf('spider-2', SEED);

test('a deal is verified by its hash, seed and deck, an open deal only by its deck', () => {
  const secret = { deal: 'secret', number: null, seed: SEED, salt: SALT, commitment: SEAL };
  const open = { ...secret, deal: 'seed', salt: null, commitment: null };
  const numbered = { ...open, deal: 'numbered', number: 24, seed: null };
  const of = (reveal, seal = SEAL) => checkDeal('spider-2', seal, { deck: DECK, ...reveal });
  const turned = { deck: DECK.toReversed() };
  assert.ok(of(secret).good && of(open, null).good);
  assert.ok(!of({ ...secret, salt: SEED }).good, 'another salt');
  assert.ok(!of(secret, 'f'.repeat(64)).good, 'another seal was shown before the race');
  assert.ok(!of({ ...secret, ...turned }).good && !of({ ...open, ...turned }, null).good);
  assert.equal(of(open, null).title, 'Open deal');
  assert.match(of(open, null).text, /known before the race, so there’s nothing to check/);
  assert.equal(of(numbered, null).title, 'Open deal 24');
});
