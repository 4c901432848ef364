// The course of a race is every player's score over time. From it follow who led when, and the moments worth seeing
// again. The tape of a game is the series of its tables, one after every act. Pure, except for the fetching at the end.

import { readReplay } from '../contract/notation.js';
import { fetchDocument, keepFetching } from '../page/loads.js';
import { endedAt } from '../state/race-events.js';
import { isOpenRace } from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {Course, GameReview, RoundCourse, RoundReview, Standing} from '../contract/messages.d.ts'
 * @import {Replay, TableView} from '../contract/notation.js'
 * @typedef {{ms: number, kind: 'lead' | 'suit' | 'home' | 'end' | 'quit' | 'missed', seat: number, n: number}} Moment
 *   `home`: won; `end`: ended without a win; `quit`: gave up; `missed`: let a known win slip; `suit`: the `n`th suit
 * @typedef {object} RoundId names a finished round of a room, or some games of a day, shown as one round
 * @property {string} code
 * @property {number} n
 * @property {string} [data] for games of a day, the path of their data
 * @property {string} [key] the key of this player's game of today's race, which gives access to the other games
 * @property {Readonly<Record<number, string>>} [games] by seat, the names of the games' cards (see `nameOfCards`)
 * @property {{round: RoundCourse, seat: number, ghost: {id: RoundId, course: Course, lateMs: number}}} [duel] the
 *   round with a ghost at this seat; the ghost's game belongs to another round
 * @typedef {object} Tape
 * @property {Replay} replay the document from the server
 * @property {TableView[]} tables the first is the deal
 * @property {number[]} times of the tables, in ms
 */

/** A lead counts as a moment only if it lasts at least this fraction of the race. */
const MIN_LEAD = 0.02;
/** A number above any score or time. It keeps winners above all others, and players who gave up below them. */
export const RANK_GAP = 1e12;

/** Return the index of the last time up to `ms`, or 0. @param {readonly number[]} times ascending @param {number} ms */
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

/** Return a player's score at a given time; 0 without one. @param {Course} course @param {number} ms */
export const scoreAt = (course, ms) => course.score[indexAt(course.ms, ms)] ?? 0;

/**
 * Return when a game ended, in ms on the race's clock (in an open race, on the game's own); null if it didn't end.
 * @param {RoundCourse} round @param {Standing} standing
 */
const endOnClock = (round, standing) =>
  isOpenRace(round) ? standing.finished_ms : endedAt(standing);

/** Return a race's length in ms, at least 1 s, as callers divide by it. @param {RoundCourse} round */
export function lengthOf(round) {
  const { t0, ended, ranking, courses, settings } = round;
  const lastActs = courses.map(({ ms }) => ms.at(-1) ?? 0);
  // A latecomer's game may end after the race.
  const ends = ranking.map((standing) => endOnClock(round, standing) ?? 0);
  const raceMs = ended - t0;
  const hasUnfinished = ranking.some(({ finished_ms }) => finished_ms === null);
  const unfinishedMs = hasUnfinished ? Math.min((settings.time_limit_s ?? 0) * 1_000, raceMs) : 0;
  // In an open race only the games count. An unfinished one may have run for the whole time limit.
  return Math.max(1_000, isOpenRace(round) ? unfinishedMs : raceMs, ...lastActs, ...ends);
}

/** Return when a game ended; the race's length if it did not. @param {RoundCourse} round @param {number} player */
export function endOf(round, player) {
  const standing = round.ranking.find(({ seat }) => seat === player);
  return (standing && endOnClock(round, standing)) ?? lengthOf(round);
}

/**
 * Return the number that ranks a player at a time; the player with the highest one leads. It is the score, but
 * `RANK_GAP` puts winners above all scores, and players who gave up below them.
 * @param {Standing} standing @param {Course} course @param {number} ms the time
 * @param {boolean} byTime whether the earlier of two wins leads, rather than the one with the higher score
 */
function leadValue({ finished_ms, state, won }, course, ms, byTime) {
  const score = scoreAt(course, ms);
  if (finished_ms === null || ms < finished_ms) return score;
  if (won) return byTime ? 2 * RANK_GAP - finished_ms : RANK_GAP + score; // the earlier win leads by time
  return state === 'FORFEIT' ? score - RANK_GAP : score;
}

/** @param {number} ms @param {Moment['kind']} kind @param {number} seat @param {number} [n] how many suits are home */
const momentAt = (ms, kind, seat, n = 0) => ({ ms, kind, seat, n });

/** Return when players took the sole lead, if the courses show that. @param {RoundCourse} round @returns {Moment[]} */
export function leads({ courses, ranking, settings }) {
  // The `moves` score ranks by suits and turned cards first, and a course does not record turned cards.
  if (settings.score === 'moves') return [];
  // If all gave up, the last one to do so would take the lead.
  if (ranking.every(({ state }) => state === 'FORFEIT')) return [];
  // Latecomers are not ranked, so they never lead.
  const racers = courses.flatMap((course) => {
    const standing = ranking.find(({ seat, place }) => seat === course.seat && place !== null);
    return standing ? [{ course, standing }] : [];
  });
  const times = racers.flatMap(({ course, standing }) => [...course.ms, standing.finished_ms ?? 0]);
  /** @type {Moment[]} */
  const changes = [];
  const byTime = settings.ranking === 'first_home';
  for (const ms of new Set(times.toSorted((a, b) => a - b))) {
    const values = racers.map(({ course, standing }) => leadValue(standing, course, ms, byTime));
    const highest = Math.max(...values);
    if (values.indexOf(highest) !== values.lastIndexOf(highest)) continue; // nobody leads alone
    const seat = racers[values.indexOf(highest)]?.course.seat ?? -1;
    if (changes.at(-1)?.seat !== seat) changes.push(momentAt(ms, 'lead', seat));
  }
  return changes;
}

/** Return the seat that led last; -1 if none did, or if two share the first place. @param {RoundCourse} round */
export function lastLeader(round) {
  const first = round.ranking.filter(({ place }) => place === 1);
  const last = leads(round).at(-1)?.seat ?? -1;
  return first.length === 1 ? last : -1;
}

/** Return the leads that lasted a while, and always the last one, which decided the race. @param {RoundCourse} round */
function lastingLeads(round) {
  const minMs = MIN_LEAD * lengthOf(round);
  const lasting = leads(round).filter(
    (lead, i, all) => (all[i + 1]?.ms ?? Infinity) - lead.ms >= minMs,
  );
  // Without the short ones, two leads in a row can be one player's: drop the second, unless it decided the race.
  return lasting.filter(({ seat }, i) => seat !== lasting[i - 1]?.seat || i === lasting.length - 1);
}

/**
 * Return the moments of a round: lasting leads, completed suits, ends of games, and missed wins.
 * @param {RoundCourse} round @param {readonly GameReview[]} [reviewed]
 */
export function momentsOf(round, reviewed = []) {
  // Count each suit once, even if it comes home again after an undo.
  const suits = round.courses.flatMap(({ seat, ms, suits: counts }) =>
    counts.flatMap((n, i) => {
      const isFirst = n > 0 && counts.findIndex((count) => count >= n) === i;
      return isFirst ? [momentAt(ms[i] ?? 0, 'suit', seat, n)] : [];
    }),
  );
  const ends = round.ranking.flatMap((standing) => {
    const ms = endOnClock(round, standing);
    const kind = standing.won ? 'home' : standing.state === 'FORFEIT' ? 'quit' : 'end';
    return ms === null ? [] : [momentAt(ms, kind, standing.seat)];
  });
  const missed = reviewed.flatMap(({ seat, known_ms: ms, to_the_end: toTheEnd }) =>
    // If the game could be won until its end, no win was missed.
    ms === null || toTheEnd ? [] : [momentAt(ms, 'missed', seat)],
  );
  const changes = round.courses.length > 1 ? lastingLeads(round) : []; // a player alone always leads
  return [...changes, ...suits, ...ends, ...missed].toSorted((a, b) => a.ms - b.ms);
}

/** Make a replay's tape. Tables share equal piles, so long games stay small. @param {Replay} replay @returns {Tape} */
export function makeTape(replay) {
  const tables = [replay.start];
  let table = replay.start;
  for (const { ms, score, moves, suits, home, face_down, piles: changed } of replay.steps) {
    const piles = table.piles.map((pile) => {
      const next = changed.find(({ id }) => id === pile.id);
      return next ? { ...pile, ...next } : pile;
    });
    const counts = { ...table.counts, moves, suits, home, face_down };
    table = { ...table, at: table.at + 1, piles, score, counts, elapsed_ms: ms };
    tables.push(table);
  }
  return { replay, times: tables.map(({ elapsed_ms }) => elapsed_ms), tables };
}

// The documents of finished rounds. Each is fetched once, except for the review, which says how long each game
// could still be won. The server works on it after the race, so the page asks again until it is done.

/** Return the path of a round's data or a part of it. @param {RoundId} id @param {string} [part] such as `/course` */
export const dataPath = ({ code, n, data, key }, part = '') =>
  `${data ?? `/api/rooms/${code}/rounds/${n}`}${part}${key ? `?key=${key}` : ''}`;

/** Name a game so that its cards can be dealt again: `ROOM/1/0`. @param {RoundId} id @param {number | string} seat */
export const nameOfCards = ({ code, n, games }, seat) =>
  games?.[Number(seat)] ?? `${code}/${n}/${seat}`;

/** The fetched and converted documents by path. @type {Map<string, Promise<any>>} */
const fetched = new Map();

/** Return a round with names for a day's computer players instead of ids of levels. @param {RoundCourse} round */
function withNames(round) {
  /** Name a computer player by its level. @template {{seat: number, name: string}} T @param {T} player @returns {T} */
  const named = (player) => {
    const level = Object.entries(strings.STRENGTHS).find(([id]) => id === player.name);
    return level && round.programs.includes(player.seat) ? { ...player, name: level[1] } : player;
  };
  return { ...round, courses: round.courses.map(named), ranking: round.ranking.map(named) };
}

/** Fetch, `read` and cache a document; forget a failure. @param {string} path @param {(document: any) => any} read */
function fetchOnce(path, read) {
  // A finished round changes only if a backup is restored or a failover undoes its end.
  const fetching = fetched.get(path) ?? fetchDocument(path).then(read);
  fetching.catch(() => fetched.delete(path));
  fetched.set(path, fetching);
  return fetching;
}

/** Fetch a round's course; rejects with `404` before its end. @param {RoundId} id @returns {Promise<RoundCourse>} */
export const fetchRound = async (id) =>
  id.duel?.round ?? fetchOnce(dataPath(id, '/course'), withNames);

/** The name, for `fetchTape`, of the win that the server knew before the race. */
export const KNOWN_WIN = 'proof';

/** Return the name, for `fetchTape`, of the last win that was found in a player's game. @param {number} seat */
export const winOf = (seat) => `${seat}/win`;

/** @param {RoundId} id @param {string} game a seat, `KNOWN_WIN`, or the result of `winOf` @returns {Promise<Tape>} */
export async function fetchTape(id, game) {
  const { seat: ghostSeat, ghost } = id.duel ?? {};
  // The ghost's game belongs to another round, and may have started late there.
  if (ghost && game === String(ghostSeat)) {
    const tape = await fetchTape(ghost.id, String(ghost.course.seat));
    return { ...tape, times: tape.times.map((ms) => Math.max(0, ms - ghost.lateMs)) };
  }
  return fetchOnce(dataPath(id, game === KNOWN_WIN ? `/${game}` : `/seats/${game}`), (replay) =>
    makeTape(readReplay(replay)),
  );
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const GROWTH = 1.4;
/** Stop asking for a review after this many requests (half an hour): the server is too busy. */
const MAX_REQUESTS = 120;

/** Return the ms until the next request, or 0 to stop. @param {RoundReview['state']} state @param {number} requests */
export const nextWait = (state, requests) =>
  state === 'done' || requests >= MAX_REQUESTS
    ? 0
    : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * GROWTH ** requests);

/** Poll a review; return a function that stops. @param {RoundId} id @param {(review: RoundReview) => void} show */
export function followReview(id, show) {
  if (id.data) return () => {}; // a day's games have no review
  let requests = 0;
  /** Show the review; return after how many ms to request it again. @param {RoundReview | null | undefined} review */
  function handle(review) {
    if (review) show(review);
    const waitMs = nextWait(review?.state ?? 'waiting', requests);
    requests += 1;
    return waitMs;
  }
  return keepFetching(() => fetchDocument(dataPath(id, '/review')), handle).stop;
}
