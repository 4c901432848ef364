import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayIn, rowsOf, squaresOf } from '../../../web_client/src/results/day.js';
import { barsOf } from '../../../web_client/src/results/days.js';
import * as ghosts from '../../../web_client/src/results/duel.js';
import {
  coloursOf,
  ghostSeatBeside,
  isGhostSeat,
  NOTHING,
  shownPlace,
} from '../../../web_client/src/state/state.js';
import { standing } from '../examples.js';

const ENTRY = '0123456789abcdef';
const GAME = { foundations: 8, face_down: 44, cards: 104 };

test('the path of a day names its game and the entries to show', () => {
  for (const [path, address] of [
    ['/d/2026-11-28/spider-2', { day: '2026-11-28', game: 'spider-2', entries: [] }],
    [`/d/2026-11-28/spider-1/${ENTRY}.${ENTRY}`, { entries: [ENTRY, ENTRY] }],
    ['/d/2026-11-28', null],
    ['/days', null],
    ['/d/today/spider-1', null],
  ])
    assert.partialDeepStrictEqual({ found: dayIn(path) }, { found: address });
  assert.equal(ghosts.ghostIn('/g/7K3QZ0A/1/0'), '7K3QZ0A/1/0');
  assert.equal(ghosts.ghostIn('/g/7K3QZ0A/1'), null);
  // A game that is continued after some acts starts where no other game does.
  const hasGhost = ['7K3QZ0A/1/0', '7K3QZ0A/1/0+40', '2026-11-28/spider-1'].map(ghosts.haveGhost);
  assert.deepEqual(hasGhost, [true, false, false]);
});

test('a shared text has a square for each tenth of the game, filled where a suit came home', () => {
  const squares = (ms, suits, length) => squaresOf({ ms, suits }, length);
  assert.equal(squares([0], [0], 1_000), '⬜'.repeat(10));
  assert.equal(squares([0, 150, 950, 1_000], [0, 1, 2, 3], 1_000), '⬜🟩⬜⬜⬜⬜⬜⬜⬜🟩');
  assert.equal(squares([0, 50, 60], [0, 1, 0], 1_000), '⬜'.repeat(10));
});

test('a board shows its first rows and the rows around this player, with a gap between them', () => {
  const row = (n) => ({ entry: `e${n}` });
  const shown = (rows, around) =>
    rowsOf({ rows: rows.map(row), around: around.map(row) }).map((each) => each?.entry ?? '…');
  assert.deepEqual(shown([1, 2], [8, 9]), ['e1', 'e2', '…', 'e8', 'e9']);
  assert.deepEqual(shown([1, 2], [2, 3]), ['e1', 'e2', 'e3']);
  assert.deepEqual(shown([1, 2], [1, 2]), ['e1', 'e2']);
});

test('bars count the wins by half minutes, from the first win, then the other games by suits', () => {
  const suits = [0, 0, 3, 0, 0, 1, 0, 0];
  const bars = barsOf({ finished: [0, 0, 1, 0, 4], suits });
  const counts = (all) => all.map(({ count }) => count);
  assert.deepEqual(counts(bars), [1, 0, 4, ...suits.toReversed()]);
  assert.partialDeepStrictEqual(bars[0], { ms: 60_000, end: 90_000, suits: null });
  assert.partialDeepStrictEqual(bars.at(-1), { ms: null, suits: 0 });
  // The results of an hour fit on a phone, and none is lost.
  const many = barsOf({ finished: Array.from({ length: 120 }, () => 1), suits: [] });
  assert.ok(many.length <= 16, `${many.length}`);
  assert.equal(
    counts(many).reduce((a, b) => a + b),
    120,
  );
  assert.deepEqual(barsOf({ finished: [], suits: [] }), []);
  assert.equal(barsOf({ finished: [], suits }).length, 8);
});

test('a ghost follows its recorded times, and ends with them', () => {
  const nina = standing(0, 'Nina', { won: true, score: 990, suits: 8, finished_ms: 90_000 });
  const ms = [0, 60_000, 90_000];
  const figures = { seat: 0, name: 'Nina', ms, score: [10, 200, 990], suits: [0, 2, 8] };
  const at = (time) => ghosts.ghostRow({ course: figures, standing: nina }, time, GAME);
  assert.partialDeepStrictEqual(at(0), { score: 10, suits: 0, state: 'RACING', won: false });
  assert.partialDeepStrictEqual(at(61_000), { score: 200, suits: 2, home: 26, face_down: 33 });
  assert.partialDeepStrictEqual(at(90_000), { won: true, finished_ms: 90_000, face_down: 0 });
  assert.equal(at(0).name, 'Ghost of Nina');
  const colour = coloursOf(null); // the room has no colour for a ghost
  assert.notEqual(colour(at(0).seat), colour(0));

  // It is ranked with this player's game.
  const order = (row, time) =>
    ghosts
      .withGhost({ ...NOTHING, standings: [row] }, at(time))
      .standings.map(({ seat, place }) => `${isGhostSeat(seat) ? 'ghost' : 'own'} ${place}`);
  const own = (more) => standing(0, 'Ada', { score: 100, won: false, finished_ms: null, ...more });
  assert.deepEqual(order(own(), 0), ['own 1', 'ghost 2']);
  assert.deepEqual(order(own(), 61_000), ['ghost 1', 'own 2']);
  assert.equal(order(own({ won: true, finished_ms: 80_000 }), 95_000)[0], 'own 1');
  // It has no place before its first act, and equal games share a place: nobody is second at 0 to 0.
  assert.equal(shownPlace(at(0)), null);
  assert.deepEqual(order(own({ score: 10 }), 0), ['own 1', 'ghost 1']);
  // It gets another colour than the player.
  const beside = (mine) => colour(ghostSeatBeside(mine));
  assert.deepEqual(['blue', 'violet'].map(beside), ['violet', 'red']);
});

test('cards lead to the course of their game, in a room or on a board', () => {
  assert.deepEqual(ghosts.gameOf('7K3QZ0A/2/5', ''), { id: { code: '7K3QZ0A', n: 2 }, seat: 5 });
  const { id, seat } = ghosts.gameOf(`2026-11-28/spider-1/${ENTRY}`, 'k');
  assert.deepEqual([id.data, id.key, seat], [`/api/days/2026-11-28/spider-1/${ENTRY}`, 'k', 0]);
});
