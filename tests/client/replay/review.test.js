import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playbackAtEnd, withLength } from '../../../web_client/src/replay/playback.js';
import { bySeat, nextWait } from '../../../web_client/src/replay/review.js';

test('a review that is done is not asked for again', () => {
  assert.equal(nextWait('done', 0, 0), null);
});

test('a server that makes reviews is asked at growing intervals, for minutes', () => {
  const waits = [0, 1, 5, 20].map((asked) => nextWait('running', asked, 100_000) ?? 0);
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  );
  assert.equal(waits.at(-1), 15_000);
  assert.equal(nextWait('running', 99, 16 * 60_000), null);
});

test('a busy server that begins late is asked until it has begun', () => {
  assert.equal(nextWait('waiting', 0, 0), 1_000);
  assert.equal(nextWait('waiting', 99, 29 * 60_000), 15_000);
  assert.equal(nextWait('waiting', 99, 31 * 60_000), null);
});

test('reviews are found by seat, as far as there are any', () => {
  const game = { seat: 3, name: 'Bob', known_ms: 9, to_the_end: false, lost_ms: null, acts: 4 };
  const review = { room: '', n: 1, state: 'running', games: [game], missing: [] };
  assert.deepEqual([...bySeat(review)], [[3, game]]);
  assert.equal(bySeat(null).size, 0);
});

test('the time stays within a replay that becomes longer or shorter', () => {
  const long = withLength(playbackAtEnd(100), 900);
  assert.deepEqual([long.length, long.ms], [900, 100]);
  assert.equal(withLength({ ...long, ms: 800 }, 100).ms, 100);
});
