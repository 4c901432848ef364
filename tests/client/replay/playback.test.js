import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as playbackModule from '../../../web_client/src/replay/playback.js';
import { bySeat, nextWait } from '../../../web_client/src/replay/review.js';
import { actsAt, makeTape, tableAt } from '../../../web_client/src/replay/tables-over-time.js';
import { example } from '../examples.js';

const { advance, changeSpeed, playbackAtEnd, seek } = playbackModule;
const { togglePlaying, withLength, withSpeed } = playbackModule;

test('reviews are asked for at growing intervals until they are done', () => {
  assert.equal(nextWait('done', 0, 0), null);
  const waits = [0, 1, 5, 20].map((asked) => nextWait('running', asked, 100_000) ?? 0);
  const sorted = waits.toSorted((a, b) => a - b);
  assert.deepEqual(waits, sorted);
  assert.deepEqual([waits.at(-1), nextWait('running', 99, 16 * 60_000)], [15_000, null]);
  assert.equal(nextWait('waiting', 0, 0), 1_000);
  assert.equal(nextWait('waiting', 99, 29 * 60_000), 15_000);
  assert.equal(nextWait('waiting', 99, 31 * 60_000), null);
  const game = { seat: 3, name: 'Bob', known_ms: 9, to_the_end: false, lost_ms: null, acts: 4 };
  const review = { room: '', n: 1, state: 'running', games: [game], missing: [] };
  assert.deepEqual([...bySeat(review), bySeat(null).size], [[3, game], 0]);
});

test('the time stays within a replay that becomes longer or shorter', () => {
  const long = withLength(playbackAtEnd(100), 900);
  assert.deepEqual([long.length, long.ms], [900, 100]);
  assert.equal(withLength({ ...long, ms: 800 }, 100).ms, 100);
});

const { table } = example('table');
const start = { ...table, at: 0, elapsed_ms: 0 };
const [first, second] = start.piles.filter(({ role }) => role === 'tableau');
const FIGURES = { score: 9, moves: 1, suits: 0, home: 0, face_down: 40 };
const tape = makeTape({
  seat: 0,
  name: 'Ada',
  start,
  acts: 3,
  steps: [
    { ms: 1_000, action: 't0x1-t1', piles: [{ id: first.id, down: 1, up: ['KS'] }], ...FIGURES },
    { ms: 4_000, action: 'undo', piles: [{ ...first }], ...FIGURES, score: 8 },
    { ms: 4_000, action: 'deal', piles: [{ id: second.id, down: 0, up: [] }], ...FIGURES },
  ],
});

const pile = (at, id) => at.piles.find((each) => each.id === id);

test('a tape shows the table of any moment, forwards and back', () => {
  assert.equal(tableAt(tape, 999), start);
  assert.deepEqual(pile(tableAt(tape, 1_000), first.id).up, ['KS']);
  assert.deepEqual(pile(tableAt(tape, 5_000), first.id), first);
  assert.deepEqual(pile(tableAt(tape, 5_000), second.id).up, []);
  assert.equal([0, 1_000, 3_999, 4_000].map((ms) => actsAt(tape, ms)).join(), '0,1,1,3');
});

test('a table keeps its drawing, has the figures of its moment, and shares what did not change', () => {
  const at = tableAt(tape, 1_000);
  assert.deepEqual([at.score, at.counts.face_down, at.at], [9, 40, 1]);
  assert.equal(pile(at, first.id).x, first.x);
  assert.equal(pile(at, second.id), second);
});

test('a replay plays at its speed until the end, and then from the beginning', () => {
  let playback = togglePlaying(withSpeed(playbackAtEnd(1_000), 4));
  assert.deepEqual([playback.ms, playback.playing], [0, true]);
  playback = advance(playback, 100);
  assert.equal(playback.ms, 400);
  playback = advance(playback, 500);
  assert.deepEqual([playback.ms, playback.playing], [1_000, false]);
  assert.equal(advance(playback, 500), playback);
});

test('a replay can be set to its moments only', () => {
  const playback = playbackAtEnd(1_000);
  assert.equal([-5, 300, 5_000].map((ms) => seek(playback, ms).ms).join(), '0,300,1000');
});

test('the speed goes up and down between its limits', () => {
  const slow = withSpeed(playbackAtEnd(1), 0.5);
  assert.deepEqual([changeSpeed(slow, -1).speed, changeSpeed(slow, 1).speed], [0.5, 1]);
  assert.equal(changeSpeed(withSpeed(slow, 32), 1).speed, 32);
});
