import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextWait } from '../../../web_client/src/replay/finished-rounds.js';
import { changed, nextSpeed, toggled } from '../../../web_client/src/replay/replay.js';
import { makeTape } from '../../../web_client/src/replay/side.js';
import { example } from '../examples.js';

test('reviews are asked for at growing intervals until they are done', () => {
  assert.equal(nextWait('done', 0, 0), null);
  const waits = [0, 1, 5, 20].map((asked) => nextWait('running', asked, 100_000) ?? 0);
  const sorted = waits.toSorted((a, b) => a - b);
  assert.deepEqual(waits, sorted);
  assert.deepEqual([waits.at(-1), nextWait('running', 99, 16 * 60_000)], [15_000, null]);
  assert.equal(nextWait('waiting', 0, 0), 1_000);
  assert.equal(nextWait('waiting', 99, 29 * 60_000), 15_000);
  assert.equal(nextWait('waiting', 99, 31 * 60_000), null);
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

test('a tape has the table of every act, and tables share what did not change', () => {
  const pile = (acts, id) => tape.tables[acts].piles.find((each) => each.id === id);
  assert.deepEqual(tape.times, [0, 1_000, 4_000, 4_000]);
  assert.equal(tape.tables[0], start);
  assert.deepEqual([pile(1, first.id).up, pile(1, first.id).x], [['KS'], first.x]);
  assert.deepEqual([pile(3, first.id), pile(3, second.id).up], [first, []]);
  assert.equal(pile(1, second.id), second);
  const { score, counts } = tape.tables[1];
  assert.deepEqual([score, counts.face_down], [9, 40]);
});

test('a replay plays within its length until the end, and then from the beginning', () => {
  const end = { ms: 1_000, length: 1_000, playing: false, speed: 4 };
  const started = changed(end, toggled(end));
  assert.deepEqual(started, { ms: 0, length: 1_000, playing: true, speed: 4 });
  assert.deepEqual(changed(started, toggled(started)), { ...started, playing: false });
  assert.deepEqual(changed(started, { ms: 1_200 }), end, 'it stops at its end');
  const times = [-5, 300, 5_000].map((ms) => changed(end, { ms }).ms);
  assert.deepEqual(times, [0, 300, 1_000]);
  assert.equal(changed(end, { length: 900 }).ms, 900);
  assert.equal(changed(end, { length: 2_000 }).ms, 1_000);
  const speeds = [nextSpeed(0.5, -1), nextSpeed(0.5, 1), nextSpeed(32, 1), nextSpeed(8, -1)];
  assert.deepEqual(speeds, [0.5, 1, 32, 4]);
});
