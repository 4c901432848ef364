import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { deckOf } from '../../../web_client/src/game/deals.js';
import { fromHex, sha256, toHex } from '../../../web_client/src/game/sha256.js';
import { verdict } from '../../../web_client/src/results/deal-check.js';

const SEED = '24'.repeat(16);
const SALT = '42'.repeat(16);
const SEAL = toHex(sha256(fromHex(SEED + SALT)));
const DECK = deckOf('spider-2', SEED);

const reveal = (change) => ({
  deal: 'secret',
  number: null,
  seed: SEED,
  salt: SALT,
  commitment: SEAL,
  deck: DECK,
  ...change,
});
const good = (change, promised = SEAL) => verdict('spider-2', promised, reveal(change)).good;

test('a secret deal is verified if hash, seed and deck belong together', () => {
  assert.ok(good());
  assert.ok(!good({ salt: SEED }), 'another salt');
  assert.ok(!good({}, 'f'.repeat(64)), 'another seal was shown before the race');
  assert.ok(!good({ deck: DECK.toReversed() }), 'another deck');
});

test('an open deal from a seed is checked by its deck', () => {
  const open = { deal: 'seed', salt: null, commitment: null };
  const { title, text } = verdict('spider-2', null, reveal(open));
  assert.equal(title, 'Open deal');
  assert.match(text, /known before the race, so there’s nothing to check/);
  assert.ok(good(open));
  assert.ok(!good({ ...open, deck: DECK.toReversed() }));
});

test('a numbered deal is named by its number', () => {
  const numbered = reveal({ deal: 'numbered', number: 24, seed: null, salt: null });
  const { title, text } = verdict('spider-2', null, numbered);
  assert.equal(title, 'Open deal 24');
  assert.match(text, /nothing to check/);
});
