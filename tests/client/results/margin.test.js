import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marginBetween, placeOf, winningMargin } from '../../../web_client/src/results/margin.js';

const PLAYED = { place: 1, score: 0, suits: 0, face_down: 0, won: false, finished_ms: null };
const player = (seat, figures) => ({ ...PLAYED, seat, name: `P${seat}`, ...figures });
const FIRST_HOME = { ranking: 'first_home', score: 'woods' };
const BEST_SCORE = { ranking: 'best_score', score: 'woods' };
const BY_MOVES = { ranking: 'best_score', score: 'moves' };
const HOME = { won: true, finished_ms: 60_000, score: 900, suits: 8 };

test('two who finished are apart by time, or by points where points count', () => {
  const later = { ...HOME, finished_ms: 72_000, score: 950 };
  const first = player(0, HOME);
  assert.deepEqual(marginBetween(first, player(1, later), FIRST_HOME), { by: 'time', n: 12_000 });
  const lower = { ...later, score: 860 };
  assert.deepEqual(marginBetween(first, player(1, lower), BEST_SCORE), { by: 'points', n: 40 });
});

test('the time between two ends is that between the times that are shown', () => {
  const [first, second] = [60_070, 72_010].map((finished_ms, seat) =>
    player(seat, { ...HOME, finished_ms }),
  );
  assert.deepEqual(marginBetween(first, second, FIRST_HOME), { by: 'time', n: 12_000 });
  const close = player(1, { ...HOME, finished_ms: 60_090 });
  assert.deepEqual(marginBetween(first, close, FIRST_HOME), { by: 'time', n: 20 });
});

test('players are apart by points, and by suits or turned cards where points say nothing', () => {
  const above = player(0, { score: 120, suits: 2, face_down: 4 });
  const below = player(1, { score: 90, suits: 1, face_down: 9 });
  assert.deepEqual(marginBetween(above, below, BEST_SCORE), { by: 'points', n: 30 });
  assert.deepEqual(marginBetween(above, below, BY_MOVES), { by: 'suits', n: 1 });
  const level = player(1, { score: 120, suits: 2, face_down: 9 });
  assert.deepEqual(marginBetween(above, level, BEST_SCORE), { by: 'turned', n: 5 });
  assert.equal(marginBetween(above, above, BEST_SCORE), null);
});

test('a player who gave up with more points is not behind by points', () => {
  const gaveUp = player(1, { score: 500, suits: 3, face_down: 0 });
  assert.equal(marginBetween(player(0, { score: 100 }), gaveUp, BEST_SCORE), null);
});

test('the only winner is ahead of the next player on the ranking', () => {
  const ranking = [
    player(0, { score: 50 }),
    player(1, { place: 2, score: 20 }),
    player(2, { place: null, score: 45 }),
  ];
  const found = winningMargin(ranking, [0], BEST_SCORE);
  assert.deepEqual([found?.winner.seat, found?.second.seat], [0, 1]);
  assert.deepEqual(found?.margin, { by: 'points', n: 30 });
  assert.equal(winningMargin(ranking, [0, 1], BEST_SCORE), null);
  assert.equal(winningMargin(ranking, [], BEST_SCORE), null);
  assert.equal(winningMargin(ranking.slice(0, 1), [0], BEST_SCORE), null);
});

test('a player who has not won gets the place and the distance to the winner', () => {
  const ranking = [
    player(0, { score: 50 }),
    player(1, { place: 2, score: 20 }),
    player(2, { place: null }),
  ];
  const own = placeOf(ranking, [0], 1, BEST_SCORE);
  assert.deepEqual([own?.place, own?.players, own?.leader.seat], [2, 2, 0]);
  assert.deepEqual(own?.margin, { by: 'points', n: 30 });
  for (const seat of [0, 2, -1]) assert.equal(placeOf(ranking, [0], seat, BEST_SCORE), null);
  assert.equal(placeOf(ranking, [], 1, BEST_SCORE), null);
  const idle = ranking.map((row) => ({ ...row, has_acted: row.seat !== 1 }));
  assert.equal(placeOf(idle, [0], 1, BEST_SCORE), null);
});

test('behind several winners there is a place, but no distance', () => {
  const ranking = [player(0, {}), player(1, {}), player(2, { place: 3 })];
  const own = placeOf(ranking, [0, 1], 2, BEST_SCORE);
  assert.deepEqual([own?.place, own?.margin], [3, null]);
});
