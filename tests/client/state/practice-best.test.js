import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestOf, dealId, isBetter, resultOf } from '../../../web_client/src/state/practice-best.js';

const SEED = '0f'.repeat(16);

test('a game that is not won has a score and no time', () => {
  assert.deepEqual(resultOf({ score: 312, won: false, finished_ms: 90_000 }), {
    score: 312,
    ms: null,
  });
  assert.deepEqual(resultOf({ score: 990, won: true, finished_ms: 90_000 }), {
    score: 990,
    ms: 90_000,
  });
});

test('score and time are best by themselves', () => {
  const old = { score: 990, ms: 90_000 };
  assert.deepEqual(bestOf(null, old), old);
  assert.deepEqual(bestOf(old, { score: 400, ms: 80_000 }), { score: 990, ms: 80_000 });
  assert.deepEqual(bestOf({ score: 10, ms: null }, { score: 9, ms: null }), {
    score: 10,
    ms: null,
  });
});

test('a first result is no new best, and an equal one neither', () => {
  const old = { score: 500, ms: null };
  assert.equal(isBetter(null, old), false);
  assert.equal(isBetter(old, old), false);
  assert.equal(isBetter(old, { score: 501, ms: null }), true);
  assert.equal(isBetter(old, { score: 100, ms: 60_000 }), true);
});

test('a deal has an id by its seed or its number, and none while it is secret', () => {
  assert.equal(dealId('spider-1', { seed: SEED, number: null }), `spider-1 ${SEED}`);
  assert.equal(dealId('spider-1', { seed: null, number: 24 }), 'spider-1 24');
  assert.equal(dealId('spider-1', { seed: null, number: null }), null);
});
