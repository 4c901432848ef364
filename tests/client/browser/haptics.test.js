import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATTERNS, vibrate } from '../../../web_client/src/browser/haptics.js';
import { prefer } from '../../../web_client/src/browser/storage.js';

const felt = [];
Object.assign(navigator, { vibrate: (pattern) => felt.push(pattern) });

test('a suit, a win, that of a rival and a refusal are felt, and no ordinary move', () => {
  for (const cue of ['put', 'home', 'turn', 'no', 'deal', 'won', 'other']) vibrate(cue);
  assert.deepEqual(felt.splice(0), [PATTERNS.home, PATTERNS.no, PATTERNS.won, PATTERNS.other]);
});

test('no vibration is longer than a second', () => {
  for (const pattern of Object.values(PATTERNS))
    assert.ok(pattern.reduce((sum, ms) => sum + ms) <= 1_000);
});

test('nothing is felt by players who do not want it', () => {
  prefer('haptics', false);
  vibrate('won');
  assert.deepEqual(felt, []);
});
