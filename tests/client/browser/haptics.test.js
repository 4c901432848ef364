import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATTERNS, vibrate } from '../../../web_client/src/browser/haptics.js';
import { prefer } from '../../../web_client/src/browser/storage.js';

test('what is great or lost is felt, each in its own way and briefly, and no ordinary move', () => {
  const felt = [];
  Object.assign(navigator, { vibrate: (pattern) => felt.push(pattern) });
  const great = ['home', 'no', 'won', 'other', 'ahead', 'behind', 'lead', 'suit', 'react', 'over'];
  for (const cue of [...great, 'put', 'turn', 'deal']) vibrate(cue);
  assert.deepEqual(
    felt,
    great.map((cue) => PATTERNS[cue]),
  );
  const patterns = Object.values(PATTERNS);
  assert.equal(new Set(patterns.map(String)).size, patterns.length);
  for (const pattern of patterns) assert.ok(pattern.reduce((sum, ms) => sum + ms) <= 1_000);
  prefer('haptics', false);
  vibrate('won');
  assert.equal(felt.length, great.length);
});
