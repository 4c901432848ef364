import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linear, niceTicks, timeTicks } from '../../../web_client/src/replay/chart.js';
import * as pure from '../../../web_client/src/replay/course.js';
import { nextWait } from '../../../web_client/src/replay/finished-rounds.js';
import { changed, makeTape, nextSpeed, toggled } from '../../../web_client/src/replay/replay.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { example } from '../examples.js';

const { decisionOf, decisiveOf, endOf, hasOneWinner, indexAt, lastLeader } = pure;
const { leads, lengthOf, moments, scoreAt, turnedUpAt } = pure;
const ADA = 0;
const BOB = 1;
/** @param {number} seat @param {number[][]} points ms, score, suits */
const course = (seat, ...points) => ({
  seat,
  name: seat === ADA ? 'Ada' : 'Bob',
  ms: points.map(([ms = 0]) => ms),
  score: points.map(([, score = 0]) => score),
  suits: points.map(([, , suits = 0]) => suits),
});
const round = {
  t0: 1_000,
  ended: 101_000,
  settings: { ranking: 'first_home', score: 'woods' },
  ranking: [
    { seat: ADA, place: 1, won: true, finished_ms: 90_000, late_ms: null },
    { seat: BOB, place: 2, won: false, finished_ms: null, late_ms: null },
  ],
  courses: [
    course(ADA, [0, 0, 0], [20_000, 10, 0], [60_000, 120, 1], [90_000, 200, 2]),
    course(BOB, [0, 0, 0], [10_000, 5, 0], [19_500, 8, 0], [30_000, 50, 1], [31_000, 40, 0]),
  ],
};

const said = ({ ms, seat }) => `${ms} ${['Ada', 'Bob'][seat]}`;
const CHANGES = ['10000 Bob', '20000 Ada', '30000 Bob', '60000 Ada'];

test('the score at a time is that of the last change before it', () => {
  const scores = [0, 19_999, 20_000, 89_999, 1e9].map((ms) => scoreAt(round.courses[0], ms));
  assert.deepEqual(scores, [0, 0, 10, 120, 200]);
  assert.deepEqual([indexAt([0, 5, 5, 9], 5), indexAt([], 5)], [2, 0]);
});

test('a race is as long as the round, and a player’s line ends with the game', () => {
  const ends = [ADA, BOB].map((seat) => endOf(round, seat));
  assert.deepEqual([lengthOf(round), ends], [100_000, [90_000, 100_000]]);
});

const [ADAS, BOBS] = round.ranking;
const [COURSE] = round.courses;
/** Return who leads in a changed round, in words. @param {any} change */
const led = (change) => leads({ ...round, ...change }).map(said);

test('the only player with the most points leads; a tie changes nothing', () => {
  assert.deepEqual(led({}), CHANGES);
  const ranking = round.ranking.map((each) => ({ ...each, won: false }));
  assert.deepEqual(led({ ranking, courses: [course(ADA, [0, 5, 0]), course(BOB, [0, 5, 0])] }), []);
  // There is no lead where places depend on suits and turned cards.
  assert.deepEqual(led({ settings: { ...round.settings, score: 'moves' } }), []);
});

test('a player who gave up leads no more, and nobody leads a race that all give up', () => {
  const gone = { state: 'FORFEIT', won: false, late_ms: null };
  const left = { ...BOBS, place: 1, state: 'TIMED_OUT' };
  const ranking = [left, { ...ADAS, ...gone, place: 2, finished_ms: 95_000 }];
  assert.deepEqual(led({ ranking }), [...CHANGES, '95000 Bob']);
  const all = {
    ranking: [ADA, BOB].map((seat) => ({ ...gone, place: 1, seat, finished_ms: 1_000 + seat })),
    courses: [course(ADA, [0, 0, 0]), course(BOB, [0, 0, 0])],
  };
  assert.deepEqual([led(all), lastLeader(round), lastLeader({ ...round, ...all })], [[], ADA, -1]);
  const ended = { ...round, ranking: [{ ...ADAS, won: false, state: 'FORFEIT' }, BOBS] };
  const kinds = moments(ended).flatMap(({ kind, seat }) => (seat === ADA ? [kind] : []));
  assert.equal(kinds.at(-1), 'quit');
});

test('the first winner leads to the end, or the winner with the best score', () => {
  const slow = { ...BOBS, won: true, finished_ms: 99_000 };
  const courses = [COURSE, course(BOB, [0, 0, 0], [99_000, 999, 2])];
  const settings = { ...round.settings, ranking: 'best_score' };
  assert.match(led({ ranking: [ADAS, slow], courses }).at(-1), /Ada/);
  assert.match(led({ ranking: [ADAS, slow], courses, settings }).at(-1), /Bob/);
  assert.match(led({ courses, settings }).at(-1), /Ada/, 'points do not beat a win');
});

test('a latecomer never leads, and ends by the clock of the race', () => {
  const chased = { ...ADAS, place: null, finished_ms: 50_000, late_ms: 20_000 };
  const late = { ...round, ranking: [BOBS, chased] };
  assert.equal(endOf(late, ADA), 70_000);
  assert.deepEqual([...new Set(leads(late).map(({ seat }) => seat))], [BOB]);
  assert.ok(moments(late).some(({ ms, kind }) => ms === 70_000 && kind === 'home'));
});

test('moments are leads that lasted, first suits and ends, in order', () => {
  const all = moments(round).map(({ kind, ...each }) => `${said(each)} ${kind}`);
  assert.deepEqual(all, [
    ...['10000 Bob lead', '20000 Ada lead', '30000 Bob lead', '30000 Bob suit'],
    ...['60000 Ada lead', '60000 Ada suit', '90000 Ada suit', '90000 Ada home'],
  ]);
  // A moment tells that a player has left the last known win. A win that was known to the end has none.
  const known = (seat, ms, toTheEnd = false) => ({ seat, known_ms: ms, to_the_end: toTheEnd });
  const reviewed = moments(round, [known(ADA, 25_000), known(BOB, 1e5, true), known(2, null)]);
  const more = reviewed.map(({ kind, ...each }) => `${said(each)} ${kind}`);
  assert.deepEqual(more, all.toSpliced(2, 0, '25000 Ada missed'));
  const short = moments({ ...round, ended: 1_000_000_000 });
  const lasting = short.filter(({ kind }) => kind === 'lead');
  assert.deepEqual(lasting.map(said), ['60000 Ada']);
  const alone = { ...round, courses: [COURSE], ranking: [ADAS] };
  assert.ok(moments(alone).every(({ kind }) => kind !== 'lead'));
});

test('ticks are round numbers, and scales map between their ends', () => {
  assert.deepEqual(niceTicks(0, 990, 5), [0, 200, 400, 600, 800, 1000]);
  assert.deepEqual(niceTicks(-12, 37, 5), [-20, -10, 0, 10, 20, 30, 40]);
  assert.deepEqual(niceTicks(500, 500, 5), [500, 501]);
  assert.deepEqual(timeTicks(100_000, 5), [0, 30_000, 60_000, 90_000]);
  assert.deepEqual(timeTicks(1_800_000, 4), [0, 600_000, 1_200_000, 1_800_000]);
  assert.deepEqual([0, 500, 1_000].map(linear(0, 1_000, 200, 0)), [200, 100, 0]);
  assert.equal(linear(3, 3, 10, 20)(3), 10);
});

const ada = {
  ...{ seat: ADA, place: 1, won: false, finished_ms: null, late_ms: null, state: 'TIMED_OUT' },
};
const bob = { ...ada, seat: BOB, place: 2 };
/** Return a round that Ada has won. @param {object} changes */
const roundOf = (changes) => ({
  t0: 0,
  ended: 100_000,
  settings: { ranking: 'first_home', score: 'woods' },
  ranking: [ada, bob],
  winners: [ADA],
  courses: [course(ADA, [0, 0], [40_000, 90]), course(BOB, [0, 0], [20_000, 50])],
  ...changes,
});

const HOME = { ...ada, won: true, finished_ms: 80_000 };
const QUIT = { ...bob, state: 'FORFEIT', finished_ms: 60_000 };
const start = [0, 0];
const BY_PROGRESS = { ranking: 'best_score', score: 'moves' };

test('a race is decided by the last change of the lead, by its end, by a win, or not at all', () => {
  const [ahead] = roundOf({}).courses;
  const caught = course(BOB, start, [20_000, 50], [60_000, 90], [70_000, 80]);
  const behind = course(BOB, start, [20_000, 50]);
  const [early, last] = [course(ADA, start, [7_000, 5]), course(BOB, start, [9_000, 2])];
  const [late, few] = [course(ADA, start, [80_000, 40]), course(ADA, start, [10_000, 20])];
  for (const [what, change, decision] of [
    ['the last change', {}, '40000 lead 0'],
    ['a tie that is not lost', { courses: [ahead, caught] }, '40000 lead 0'],
    ['a lead that never changed', { courses: [early, last] }, '7000 led 0'],
    ['a win from behind', { ranking: [HOME, bob], courses: [late, behind] }, '80000 home 0'],
    ['the leader gives up', { ranking: [ada, QUIT], courses: [few, behind] }, '60000 quit 1'],
    ['a ranking by progress', { settings: BY_PROGRESS }, undefined],
    ['a win by progress', { settings: BY_PROGRESS, ranking: [HOME, bob] }, '80000 home 0'],
  ]) {
    const found = decisionOf(roundOf(change));
    assert.equal(found ? `${found.ms} ${found.kind} ${found.seat}` : undefined, decision, what);
  }
  for (const change of [
    { ranking: [ada] },
    { ranking: [ada, { ...bob, place: null }] },
    { winners: [ADA, BOB] },
    { winners: [] },
    { ranking: [bob, ada], winners: [BOB] },
    { courses: [course(ADA, start), course(BOB, start)] },
  ])
    assert.equal(decisionOf(roundOf(change)), null);
  assert.equal(hasOneWinner(roundOf({})), true);
});

const stats = { suits: 0, face_down: 0, home: 0, cheats: 0, has_acted: true };
const first = { ...ada, ...stats, name: 'Ada' };
const second = { ...bob, ...stats, name: 'Bob' };
const won = { won: true, state: 'FINISHED', finished_ms: 80_000 };
/**
 * Return the sentence on what made the difference, or ''.
 * @param {object} winner @param {object} rival @param {{[name: string]: unknown}} [more] @param {number} [me]
 */
function told(winner, rival, { turned = [1_000, 41_500], ...more } = {}, me = BOB) {
  const settings = { game: 'spider-4', ranking: 'first_home', score: 'woods', cheats: 'shown' };
  const ranking = [
    { ...first, ...winner },
    { ...second, ...rival },
  ];
  const played = roundOf({ settings: { ...settings, ...more }, ranking, programs: [ADA] });
  const decisive = decisiveOf(played, me, (seat) => turned[seat] ?? null);
  return decisive ? strings.decisive(decisive, me) : '';
}

test('one sentence names the decisive difference, unless it contradicts the ranking', () => {
  const little = { game: 'little-spider', ranking: 'best_score' };
  const gaveUp = { state: 'FORFEIT', finished_ms: 104_000 };
  for (const [winner, rival, words, more, me] of [
    [won, won, 'Ada turned its last card 40 s before you.'],
    [won, won, 'You turned your last card 40 s before Bob.', {}, ADA],
    [won, won, 'Ada turned its last card 40 s before Bob.', {}, -1],
    [won, won, '', { turned: [50_000, 41_000] }], // the second was faster there
    [won, won, '', { ranking: 'best_score' }], // the points decide there
    [won, won, '', { turned: [] }],
    [won, { face_down: 1 }, 'You still had 1 card face down at the end.'],
    [won, { suits: 6 }, 'Bob had 6 of 8 suits at the end.', {}, ADA],
    [won, { home: 40 }, 'You had 40 of 52 cards home at the end.', little],
    // Without a win suits are compared, then turned cards.
    [{ suits: 3 }, { suits: 1 }, 'Ada completed 3 suits, you 1.'],
    [{ face_down: 4 }, { face_down: 5 }, 'Ada turned 1 card more than you.'],
    [{ suits: 1 }, { suits: 2 }, ''], // points decided against the suits
    [{}, {}, ''],
    [{}, { has_acted: false, face_down: 44 }, 'You made no move.'],
    [{}, gaveUp, ''], // the time of the lead says more
    [{}, gaveUp, 'You gave up at 1:44.', { score: 'moves' }],
    [{ suits: 3 }, { suits: 1, cheats: 1 }, '', { cheats: 'out' }],
  ])
    assert.equal(told(winner, rival, more, me), words);
});

test('the cards of a game are face up from the last turned one on', () => {
  const steps = [2, 0, 1, 0, 0].map((face_down, i) => ({ face_down, ms: i * 1_000 }));
  assert.equal(turnedUpAt({ acts: 5, steps }), 3_000, 'an undo had turned one down again');
  assert.equal(turnedUpAt({ acts: 1, steps: steps.slice(0, 1) }), null);
  assert.equal(turnedUpAt({ acts: 9, steps }), null, 'acts are left out');
});

test('reviews are asked for at growing intervals until they are done', () => {
  for (const [state, asked, minutes, wait] of [
    ['waiting', 0, 0, 1_000],
    ['running', 1, 2, 1_400],
    ['waiting', 99, 29, 15_000],
    ['waiting', 99, 31, null],
    ['running', 99, 16, null],
    ['done', 0, 0, null],
  ])
    assert.equal(nextWait(state, asked, minutes * 60_000), wait);
});

const { table } = example('table');
const dealt = { ...table, at: 0, elapsed_ms: 0 };
const [left, right] = dealt.piles.filter(({ role }) => role === 'tableau');
const FIGURES = { score: 9, moves: 1, suits: 0, home: 0, face_down: 40 };
const tape = makeTape({
  seat: 0,
  name: 'Ada',
  start: dealt,
  acts: 3,
  steps: [
    { ms: 1_000, action: 't0x1-t1', piles: [{ id: left.id, down: 1, up: ['KS'] }], ...FIGURES },
    { ms: 4_000, action: 'undo', piles: [{ ...left }], ...FIGURES, score: 8 },
    { ms: 4_000, action: 'deal', piles: [{ id: right.id, down: 0, up: [] }], ...FIGURES },
  ],
});

test('a tape has the table of every act, and tables share what did not change', () => {
  const pile = (acts, id) => tape.tables[acts].piles.find((each) => each.id === id);
  assert.deepEqual(tape.times, [0, 1_000, 4_000, 4_000]);
  assert.equal(tape.tables[0], dealt);
  assert.deepEqual([pile(1, left.id).up, pile(1, left.id).x], [['KS'], left.x]);
  assert.deepEqual([pile(3, left.id), pile(3, right.id).up], [left, []]);
  assert.equal(pile(1, right.id), right);
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
