// The entries in the history of this browser's races, and the streak of days with a finished race of the day. An entry
// replaces an older one with the same id: after a reload the server sends a race again, and today's race gets its
// result later. Other modules use `browser/history.js`, which stores the entries. Pure.

import { isolated } from '../contract/text.js';
import { isOpenRace, isPractice, mySeat, shownPlace } from './state.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {State} from './state.js'
 *
 * @typedef {object} Entry a game that has ended, or a game of today's race that has started
 * @property {string} id `CODE/n`, or `DAY/GAME` in today's race
 * @property {number} at when it ended, in ms since the epoch
 * @property {string} kind `race`, `practice`, `day` or `ghost`; a newer page may know more
 * @property {string} game
 * @property {number | null} place null if the game was not ranked
 * @property {number} of how many players were ranked
 * @property {boolean} won whether all cards went home, even if another player won the race
 * @property {number | null} ms how long the player's game took
 * @property {number} score
 * @property {number} moves
 * @property {string} link the path of its page, or of its room as long as an open race is on
 * @property {readonly string[]} rivals the names of the other ranked players, best first
 * @property {string | null} [day] the date of a day's race, `YYYY-MM-DD` in UTC
 * @property {boolean | null} [gaveUp] null in entries of earlier versions
 * @typedef {readonly unknown[]} EntryRow the values of an entry in the order of `PARTS`, without their names
 */

const MOST_ENTRIES = 500;
const MOST_DAYS = 365; // an entry of each of the latest days stays, so that no streak is lost to many other races
const MOST_RIVALS = 24; // an entry names at most this many rivals
const DAY_MS = 86_400_000;
const LONGEST_TEXT = 250; // the longest text that an entry may have; a saved file can contain anything

const isText = (/** @type {unknown} */ value) =>
  typeof value === 'string' && value.length <= LONGEST_TEXT;
const isNumber = (/** @type {unknown} */ value) => Number.isFinite(value);
const isNumberOrNone = (/** @type {unknown} */ value) => value === null || isNumber(value);
const isTime = (/** @type {any} */ value) => isNumber(value) && isNumber(new Date(value).getTime());

/** The parts of an entry, each with a check of its value: stored text may be damaged. @type {Record<keyof Entry, (value: any) => boolean>} */
const PARTS = {
  id: isText,
  at: isTime,
  kind: isText,
  game: isText,
  place: isNumberOrNone,
  of: isNumber,
  won: (value) => typeof value === 'boolean',
  ms: isNumberOrNone,
  score: isNumber,
  moves: isNumber,
  link: (value) => isText(value) && /^\/(?![/\\])/.test(value), // no other server
  rivals: (value) => Array.isArray(value) && value.every(isText),
  day: (value) => value === null || (/^\d{4}-\d\d-\d\d$/.test(value) && isTime(Date.parse(value))),
  gaveUp: (value) => value == null || typeof value === 'boolean', // entries of earlier versions lack it
};

/** Return the values of an entry in the order of `PARTS`. @param {any} entry @returns {EntryRow} */
const rowOf = (entry) => Object.keys(PARTS).map((name) => entry[name] ?? null);

/** Return entries as rows, for storing them. @param {readonly Entry[]} entries @returns {EntryRow[]} */
export const rowsOf = (entries) => entries.map(rowOf);

/** Return the entries of stored rows in the same order, skipping damaged ones. @param {unknown} rows @returns {Entry[]} */
export function entriesOf(rows) {
  const parts = Object.entries(PARTS);
  const isWhole = (/** @type {any} */ row) =>
    Array.isArray(row) && parts.every(([, isRight], i) => isRight(row[i]));
  /** @param {any} row @returns {any} */
  const entryIn = (row) => Object.fromEntries(parts.map(([name], i) => [name, row[i] ?? null]));
  return Array.isArray(rows) ? rows.filter(isWhole).map(entryIn) : [];
}

/**
 * Return the entries of a saved file of any version, without damaged ones. Null if it is another kind of file.
 * @param {string} text
 * @param {number} nowMs entries dated more than a day after this are left out
 * @returns {Entry[] | null}
 */
export function entriesInFile(text, nowMs) {
  try {
    const saved = /** @type {any[]} */ (JSON.parse(text));
    // Links in files have the server's address, which may have changed since.
    const rows = saved.map((each) =>
      rowOf({ ...each, link: String(each?.link).replace(/^https?:\/\/[^/]+/, '') }),
    );
    const whole = entriesOf(rows).filter(({ at }) => at <= nowMs + DAY_MS);
    if (whole.length === 0 && saved.length > 0) return null;
    whole.sort((one, other) => other.at - one.at);
    return whole
      .slice(0, MOST_ENTRIES)
      .map((each) => ({ ...each, rivals: each.rivals.map(isolated) }));
  } catch {
    return null;
  }
}

/**
 * Add an entry, newest first. Beyond the limit the oldest are dropped, but none that a streak of days needs.
 * @param {readonly Entry[]} entries @param {Entry} entry @returns {Entry[]}
 */
export function addEntry(entries, entry) {
  const added = { ...entry, rivals: entry.rivals.slice(0, MOST_RIVALS) };
  const all = [added, ...entries.filter(({ id }) => id !== entry.id)];
  all.sort((one, other) => other.at - one.at);
  /** The newest entry of each of the latest days. @type {Map<string, Entry>} */
  const days = new Map();
  for (const each of all)
    if (each.kind === 'day' && each.day && !days.has(each.day) && days.size < MOST_DAYS)
      days.set(each.day, each);
  const ofDays = new Set(days.values());
  const others = all.filter((each) => !ofDays.has(each)).slice(0, MOST_ENTRIES - ofDays.size);
  const staying = new Set([...ofDays, ...others]);
  return all.filter((each) => staying.has(each));
}

/**
 * Parse a path of cards, which says where a game's cards come from: `DAY/GAME` from a day's race, `DAY/GAME/ENTRY` from
 * a game on its board, `CODE/N/SEAT` from a finished game of a room. With `+ACTS` at the end the new game continues
 * that game after this number of acts.
 * @param {string} cards '' for a new deal
 */
export function parseCards(cards) {
  const [path = '', acts] = cards.split('+');
  const [first = '', second = '', last = ''] = path.split('/');
  const isOfDay = first.includes('-');
  const [day, game, entry] = isOfDay ? [first, second, last] : ['', '', ''];
  const [code, n, seat] = isOfDay ? ['', 0, -1] : [first, Number(second), Number(last)];
  const isGame = last !== ''; // whether it names a game that somebody has played, not only a day's deal
  return { day, game, entry, code, n, seat, isGame, isContinued: acts !== undefined };
}

/** Return the entry of a game of the day before its result is known. @param {string} cards `DAY/GAME` @param {number} [at] its start, in ms @returns {Entry} */
export function startedDayEntry(cards, at = 0) {
  const { day, game } = parseCards(cards);
  const none = { place: null, of: 0, won: false, ms: null, score: 0, moves: 0, rivals: [] };
  return { ...none, id: cards, at, kind: 'day', game, link: `/d/${cards}`, day };
}

/** @typedef {{n: number, ranking: readonly Standing[], winners: readonly number[]}} Over of a finished round; `winners` by seat */

/** Return an entry's place, number of ranked players and rivals. @param {Omit<Over, 'n'>} over @param {Standing} own this player's row */
function placesIn({ ranking, winners }, own) {
  const ranked = ranking.filter(({ place }) => place !== null);
  return {
    place: winners.length > 0 ? shownPlace(own) : null, // no winner: none finished, or the open race goes on
    of: ranked.length,
    rivals: ranked.filter((each) => each !== own).map(({ name }) => name),
  };
}

/** Return whether an entry's open race is still on; until its end the link leads to the room. @param {Entry} entry */
export const isOpen = ({ id, link }) => link === `/r/${parseCards(id).code}`;

/**
 * Return the entry of an open race that is over: with the final places, and a link to the result.
 * @param {Entry} entry made during the race @param {Omit<Over, 'n'>} over @returns {Entry}
 */
export function closedEntry(entry, over) {
  const { score, moves, ms } = entry;
  // An entry doesn't say which seat it was, but no other player has the same figures to the millisecond.
  const own = over.ranking.find(
    (each) => each.score === score && each.moves === moves && each.finished_ms === ms,
  );
  return { ...entry, ...(own && placesIn(over, own)), link: `/r/${entry.id}` };
}

/**
 * Return the entry for a race that is over.
 * @param {State} state
 * @param {Over & {isOpen?: boolean}} over `isOpen` if only this player's game is over, and the open race goes on
 * @param {number} nowMs the server's time, used as the end as long as the room has none
 * @returns {Entry | null} null if this person has not played in it
 */
export function entryOf(state, over, nowMs) {
  const { n, ranking } = over;
  const { room, me } = state;
  const own = ranking.find(({ seat }) => seat === me?.seat);
  // After this player has left, another person may have taken the seat.
  if (!room || !own || own.name !== mySeat(state)?.name || own.has_acted === false) return null;
  const round = room.round?.n === n ? room.round : null;
  const { cards = '', key, ended, t0 = nowMs } = round ?? {}; // `cards` names the game to play; '' for a new deal
  const { isGame, isContinued } = parseCards(cards);
  if (isContinued) return null; // a continued game does not count
  const id = `${room.code}/${n}`;
  const alone = isGame ? 'ghost' : 'practice'; // 'ghost': against an earlier game
  const kind = isPractice(room) ? alone : 'race';
  const ofRoom = { id, kind, link: `/r/${over.isOpen ? room.code : id}` };
  // In an open race each game has its own end.
  const ownEnd = isOpenRace(room) ? t0 + (own.late_ms ?? 0) + (own.finished_ms ?? 0) : null;
  const { rivals, ...place } = placesIn(over, own);
  return {
    // The place in today's race is added later, from the board of the day.
    ...(key === undefined ? { ...ofRoom, ...place } : startedDayEntry(cards)),
    rivals,
    at: ownEnd ?? ended ?? nowMs,
    game: room.settings.game,
    won: own.won,
    ms: own.finished_ms,
    score: own.score,
    moves: own.moves,
    gaveUp: own.state === 'FORFEIT' && !own.won,
  };
}

/** Return whether a game was won or played to its end. @param {Entry} entry */
export const hasFinished = ({ won, ms, gaveUp }) => won || (ms !== null && !gaveUp);

/**
 * Return how many days in a row the race was finished, up to today or yesterday: today's race can still be played.
 * @param {readonly Entry[]} entries
 * @param {string} today the date in UTC, as the entries have it
 */
export function streakOf(entries, today) {
  const finished = entries.filter((each) => each.kind === 'day' && hasFinished(each));
  const days = new Set(finished.map(({ day }) => day));
  const wasFinished = (/** @type {number} */ ago) =>
    days.has(new Date(Date.parse(today) - ago * DAY_MS).toISOString().slice(0, 10));
  const first = wasFinished(0) ? 0 : 1;
  let daysAgo = first;
  while (wasFinished(daysAgo)) daysAgo += 1;
  return daysAgo - first;
}
