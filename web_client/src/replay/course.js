// The course of a race, from the scores of all players over time: the leaders, the moments that are worth
// seeing again, when the race was decided, and what made the difference. Pure.

import { GAMES } from '../contract/games.js';

/**
 * @import {Course, GameReview, RoundCourse, Standing} from '../contract/messages.d.ts'
 * @import {Replay} from '../contract/notation.js'
 * @typedef {{ms: number, kind: 'lead' | 'suit' | 'home' | 'end' | 'quit' | 'missed', seat: number, n: number}} Moment
 *   `n` is the suit's number for `suit`
 * @typedef {object} Decision
 * @property {number} ms
 * @property {'led' | 'lead' | 'home' | 'quit'} kind `led`: the winner was the only leader; `lead`: the
 *   winner took the lead; `home`: the winner finished from behind; `quit`: the leader gave up
 * @property {number} seat of the winner, or of the player who gave up
 *
 * @typedef {object} Decisive what made the difference between two players
 * @property {'turned' | 'hidden' | 'suits' | 'home' | 'cards' | 'idle' | 'quit'} kind `turned`: the winner had
 *   all cards face up earlier; `hidden`, `suits` and `home`: what the other still lacked; `cards`: the
 *   winner turned more of them up; `idle`: the other made no act; `quit`: the other gave up
 * @property {Standing} winner
 * @property {Standing} rival
 * @property {number} n ms, cards or suits
 * @property {number} of all suits or cards of the game, where a winner was home; 0 for others
 * @property {boolean} isProgram whether the winner is one
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

/** Return the end of a player's game, in ms since t0. @param {RoundCourse} round @param {number} player */
export const endOf = (round, player) =>
  round.ranking.flatMap((each) => (each.seat === player ? [finishOf(each)] : []))[0] ??
  lengthOf(round);

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

/** Make a moment. @param {number} ms @param {Moment['kind']} kind @param {number} seat @param {number} [n] @returns {Moment} */
const momentAt = (ms, kind, seat, n = 0) => ({ ms, kind, seat, n });

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
  const acts = racers.flatMap(({ course }) => course.ms);
  const ends = racers.map(({ standing }) => standing.finished_ms ?? 0);
  const times = [...new Set([...acts, ...ends])].toSorted((a, b) => a - b);
  /** @type {Moment[]} */
  const changes = [];
  for (const ms of times) {
    const byTime = settings.ranking === 'first_home';
    const values = racers.map(({ course, standing }) => leadValue(standing, course, ms, byTime));
    const highest = Math.max(...values);
    if (values.indexOf(highest) !== values.lastIndexOf(highest)) continue;
    const seat = racers[values.indexOf(highest)]?.seat ?? -1;
    if (changes.at(-1)?.seat !== seat) changes.push(momentAt(ms, 'lead', seat));
  }
  return changes;
}

/** Return the player who was ahead alone at the end, by the ranking; -1 if there is none. @param {RoundCourse} round */
export function lastLeader(round) {
  const first = round.ranking.filter(({ place }) => place === 1);
  const last = leads(round).at(-1)?.seat ?? -1;
  return first.length === 1 ? last : -1;
}

/**
 * Return the changes of the lead that lasted, the complete suits, the ends of games, and the wins that
 * players have left.
 * @param {RoundCourse} round
 * @param {readonly GameReview[]} [reviewed]
 */
export function moments(round, reviewed = []) {
  const leastMs = LEAST_LEAD * lengthOf(round);
  const lasting = leads(round).filter(
    (lead, i, taken) => (taken[i + 1]?.ms ?? Infinity) - lead.ms >= leastMs,
  );
  const changes = lasting.filter((lead, i) => lead.seat !== lasting[i - 1]?.seat);
  const suits = round.courses.flatMap(({ seat, ms, suits: home }) => {
    let most = 0;
    return home.flatMap((n, i) => {
      if (n <= most) return [];
      most = n;
      return [momentAt(ms[i] ?? 0, 'suit', seat, n)];
    });
  });
  const ends = round.ranking.flatMap((standing) => {
    const ms = finishOf(standing);
    const kind = standing.won ? 'home' : standing.state === 'FORFEIT' ? 'quit' : 'end';
    return ms === null ? [] : [momentAt(ms, kind, standing.seat)];
  });
  const all = round.courses.length > 1 ? [...changes, ...suits, ...ends] : [...suits, ...ends];
  const kept = all.length > MAX_MOMENTS ? [...ends, ...changes].slice(0, MAX_MOMENTS) : all;
  const missed = reviewed.flatMap(({ seat, known_ms: ms, to_the_end: toTheEnd }) =>
    ms === null || toTheEnd ? [] : [momentAt(ms, 'missed', seat)],
  );
  return [...kept, ...missed].toSorted((a, b) => a.ms - b.ms);
}

/** Return the players on a ranking, best first. @param {readonly Standing[]} ranking */
export const ranked = (ranking) => ranking.filter(({ place }) => place !== null);

/** Return whether a round was won by one player against others. @param {{ranking: readonly Standing[], winners?: readonly number[]}} round */
export const hasOneWinner = ({ ranking, winners = [] }) =>
  winners.length === 1 && ranked(ranking).length > 1;

/** Return the moment at which a round was decided; null if there is none. @param {RoundCourse} round @returns {Decision | null} */
export function decisionOf(round) {
  const { ranking, winners = [], settings } = round;
  const winner = ranking.find((each) => each.seat === winners[0]);
  if (!hasOneWinner(round) || !winner) return null;
  const { seat, won, finished_ms: finishedMs } = winner;
  if (settings.score === 'moves')
    return won && finishedMs !== null ? { ms: finishedMs, kind: 'home', seat } : null;
  if (lastLeader(round) !== seat) return null;
  const [last, before] = leads(round).toReversed();
  if (!last) return null;
  const { ms } = last;
  if (!before) return { ms, kind: 'led', seat };
  if (won && ms === finishedMs) return { ms, kind: 'home', seat };
  const leader = ranking.find((each) => each.seat === before.seat);
  const hasQuit = leader?.state === 'FORFEIT' && !leader.won && leader.finished_ms === ms;
  return hasQuit ? { ms, kind: 'quit', seat: before.seat } : { ms, kind: 'lead', seat };
}

/**
 * Return the only winner, and the player with whom a reader compares that one: the reader, or else the
 * next on the ranking. Null without them.
 * @param {RoundCourse} round
 * @param {number} me this player's seat, or -1
 */
export function rivalsOf(round, me) {
  const players = ranked(round.ranking);
  const winner = players.find(({ seat }) => seat === round.winners?.[0]);
  const others = players.filter((each) => each !== winner);
  const rival = others.find(({ seat }) => seat === me) ?? others[0];
  return hasOneWinner(round) && winner && rival ? { winner, rival } : null;
}

/**
 * Return the time since which all cards of a game were face up; null if that is not known.
 * @param {Pick<Replay, 'acts' | 'steps'>} replay
 */
export function turnedUpAt({ acts, steps }) {
  if (acts > steps.length) return null; // the acts before the last one are left out
  const last = steps.findLastIndex(({ face_down: hidden }) => hidden > 0);
  return steps[last + 1]?.ms ?? null;
}

/**
 * Return what made the difference in a round; null where nothing did for certain. Its own rules decide:
 * winners by time, and others by what they brought home or turned up.
 * @param {RoundCourse} round
 * @param {number} me this player's seat, or -1
 * @param {(seat: number) => number | null} turnedAt the time since which a player's cards were face up
 * @returns {Decisive | null}
 */
export function decisiveOf(round, me, turnedAt) {
  const pair = rivalsOf(round, me);
  if (!pair) return null;
  const { winner, rival } = pair;
  const { settings } = round;
  const told = (/** @type {Decisive['kind']} */ kind, n = 0, of = 0) => ({
    kind,
    ...pair,
    n,
    of,
    isProgram: round.programs?.includes(winner.seat) ?? false,
  });
  const game = GAMES[settings.game];
  const isUnclean = settings.cheats === 'out' && rival.cheats > 0;
  if (!game || rival.stand_in || isUnclean) return null;
  if (rival.has_acted === false) return told('idle');
  if (rival.state === 'FORFEIT' && !rival.won)
    return decisionOf(round) ? null : told('quit', rival.finished_ms ?? 0);
  if (winner.won && rival.won) {
    const [first, second] = [turnedAt(winner.seat), turnedAt(rival.seat)];
    const ms = first === null || second === null ? 0 : second - first;
    return settings.ranking === 'first_home' && ms >= 1_000 ? told('turned', ms) : null;
  }
  if (winner.won && rival.face_down > 0) return told('hidden', rival.face_down);
  if (winner.won)
    return game.goal === 'cards'
      ? told('home', rival.home, game.cards)
      : told('suits', rival.suits, game.foundations);
  if (winner.suits !== rival.suits)
    return winner.suits > rival.suits ? told('suits', winner.suits) : null;
  const more = rival.face_down - winner.face_down;
  return more > 0 ? told('cards', more) : null;
}
