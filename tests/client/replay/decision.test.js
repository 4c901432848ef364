import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionOf, hasOneWinner } from '../../../web_client/src/replay/decision.js';

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
const round = (changes) =>
  /** @type {any} */ ({
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
