import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import * as decisionModule from '../../../web_client/src/replay/decision.js';
import { strings } from '../../../web_client/src/strings/language.js';

const { decisionOf, decisiveOf, hasOneWinner, turnedUpAt } = decisionModule;
const [ADA, BOB] = [0, 1];
const NAMES = ['Ada', 'Bob'];
/** @param {number} seat @param {number[][]} points ms, score */
const course = (seat, ...points) => ({
  seat,
  name: NAMES[seat],
  ms: points.map(([ms = 0]) => ms),
  score: points.map(([, score = 0]) => score),
  suits: points.map(() => 0),
});
const ada = {
  ...{ seat: ADA, place: 1, won: false, finished_ms: null, late_ms: null, state: 'TIMED_OUT' },
};
const bob = { ...ada, seat: BOB, place: 2 };
/** Return a round that Ada has won. @param {object} changes */
const round = (changes) => ({
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
  const [ahead] = round({}).courses;
  const caught = course(BOB, start, [20_000, 50], [60_000, 90], [70_000, 80]);
  const behind = course(BOB, start, [20_000, 50]);
  for (const [what, change, decision] of [
    ['the last change', {}, '40000 lead 0'],
    ['a tie that is not lost', { courses: [ahead, caught] }, '40000 lead 0'],
    [
      'a lead that never changed',
      { courses: [course(ADA, start, [7_000, 5]), course(BOB, start, [9_000, 2])] },
      '7000 led 0',
    ],
    [
      'a win from behind',
      { ranking: [HOME, bob], courses: [course(ADA, start, [80_000, 40]), behind] },
      '80000 home 0',
    ],
    [
      'the leader gives up',
      { ranking: [ada, QUIT], courses: [course(ADA, start, [10_000, 20]), behind] },
      '60000 quit 1',
    ],
    ['a ranking by progress', { settings: BY_PROGRESS }, undefined],
    ['a win by progress', { settings: BY_PROGRESS, ranking: [HOME, bob] }, '80000 home 0'],
  ]) {
    const found = decisionOf(round(change));
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
    assert.equal(decisionOf(round(change)), null);
  assert.equal(hasOneWinner(round({})), true);
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
  const played = round({ settings: { ...settings, ...more }, ranking, programs: [ADA] });
  const decisive = decisiveOf(played, me, (seat) => turned[seat] ?? null);
  return decisive ? strings.decisive(decisive, me) : '';
}

test('the decisive difference is told: turned cards, suits, acts, but not against the ranking', () => {
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
    [{}, gaveUp, ''], // the time of the lead tells more
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
