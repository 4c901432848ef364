// The entries in the history of this browser's races and days, and the streak of days. An entry replaces an older
// one with the same id: a race comes again after each reload, and a day gets its result later. Other modules use
// `browser/history.js`, which stores them. Pure.

import { isolated } from '../contract/text.js';
import { isOpenRace, isPractice, mySeat, shownPlace } from './state.js';

/**
 * @import {RoomView, Standing} from '../contract/messages.d.ts'
 * @import {State} from './state.js'
 *
 * @typedef {object} Entry a finished race, or a day
 * @property {string} id such as `CODE/n`
 * @property {number} at when it ended, in ms since the epoch
 * @property {string} kind `race`, `practice`, `day` or `ghost`; a newer page may know more
 * @property {string} game
 * @property {number | null} place null if the game was not ranked
 * @property {number} of how many players were ranked
 * @property {boolean} won whether all cards went home, even if another player won the race
 * @property {number | null} ms how long the player's game took
 * @property {number} score
 * @property {number} moves
 * @property {string} link the path of its page; while an open race is on, of its room
 * @property {readonly string[]} rivals the names of the other ranked players, best first
 * @property {string | null} [day] the date of a day's race, `YYYY-MM-DD` in UTC
 * @property {boolean | null} [gaveUp] null in entries of earlier versions
 * @typedef {readonly unknown[]} EntryRow the values of an entry in the order of `PARTS`, without their names
 */

const MOST_ENTRIES = 500;
const MOST_DAYS = 365; // one entry stays for each of these, so that a streak survives many races
const MOST_RIVALS = 24; // an entry names at most this many rivals
const DAY_MS = 86_400_000;
const LONGEST_TEXT = 250; // the longest text that an entry may have; a saved file can contain anything

const isText = (/** @type {unknown} */ value) =>
  typeof value === 'string' && value.length <= LONGEST_TEXT;
const isNumber = (/** @type {unknown} */ value) => Number.isFinite(value);
const isNumberOrNone = (/** @type {unknown} */ value) => value === null || isNumber(value);
const isTime = (/** @type {any} */ value) => isNumber(value) && isNumber(new Date(value).getTime());

/** The parts of an entry, with a check of each: the text in the storage may be damaged. @type {Record<keyof Entry, (value: any) => boolean>} */
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
  gaveUp: (value) => value == null || typeof value === 'boolean',
};

/** Return the values of an entry in the order of `PARTS`. @param {any} entry @returns {EntryRow} */
const rowOf = (entry) => Object.keys(PARTS).map((name) => entry[name] ?? null);

/** Return entries as rows, for storing them. @param {readonly Entry[]} entries @returns {EntryRow[]} */
export const rowsOf = (entries) => entries.map(rowOf);

/** Return the entries in stored rows, newest first; leave out damaged ones. @param {unknown} rows @returns {Entry[]} */
export function entriesOf(rows) {
  const [names, checks] = [Object.keys(PARTS), Object.values(PARTS)];
  const isWhole = (/** @type {any} */ row) =>
    Array.isArray(row) && checks.every((isRight, i) => isRight(row[i]));
  /** @param {any} row @returns {any} */
  const entryIn = (row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]));
  return Array.isArray(rows) ? rows.filter(isWhole).map(entryIn) : [];
}

/**
 * Return the entries in a saved file of any version; leave out damaged ones. Null if it is another kind of file.
 * @param {string} text
 * @param {number} nowMs entries from more than a day later are left out
 * @returns {Entry[] | null}
 */
export function entriesInFile(text, nowMs) {
  try {
    const saved = /** @type {any[]} */ (JSON.parse(text));
    // Its links have the whole address, and the server may have had another one.
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

/** Add an entry, newest first, and drop the oldest beyond the limit, but no entry that a streak of days needs. @param {readonly Entry[]} entries @param {Entry} entry @returns {Entry[]} */
export function addEntry(entries, entry) {
  const added = { ...entry, rivals: entry.rivals.slice(0, MOST_RIVALS) };
  const all = [added, ...entries.filter(({ id }) => id !== entry.id)];
  all.sort((one, other) => other.at - one.at);
  /** The newest entry of each of the latest days. @type {Map<string, Entry>} */
  const days = new Map();
  for (const each of all)
    if (each.kind === 'day' && each.day && !days.has(each.day) && days.size < MOST_DAYS)
      days.set(each.day, each);
  const staying = new Set(days.values());
  let left = MOST_ENTRIES - staying.size;
  return all.filter((each) => {
    if (staying.has(each)) return true;
    left -= 1;
    return left >= 0;
  });
}

/**
 * Parse a path of cards: `DAY/GAME` for the race of a day, `DAY/GAME/ENTRY` for a game of its board, `CODE/N/SEAT` for
 * a finished game of a room. A game that continues one of these after some acts has `+ACTS` at the end.
 * @param {string} cards '' for a new deal
 */
export function parseCards(cards) {
  const [path = '', acts] = cards.split('+');
  const [first = '', second = '', last = ''] = path.split('/');
  const isOfDay = first.includes('-');
  return {
    ...(isOfDay ? { day: first, game: second, entry: last } : { day: '', game: '', entry: '' }),
    ...(isOfDay
      ? { code: '', n: 0, seat: -1 }
      : { code: first, n: Number(second), seat: Number(last) }),
    /** Whether it is a game that somebody has played, and not only the deal of a day. */
    isGame: last !== '',
    isContinued: acts !== undefined,
  };
}

/** Return the entry for a game of the day before its result is known. @param {string} cards `DAY/GAME` @param {number} [at] its start, in ms since the epoch @returns {Entry} */
export function startedDayEntry(cards, at = 0) {
  const { day, game } = parseCards(cards);
  const none = { place: null, of: 0, won: false, ms: null, score: 0, moves: 0, rivals: [] };
  return { ...none, id: cards, at, kind: 'day', game, link: `/d/${cards}`, day };
}

/** @typedef {{n: number, ranking: readonly Standing[], winners: readonly number[]}} Over of a finished round; `winners` by seat */

/** Return the place, the number of ranked players and the rivals for an entry. @param {Omit<Over, 'n'>} over @param {Standing} own this player's row */
function placesIn({ ranking, winners }, own) {
  const ranked = ranking.filter(({ place }) => place !== null);
  return {
    place: winners.length > 0 ? shownPlace(own) : null, // without a winner nobody finished
    of: ranked.length,
    rivals: ranked.filter((each) => each !== own).map(({ name }) => name),
  };
}

/** Return whether an entry's open race is still on; until its end the link leads to the room. @param {Entry} entry */
export const isOpen = ({ id, link }) => link === `/r/${parseCards(id).code}`;

/** Return an open race's entry after its end: with the final places, and a link to the result. @param {Entry} entry made during the race @param {Omit<Over, 'n'>} over @returns {Entry} */
export function closedEntry(entry, over) {
  const { score, moves, ms } = entry;
  // An entry has no seat, but nobody else has the same figures to the millisecond.
  const own = over.ranking.find(
    (each) => each.score === score && each.moves === moves && each.finished_ms === ms,
  );
  return { ...entry, ...(own && placesIn(over, own)), link: `/r/${entry.id}` };
}

/** Return the kind of game that was played in a room. @param {RoomView} room @param {string} cards the path of its cards (see `parseCards`), or '' */
function kindOf(room, cards) {
  if (!isPractice(room)) return 'race';
  return parseCards(cards).isGame ? 'ghost' : 'practice'; // 'ghost': against an earlier game
}

/**
 * Return the entry for a race that is over.
 * @param {State} state
 * @param {Over & {isOpen?: boolean}} over `isOpen` if the open race goes on, and only this player's game is over
 * @param {number} nowMs the server's time, used as the end until the room has one
 * @returns {Entry | null} null if this person has not played it
 */
export function entryOf(state, over, nowMs) {
  const { n, ranking } = over;
  const { room, me } = state;
  const own = ranking.find(({ seat }) => seat === me?.seat);
  // If the player has left, the seat may be another person's by now.
  if (!room || !own || own.name !== mySeat(state)?.name || own.has_acted === false) return null;
  const { cards = '', key, ended, t0 = nowMs } = (room.round?.n === n && room.round) || {};
  if (parseCards(cards).isContinued) return null; // a continued game does not count
  const id = `${room.code}/${n}`;
  const ofRoom = { id, kind: kindOf(room, cards), link: `/r/${over.isOpen ? room.code : id}` };
  // In an open race each game has its own end.
  const ownEnd = isOpenRace(room) ? t0 + (own.late_ms ?? 0) + (own.finished_ms ?? 0) : null;
  const { rivals, ...place } = placesIn(over, own);
  return {
    // The place in today's race comes later, with the board of the day.
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
 * Return for how many days in a row today's race was finished, up to today or yesterday: today it can still be played.
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
