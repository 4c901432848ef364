// The course of a race, from the scores of all players over time: the leaders, and the moments that
// are worth seeing again. Pure.

/**
 * @import {Course, GameReview, RoundCourse, Standing} from '../contract/messages.d.ts'
 * @typedef {{ms: number, kind: 'lead' | 'suit' | 'home' | 'end' | 'quit' | 'missed', seat: number, n: number}} Moment
 *   `n` is the suit's number for `suit`
 */

/** The least part of the race for which a lead must last to be a moment. */
const LEAST_LEAD = 0.02;
const MAX_MOMENTS = 40;
/** More than any score or time: it separates winners, other players, and those who gave up. */
const GROUP = 1e12;

/** Return the index of the last time that is not after `ms`, at least 0. @param {readonly number[]} times @param {number} ms */
export function indexAt(times, ms) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((times[middle] ?? 0) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Return a player's score at a time. @param {Course} course @param {number} ms */
export const scoreAt = (course, ms) => course.score[indexAt(course.ms, ms)] ?? 0;

/** Return the length of the race in milliseconds. @param {RoundCourse} round */
export function lengthOf({ t0, ended, ranking, courses }) {
  const acts = courses.map(({ ms }) => ms.at(-1) ?? 0);
  const ends = ranking.map((standing) => finishOf(standing) ?? 0);
  return Math.max(1_000, ended - t0, ...acts, ...ends);
}

/** Return when a game ended, in ms since t0 (also for latecomers). @param {Standing} standing */
const finishOf = ({ finished_ms, late_ms }) =>
  finished_ms === null ? null : finished_ms + (late_ms ?? 0);

/** Return the end of a player's game, in ms since t0. @param {RoundCourse} round @param {number} seat */
export function endOf(round, seat) {
  const standing = round.ranking.find((each) => each.seat === seat);
  return (standing && finishOf(standing)) ?? lengthOf(round);
}

/**
 * Return the value by which players are compared for the lead: their points, but players who have won
 * are above all points, and those who gave up are below.
 * @param {Standing} standing @param {Course} course @param {number} ms @param {boolean} byTime
 */
function leadValue({ finished_ms, state, won }, course, ms, byTime) {
  const score = scoreAt(course, ms);
  if (finished_ms === null || ms < finished_ms) return score;
  if (won) return byTime ? 2 * GROUP - finished_ms : GROUP + score;
  return state === 'FORFEIT' ? score - GROUP : score;
}

/** Return the moments at which a player took the lead alone. @param {RoundCourse} round @returns {Moment[]} */
export function leads({ courses, ranking, settings }) {
  // By this score players are ranked first by suits and turned cards, which a course does not have.
  if (settings.score === 'moves') return [];
  if (ranking.every(({ state }) => state === 'FORFEIT')) return [];
  // Latecomers are in no ranking, and so never in the lead.
  const racers = courses.flatMap((course) => {
    const standing = ranking.find(({ seat, place }) => seat === course.seat && place !== null);
    return standing ? [{ course, standing, seat: course.seat }] : [];
  });
  const allTimes = racers.flatMap(({ course, standing }) => [
    ...course.ms,
    standing.finished_ms ?? 0,
  ]);
  const times = [...new Set(allTimes)].toSorted((a, b) => a - b);
  /** @type {Moment[]} */
  const changes = [];
  for (const ms of times) {
    const byTime = settings.ranking === 'first_home';
    const values = racers.map(({ course, standing }) => leadValue(standing, course, ms, byTime));
    const highest = Math.max(...values);
    if (values.indexOf(highest) !== values.lastIndexOf(highest)) continue;
    const seat = racers[values.indexOf(highest)]?.seat ?? -1;
    if (changes.at(-1)?.seat !== seat) changes.push({ ms, kind: 'lead', seat, n: 0 });
  }
  return changes;
}

/** Return the player who was ahead alone at the end, by the ranking; -1 if there is none. @param {RoundCourse} round */
export function lastLeader(round) {
  const first = round.ranking.filter(({ place }) => place === 1);
  const last = leads(round).at(-1)?.seat ?? -1;
  return first.length === 1 ? last : -1;
}

/** Return how a game has ended. @param {Standing} standing @returns {Moment['kind']} */
const endKind = ({ won, state }) => (won ? 'home' : state === 'FORFEIT' ? 'quit' : 'end');

/** Return the moments at which players left their last known win. @param {readonly GameReview[]} games @returns {Moment[]} */
const missedWins = (games) =>
  games.flatMap(({ seat, known_ms: ms, to_the_end: toTheEnd }) =>
    ms === null || toTheEnd ? [] : [{ ms, kind: /** @type {const} */ ('missed'), seat, n: 0 }],
  );

/**
 * Return the changes of the lead that lasted, the complete suits, the ends of games, and the wins that
 * players have left.
 * @param {RoundCourse} round
 * @param {readonly GameReview[]} [reviewed]
 * @returns {Moment[]}
 */
export function moments(round, reviewed = []) {
  const leastMs = LEAST_LEAD * lengthOf(round);
  const lasting = leads(round).filter(
    (lead, i, taken) => (taken[i + 1]?.ms ?? Infinity) - lead.ms >= leastMs,
  );
  const changes = lasting.filter((lead, i) => lead.seat !== lasting[i - 1]?.seat);
  const suits = round.courses.flatMap(({ seat, ms, suits: home }) =>
    home.flatMap((n, i) => {
      const isNew = n > Math.max(0, ...home.slice(0, i));
      return isNew ? [{ ms: ms[i] ?? 0, kind: /** @type {const} */ ('suit'), seat, n }] : [];
    }),
  );
  const ends = round.ranking.flatMap((standing) => {
    const ms = finishOf(standing);
    return ms === null ? [] : [{ ms, kind: endKind(standing), seat: standing.seat, n: 0 }];
  });
  const all = round.courses.length > 1 ? [...changes, ...suits, ...ends] : [...suits, ...ends];
  const kept = all.length > MAX_MOMENTS ? [...ends, ...changes].slice(0, MAX_MOMENTS) : all;
  const withMissed = [...kept, ...missedWins(reviewed)];
  return /** @type {Moment[]} */ (withMissed.toSorted((a, b) => a.ms - b.ms));
}

/**
 * Return the next time before or after `ms`; null if there is none.
 * @param {readonly number[]} times in order
 * @param {number} ms
 * @param {1 | -1} direction
 */
export function nextTime(times, ms, direction) {
  const found =
    direction > 0 ? times.find((each) => each > ms) : times.findLast((each) => each < ms);
  return found ?? null;
}
