// The history of this browser's own races and days: what is kept of each, adding one, and the streak of days.
// An entry that comes again replaces the one with its id: a race is seen anew after each reload, and a day
// that has begun gets its result later. `browser/history.js` stores the history, and is what others use:
// `keepEntry(entry)`, `keptEntries()` and `streakOf(entries, today)`. Pure.

import { isolated } from '../contract/text.js';
import { isOpenRace, isPractice, mySeat, shownPlace } from './state.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {State} from './state.js'
 *
 * @typedef {object} Entry a finished race, or a day
 * @property {string} id such as `CODE/n`
 * @property {number} at when it ended, in ms since the epoch
 * @property {string} kind `race`, `practice`, `day` or `ghost`; a newer page may know more
 * @property {string} game
 * @property {number | null} place null if the game was not ranked
 * @property {number} of how many players were ranked
 * @property {boolean} won whether all cards went home, as the second player of a race may do, too
 * @property {number | null} ms the own time to the game's end
 * @property {number} score
 * @property {number} moves
 * @property {string} link the path of its page; in an open window, of its room
 * @property {readonly string[]} rivals the names of the other ranked players, best first
 * @property {string | null} [day] the date of a day's race, `YYYY-MM-DD` in UTC
 * @property {boolean | null} [gaveUp] null in entries of earlier versions
 * @typedef {readonly unknown[]} EntryRow the values of an entry in the order of `PARTS`, without their names
 */

const MOST_ENTRIES = 500;
/** The days of which one entry stays while others go, so that races end no streak. */
const MOST_DAYS = 365;
/** The rivals that are kept of a race; more only take space. */
const MOST_RIVALS = 24;
const DAY_MS = 86_400_000;
/** We write no longer texts, but a saved file may have any. */
const LONGEST = 250;

const isText = (/** @type {unknown} */ value) =>
  typeof value === 'string' && value.length <= LONGEST;
const isNumber = (/** @type {unknown} */ value) => Number.isFinite(value);
const isNumberOrNone = (/** @type {unknown} */ value) => value === null || isNumber(value);
const isTime = (/** @type {any} */ value) => isNumber(value) && isNumber(new Date(value).getTime());

/** The parts of an entry, and what each may be: the text in the storage may be damaged. @type {Record<keyof Entry, (value: any) => boolean>} */
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

/** @param {any} entry @returns {EntryRow} */
const rowOf = (entry) => Object.keys(PARTS).map((name) => entry[name] ?? null);

/** Return the rows of entries, which are what is stored. @param {readonly Entry[]} entries @returns {EntryRow[]} */
export const rowsOf = (entries) => entries.map(rowOf);

/** Return the entries of stored rows, newest first, without those that are damaged. @param {unknown} rows @returns {Entry[]} */
export function entriesOf(rows) {
  const parts = Object.entries(PARTS);
  const isWhole = (/** @type {any} */ row) =>
    Array.isArray(row) && parts.every(([, isRight], i) => isRight(row[i]));
  const whole = Array.isArray(rows) ? rows.filter(isWhole) : [];
  /** @type {(row: EntryRow) => any} */
  const entryIn = (row) => Object.fromEntries(parts.map(([name], i) => [name, row[i] ?? null]));
  return whole.map(entryIn);
}

/**
 * Return the entries in the text of a saved file, of this or another version, without those that are damaged;
 * null if it is no such file.
 * @param {string} text
 * @param {number} now no entry is newer
 * @returns {Entry[] | null}
 */
export function entriesInFile(text, now) {
  try {
    /** @type {any[]} */
    const saved = JSON.parse(text);
    // Links are whole, and may have another address of this server.
    const rows = saved.map((each) =>
      rowOf({ ...each, link: String(each?.link).replace(/^https?:\/\/[^/]+/, '') }),
    );
    const whole = entriesOf(rows).filter(({ at }) => at <= now + DAY_MS);
    if (whole.length === 0 && saved.length > 0) return null;
    whole.sort((one, other) => other.at - one.at);
    return whole
      .slice(0, MOST_ENTRIES)
      .map((each) => ({ ...each, rivals: each.rivals.map(isolated) }));
  } catch {
    return null;
  }
}

/** Return entries with one more, newest first, without the oldest ones beyond the limit. @param {readonly Entry[]} entries @param {Entry} entry @returns {Entry[]} */
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
 * Return what a path of cards names: `DAY/GAME` the race of a day, `DAY/GAME/ENTRY` a game of its board, `CODE/N/SEAT`
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

/** Return the entry of a game of the day that has begun. @param {string} cards its date and game @param {number} [at] @returns {Entry} */
export function begunDay(cards, at = 0) {
  const { day, game } = parseCards(cards);
  const none = { place: null, of: 0, won: false, ms: null, score: 0, moves: 0, rivals: [] };
  return { ...none, id: cards, at, kind: 'day', game, link: `/d/${cards}`, day };
}

/** @typedef {{n: number, ranking: readonly Standing[], winners: readonly number[]}} Over */

/** Return what an entry says about the others of a finished race. @param {Omit<Over, 'n'>} over @param {Standing} own */
function placesIn({ ranking, winners }, own) {
  const ranked = ranking.filter(({ place }) => place !== null);
  return {
    place: winners.length > 0 ? shownPlace(own) : null, // without a winner nobody finished
    of: ranked.length,
    rivals: ranked.filter((each) => each !== own).map(({ name }) => name),
  };
}

/** Return whether an entry waits for the end of its window: until then its link leads to the room. @param {Entry} entry */
export const isOpen = ({ id, link }) => link === `/r/${parseCards(id).code}`;

/** Return the entry of an open window, completed once that is over. @param {Entry} entry @param {Omit<Over, 'n'>} over @returns {Entry} */
export function closedEntry(entry, over) {
  const { score, moves, ms } = entry;
  // The entry has no seat, but nobody else has these figures, to the millisecond.
  const own = over.ranking.find(
    (each) => each.score === score && each.moves === moves && each.finished_ms === ms,
  );
  return { ...entry, ...(own && placesIn(over, own)), link: `/r/${entry.id}` };
}

/**
 * Return the entry of a race that is over; null for a person who did not play it.
 * @param {State} state
 * @param {Over & {isOpen?: boolean}} over in an open window only this player's game is
 * @param {number} now the server's time, which stands for the end until the room has that
 * @returns {Entry | null}
 */
export function entryOf(state, over, now) {
  const { n, ranking } = over;
  const { room, me } = state;
  const own = ranking.find(({ seat }) => seat === me?.seat);
  // The seat of a player who has left may be another person's by now.
  if (!room || !own || own.name !== mySeat(state)?.name || own.has_acted === false) return null;
  const { cards = '', key, ended, t0 = now } = (room.round?.n === n && room.round) || {};
  const { isGame, isContinued } = parseCards(cards);
  if (isContinued) return null; // it was only another try
  const ofOne = isGame ? 'ghost' : 'practice';
  const id = `${room.code}/${n}`;
  const kind = isPractice(room) ? ofOne : 'race';
  const places = placesIn(over, own);
  const ofRoom = { ...places, id, kind, link: `/r/${over.isOpen ? room.code : id}` };
  // In a window each game ends at its own time, which the others' games do not change.
  const ownEnd = isOpenRace(room) ? t0 + (own.late_ms ?? 0) + (own.finished_ms ?? 0) : null;
  return {
    ...(key === undefined ? ofRoom : begunDay(cards)), // its place comes with the board of the day
    at: ownEnd ?? ended ?? now,
    game: room.settings.game,
    won: own.won,
    ms: own.finished_ms,
    score: own.score,
    moves: own.moves,
    rivals: places.rivals,
    gaveUp: own.state === 'FORFEIT' && !own.won,
  };
}

/** Return whether a game was won, or played to its end. @param {Entry} entry */
export const hasFinished = ({ won, ms, gaveUp }) => won || (ms !== null && !gaveUp);

/**
 * Return how many days in a row have a finished game of today's race. The last of them is today or yesterday:
 * today's race can still be played.
 * @param {readonly Entry[]} entries
 * @param {string} today the date in UTC, as the entries have it
 */
export function streakOf(entries, today) {
  const finished = entries.filter((each) => each.kind === 'day' && hasFinished(each));
  const days = new Set(finished.map(({ day }) => day));
  /** Return whether a day has one. @param {number} back days before today */
  const has = (back) =>
    days.has(new Date(Date.parse(today) - back * DAY_MS).toISOString().slice(0, 10));
  const first = has(0) ? 0 : 1;
  let n = first;
  while (has(n)) n += 1;
  return n - first;
}
