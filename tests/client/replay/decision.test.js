import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import {
  decisionOf,
  decisiveOf,
  hasOneWinner,
  turnedUpAt,
} from '../../../web_client/src/replay/decision.js';
import { strings } from '../../../web_client/src/strings/language.js';

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
  seat: ADA,
  place: 1,
  won: false,
  finished_ms: null,
  late_ms: null,
  state: 'TIMED_OUT',
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

test('a race is decided by the last change of the lead', () => {
  assert.deepEqual(decisionOf(round({})), { ms: 40_000, kind: 'lead', seat: ADA });
});

test('a lead that was tied and not lost is no new decision', () => {
  const caught = course(BOB, [0, 0], [20_000, 50], [60_000, 90], [70_000, 80]);
  const decision = decisionOf(round({ courses: [round({}).courses[0], caught] }));
  assert.deepEqual(decision, { ms: 40_000, kind: 'lead', seat: ADA });
});

test('a lead that never changed lasted from its beginning to the end', () => {
  const courses = [course(ADA, [0, 0], [7_000, 5]), course(BOB, [0, 0], [9_000, 2])];
  assert.deepEqual(decisionOf(round({ courses })), { ms: 7_000, kind: 'led', seat: ADA });
});

test('a win from behind decides a race', () => {
  const ranking = [{ ...ada, won: true, finished_ms: 80_000 }, bob];
  const courses = [course(ADA, [0, 0], [80_000, 40]), course(BOB, [0, 0], [20_000, 50])];
  assert.deepEqual(decisionOf(round({ ranking, courses })), {
    ...{ ms: 80_000, kind: 'home', seat: ADA },
  });
});

test('a race is decided when its leader gives up', () => {
  const ranking = [ada, { ...bob, state: 'FORFEIT', finished_ms: 60_000 }];
  const courses = [course(ADA, [0, 0], [10_000, 20]), course(BOB, [0, 0], [20_000, 50])];
  assert.deepEqual(decisionOf(round({ ranking, courses })), {
    ...{ ms: 60_000, kind: 'quit', seat: BOB },
  });
});

test('a ranking by progress has no lead: only a win decides', () => {
  const settings = { ranking: 'best_score', score: 'moves' };
  assert.equal(decisionOf(round({ settings })), null);
  const ranking = [{ ...ada, won: true, finished_ms: 80_000 }, bob];
  assert.deepEqual(decisionOf(round({ settings, ranking })), {
    ...{ ms: 80_000, kind: 'home', seat: ADA },
  });
});

test('nothing was decided alone, in a tie, without a winner, or where the lead does not tell', () => {
  assert.equal(decisionOf(round({ ranking: [ada] })), null);
  assert.equal(decisionOf(round({ ranking: [ada, { ...bob, place: null }] })), null);
  assert.equal(decisionOf(round({ winners: [ADA, BOB] })), null);
  assert.equal(decisionOf(round({ winners: [] })), null);
  assert.equal(decisionOf(round({ ranking: [bob, ada], winners: [BOB] })), null);
  const still = [course(ADA, [0, 0]), course(BOB, [0, 0])];
  assert.equal(decisionOf(round({ courses: still })), null);
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

test('of two players at home, the first had its cards face up earlier', () => {
  assert.equal(told(won, won), 'Ada turned its last card 40 s before you.');
  assert.equal(told(won, won, {}, ADA), 'You turned your last card 40 s before Bob.');
  assert.equal(told(won, won, {}, -1), 'Ada turned its last card 40 s before Bob.');
  assert.equal(told(won, won, { turned: [50_000, 41_000] }), '', 'the second was faster there');
  assert.equal(told(won, won, { ranking: 'best_score' }), '', 'the points decide there');
  assert.equal(told(won, won, { turned: [] }), '');
});

test('of a player who was not home it says what was missing', () => {
  assert.equal(told(won, { face_down: 1 }), 'You still had 1 card face down at the end.');
  assert.equal(told(won, { suits: 6 }, {}, ADA), 'Bob had 6 of 8 suits at the end.');
  const little = { game: 'little-spider', ranking: 'best_score' };
  assert.equal(told(won, { home: 40 }, little), 'You had 40 of 52 cards home at the end.');
});

test('without a win it compares suits, then turned cards', () => {
  assert.equal(told({ suits: 3 }, { suits: 1 }), 'Ada completed 3 suits, you 1.');
  assert.equal(told({ face_down: 4 }, { face_down: 5 }), 'Ada turned 1 card more than you.');
  assert.equal(told({ suits: 1 }, { suits: 2 }), '', 'points decided against the suits');
  assert.equal(told({}, {}), '');
});

test('an idle player, one who gave up, and one who falls behind by cheats are told apart', () => {
  assert.equal(told({}, { has_acted: false, face_down: 44 }), 'You made no move.');
  const gaveUp = { state: 'FORFEIT', finished_ms: 104_000 };
  assert.equal(told({}, gaveUp), '', 'the time of the lead tells more');
  assert.equal(told({}, gaveUp, { score: 'moves' }), 'You gave up at 1:44.');
  assert.equal(told({ suits: 3 }, { suits: 1, cheats: 1 }, { cheats: 'out' }), '');
});

test('the cards of a game are face up from the last turned one on', () => {
  const steps = [2, 0, 1, 0, 0].map((face_down, i) => ({ face_down, ms: i * 1_000 }));
  assert.equal(turnedUpAt({ acts: 5, steps }), 3_000, 'an undo had turned one down again');
  assert.equal(turnedUpAt({ acts: 1, steps: steps.slice(0, 1) }), null);
  assert.equal(turnedUpAt({ acts: 9, steps }), null, 'acts are left out');
});
