import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalsOf } from '../../../web_client/src/room/match.js';

test('the times of a card add up to its total as they are shown', () => {
  const lines = [{ time_ms: 317_900 }, null, { time_ms: 268_900 }];
  const card = { score: 9, time_ms: 586_800, lines };
  assert.deepEqual(totalsOf(card), { ...card, time_ms: 585_000 });
});
