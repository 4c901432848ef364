import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoff, comesBack, stillFailing } from '../../../web_client/src/core/socket.js';
import { json } from '../examples.js';

test('the wait before the next try is jittered from half a second to thirty', () => {
  assert.equal(backoff(0, 0), 500);
  assert.equal(backoff(0, 1), 1_000);
  for (let failures = 0; failures < 100; failures += 1)
    for (const chance of [0, 0.3, 1]) {
      const wait = backoff(failures, chance);
      assert.ok(wait >= 500 && wait <= 30_000);
    }
  assert.equal(backoff(50, 1), 30_000);
});

test('a page that is sent to another server comes at once, and is patient if that fails', () => {
  assert.equal(backoff(0, 0, 4_001), 0);
  assert.equal(backoff(0, 1, 4_001), 250);
  assert.equal(backoff(1, 0, 4_001), 500);
  assert.equal(backoff(0, 0, 1_006), 500);
});

test('a server that takes a player and lets go at once is asked less and less often', () => {
  let failures = 0;
  const waits = [];
  for (let times = 0; times < 12; times += 1) {
    failures = stillFailing(failures, 40);
    waits.push(backoff(failures, 1, 4_001));
    failures += 1;
  }
  assert.deepEqual(waits.slice(0, 5), [250, 2_000, 4_000, 8_000, 16_000]);
  assert.equal(waits.at(-1), 30_000);
  assert.equal(stillFailing(failures, 60_000), 0);
});

test('close codes below 4500 bring the client back, those above do not', () => {
  for (const code of Object.keys(json('generated/asyncapi.json')['x-close-codes']).map(Number))
    assert.equal(comesBack(code), code < 4_500, String(code));
  assert.equal(comesBack(1_006), true);
  assert.equal(comesBack(1_000), false);
});
