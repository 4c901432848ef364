import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apart, ticks, timesOf } from '../../../web_client/src/replay/chart.js';
import * as pure from '../../../web_client/src/replay/course.js';
import { nextWait } from '../../../web_client/src/replay/course.js';
import { nextSpeed, playbackWith, toggled } from '../../../web_client/src/replay/replay.js';
import { course, example } from '../examples.js';

const { endOf, indexAt, lastLeader, leads, lengthOf, makeTape, momentsOf, scoreAt } = pure;
const [ADA, BOB] = [0, 1];
const COURSE = course(ADA, [0, 0, 0], [20_000, 10, 0], [60_000, 120, 1], [90_000, 200, 2]);
const ADAS = { seat: ADA, place: 1, won: true, finished_ms: 90_000, late_ms: null };
const BOBS = { seat: BOB, place: 2, won: false, finished_ms: null, late_ms: null };
const [BEFORE, AFTER] = [[0, 10_000, 19_500].map((ms, i) => [ms, 4 * i]), [30_000, 31_000, 32_000]];
const BOBS_COURSE = course(BOB, ...BEFORE, ...AFTER.map((ms, i) => [ms, 50 - i, (i + 1) % 2]));
const SETTINGS = { ranking: 'first_home', score: 'woods' };
const TIMES = { t0: 1_000, ended: 101_000 };
const COURSES = [COURSE, BOBS_COURSE];
const round = { ...TIMES, settings: SETTINGS, ranking: [ADAS, BOBS], courses: COURSES };
/** The clock of a latecomer starts later. */
const CHASED = { ...ADAS, place: null, finished_ms: 50_000, late_ms: 20_000 };
const LATE = { ...round, ranking: [BOBS, CHASED] };
const said = ({ ms, seat }) => `${ms} ${['Ada', 'Bob'][seat]}`;

test('a score lasts until the next change, and a line ends with its game', () => {
  const scores = [0, 19_999, 20_000, 89_999, 1e9].map((ms) => scoreAt(COURSE, ms));
  assert.deepEqual(scores, [0, 0, 10, 120, 200]);
  assert.deepEqual([indexAt([0, 5, 5, 9], 5), indexAt([], 5)], [2, 0]);
  const ends = [round, LATE].flatMap((each) => [ADA, BOB].map((seat) => endOf(each, seat)));
  assert.deepEqual([lengthOf(round), ...ends], [100_000, 90_000, 100_000, 70_000, 100_000]);
});

test('the lead goes to a sole player with the most points or a win, but to none who gave up', () => {
  const changes = ['10000 Bob', '20000 Ada', '30000 Bob', '60000 Ada'];
  const level = [course(ADA, [0, 5, 0]), course(BOB, [0, 5, 0])];
  const racing = round.ranking.map((each) => ({ ...each, won: false }));
  const gone = { state: 'FORFEIT', won: false, late_ms: null };
  const left = { ...BOBS, place: 1, state: 'TIMED_OUT' };
  const quit = { ...ADAS, ...gone, place: 2, finished_ms: 95_000 };
  const all = [ADA, BOB].map((seat) => ({ ...gone, place: 1, seat, finished_ms: 1_000 + seat }));
  const slow = [ADAS, { ...BOBS, won: true, finished_ms: 99_000 }];
  const late = [COURSE, course(BOB, [0, 0, 0], [99_000, 999, 2])];
  const settings = { ...round.settings, ranking: 'best_score' };
  for (const [what, change, led] of [
    ['points', {}, changes],
    ['a tie changes nothing', { ranking: racing, courses: level }, []],
    ['suits and turned cards decide', { settings: { ...settings, score: 'moves' } }, []],
    ['who gave up leads no more', { ranking: [left, quit] }, [...changes, '95000 Bob']],
    ['all gave up', { ranking: all, courses: level }, []],
    ['the first at home', { ranking: slow, courses: late }, ['20000 Ada']],
    ['the better win', { ranking: slow, courses: late, settings }, ['20000 Ada', '99000 Bob']],
    ['points do not beat a win', { settings }, changes],
    ['a latecomer', LATE, ['0 Bob']],
  ])
    assert.deepEqual(leads({ ...round, ...change }).map(said), led, what);
  assert.deepEqual([lastLeader(round), lastLeader({ ...round, ranking: all })], [ADA, -1]);
});

test('moments are lasting leads, first suits, ends, and wins that slipped, in order', () => {
  const momentTexts = (...of) =>
    momentsOf(...of).map(({ kind, ...each }) => `${said(each)} ${kind}`);
  const early = ['10000 Bob lead', '20000 Ada lead', '30000 Bob lead', '30000 Bob suit'];
  const all = early.concat('60000 Ada lead', '60000 Ada suit', '90000 Ada suit', '90000 Ada home');
  assert.deepEqual(momentTexts(round), all);
  assert.ok(momentTexts(LATE).includes('70000 Ada home'));
  // If the game could be won until its end, no win slipped.
  const known = (seat, ms, toTheEnd = false) => ({ seat, known_ms: ms, to_the_end: toTheEnd });
  const reviewed = momentTexts(round, [known(ADA, 25_000), known(BOB, 1e5, true), known(2, null)]);
  assert.deepEqual(reviewed, all.toSpliced(2, 0, '25000 Ada missed'));
  const long = momentTexts({ ...round, ended: 1_000_000_000 }).filter((each) =>
    each.endsWith('lead'),
  );
  assert.deepEqual(long, ['60000 Ada lead']);
  const quit = { ...ADAS, won: false, state: 'FORFEIT' };
  const alone = momentTexts({ ...round, courses: [COURSE], ranking: [quit] });
  assert.deepEqual(alone, ['60000 Ada suit', '90000 Ada suit', '90000 Ada quit']);
});

test('ticks are round numbers that enclose the scores, and no time is after the end', () => {
  const steps = [1, 5, 10, 50, 200];
  assert.deepEqual(ticks(0, 990, steps), [0, 200, 400, 600, 800, 1000]);
  assert.deepEqual(ticks(-12, 37, steps), [-20, -10, 0, 10, 20, 30, 40]);
  assert.deepEqual(ticks(500, 500, steps), [500, 501]);
  assert.deepEqual(timesOf(100_000), [0, 30_000, 60_000, 90_000]);
  assert.deepEqual(timesOf(1_800_000).length, 7);
});

test('marks that would cover one another stand apart, and stay in the chart', () => {
  const mark = (x, y) => ({ x, y });
  for (const [marks, shown] of [
    [[mark(100, 20), mark(100, 22)], '20,31'],
    [[mark(100, 22), mark(50, 22)], '22,22'],
    [[mark(100, 100), mark(98, 100), mark(97, 99)], '78,89,100'],
  ])
    assert.equal(String(apart(marks).map(({ y }) => y)), shown);
});

test('the page asks for a review at growing intervals until it is done, or for half an hour', () => {
  const waits = [0, 1, 99, 120].map((asked) => nextWait('running', asked));
  assert.deepEqual([waits, nextWait('done', 0)], [[1_000, 1_400, 15_000, 0], 0]);
});

test('a tape has the table of every act, and tables share what did not change', () => {
  const start = { ...example('table').table, at: 0, elapsed_ms: 0 };
  const [left, right] = start.piles.filter(({ role }) => role === 'tableau');
  const step = (ms, ...piles) => ({ ms, piles, score: 9, moves: 1, face_down: 40 });
  const steps = [step(1_000, { id: left.id, down: 1, up: ['KS'] }), step(4_000, left)];
  const { times, tables } = makeTape({ start, steps });
  const pile = (acts, { id }) => tables[acts].piles.find((each) => each.id === id);
  assert.deepEqual([times, tables[0]], [[0, 1_000, 4_000], start]);
  assert.deepEqual([pile(1, left).up, pile(1, left).x, pile(2, left)], [['KS'], left.x, left]);
  assert.equal(pile(1, right), right);
  assert.deepEqual([tables[1].score, tables[1].counts.face_down], [9, 40]);
});

test('a replay plays until its end, and then starts over', () => {
  const end = { ms: 1_000, length: 1_000, playing: false, speed: 4 };
  const started = playbackWith(end, toggled(end));
  assert.deepEqual(started, { ...end, ms: 0, playing: true });
  assert.deepEqual(playbackWith(started, { ms: 1_200 }), end, 'it stops at its end');
  const times = [{ ms: -5 }, { ms: 300 }, { length: 900 }].map(
    (each) => playbackWith(end, each).ms,
  );
  assert.deepEqual(times, [0, 300, 900]);
  const speeds = [nextSpeed(0.5, -1), nextSpeed(0.5, 1), nextSpeed(32, 1)];
  assert.deepEqual(speeds, [0.5, 1, 32]);
});
