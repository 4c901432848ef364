import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { lastSeconds } from '../../../web_client/src/race/last-seconds.js';

test('the last ten seconds are counted down, and no others', () => {
  const end = 100_000;
  assert.equal(lastSeconds(end, 89_999), 0);
  assert.equal(lastSeconds(end, 90_000), 10);
  assert.equal(lastSeconds(end, 90_001), 10);
  assert.equal(lastSeconds(end, 91_000), 9);
  assert.equal(lastSeconds(end, 99_999), 1);
  assert.equal(lastSeconds(end, 100_000), 0);
});

test('a race without an end has no last seconds', () => {
  assert.equal(lastSeconds(null, 5), 0);
  assert.equal(lastSeconds(undefined, 5), 0);
});
