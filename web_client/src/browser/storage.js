// What this browser stores: the player's name, seats in rooms, preferences, and the offline page. If the browser
// forbids storage, values last as long as the page. A seat lasts as long as its room is in the tab's history.

import { drawId } from '../contract/text.js';

/** @import {Best} from '../state/next-game.js' */

const PREFIX = 'spider-race.';
const IDS_KEPT = 24; // values by id, such as a room's code, are kept for this many ids

/** The values that could not be stored. @type {Map<string, unknown>} */
const unstorable = new Map();

/** Return a stored value, or null if there is no readable one. @param {string} key @returns {any} */
function readStored(key) {
  if (unstorable.has(key)) return unstorable.get(key);
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null');
  } catch {
    return null;
  }
}

/** Store a value or, if that is impossible, keep it while the page is open. @param {string} key @param {unknown} value */
function store(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    unstorable.delete(key);
  } catch {
    // The browser blocks all cookies, or the disk is full.
    unstorable.set(key, value);
  }
}

/** The values kept under a name, with their defaults. */
const KEPT = {
  name: '',
  language: /** @type {string | null} */ (null),
  room: /** @type {string | null} the last room, if the player can go back there */ (null),
  race: /** @type {string | null} the room of this player's race, while it may be on */ (null),
  moved: false, // whether the player has ever made an act
  lesson: false, // whether the lesson was shown
  'asked-first': false, // whether the first questions of the 1987 program were asked
  log: /** @type {unknown} the events of the latest race */ (null),
  history: /** @type {unknown} the races, as `browser/history.js` writes them */ (null),
  /** The first race against each ghost: its cards and player, and whether this player won; null for a draw. */
  duels: /** @type {{cards: string, name: string, won: boolean | null}[]} */ ([]),
  forgotten: 0, // the end of the newest race that was deleted from the history, in ms
  rules: 'folded', // whether the host has left the further rules of the form `folded` or `open`
};

/** Return the value kept under a name. @template {keyof typeof KEPT} K @param {K} name @returns {typeof KEPT[K]} */
export const kept = (name) => readStored(name) ?? KEPT[name];

/** Keep a value under a name. @template {keyof typeof KEPT} K @param {K} name @param {typeof KEPT[K]} value */
export function keep(name, value) {
  if (kept(name) !== value) store(name, value);
}

/**
 * Values kept by id. For a room's code: the latest chat event received (`heard`) and shown (`read`), and the muted
 * players. For a game: the best practice result, and that game's course once known. For a game of a day, `DAY/GAME`:
 * the key of this player's game (`day`), and the room where its player can still add their name (`unsigned`).
 * @typedef {{heard: number, read: number, silenced: [seat: number, name: string][], 'best-game': Best,
 *   'best-course': BestCourse | null, day: string, unsigned: string | null}} KeptById
 * @typedef {{ms: number[], score: number[], suits: number[], end: number, won: boolean}} BestCourse the times when the
 *   score or the suits of a game changed, their values from then on, and the time of its end
 */

/** Return the value kept for an id, or null. @template {keyof KeptById} K @param {K} kind @param {string} id @returns {KeptById[K] | null} */
export const keptOf = (kind, id) => readStored(kind)?.[id] ?? null;

/** Keep a value for an id, and drop the oldest id if there are too many. @template {keyof KeptById} K @param {K} kind @param {string} id @param {KeptById[K]} value */
export function keepOf(kind, id, value) {
  const { [id]: _old, ...others } = readStored(kind) ?? {};
  const latest = Object.entries(others).slice(-IDS_KEPT + 1);
  store(kind, { ...Object.fromEntries(latest), [id]: value });
}

/** Return the best practice result in a game, taken from its stored course if there is one. Only a win has a time. @param {string} game @returns {Best | null} */
export function bestOf(game) {
  const course = keptOf('best-course', game);
  if (!course) return keptOf('best-game', game);
  return { score: course.score.at(-1) ?? 0, ms: course.won ? course.end : null };
}

/**
 * Return the stored seats. `until` is the end of the running game or open race, in ms since the epoch; it is 0 in a
 * practice room after the game, and undefined in the lobby or after a race.
 * @typedef {{seat: number, token: string}} StoredSeat
 * @typedef {{name: string, raced?: number | undefined}} KeptTable a kept table and its last race, in ms since the epoch
 * @typedef {StoredSeat & {until?: number | undefined, table?: KeptTable | undefined}} SeatRecord
 * @returns {Record<string, SeatRecord>} by room code, oldest first
 */
const seats = () => readStored('seats') ?? {};

/** Return a room's seat for the tab's history if it could not be stored. (It must not be in the address, which players share.) @param {string} code */
export function seatInHistory(code) {
  const seat = unstorable.has('seats') ? seats()[code] : undefined;
  return seat ? { seats: { [code]: seat } } : {};
}

/** If the room is shown, keep its seat in the tab's history only if it could not be stored. @param {string} code */
function updateHistoryEntry(code) {
  if (location.pathname !== `/r/${code}`) return;
  const { seats: _old, ...others } = history.state ?? {};
  history.replaceState({ ...others, ...seatInHistory(code) }, '', location.pathname);
}

/** Return this browser's seat in a room. @param {string} code @returns {StoredSeat | null} */
export function storedSeat(code) {
  const { seat, token } = seats()[code] ?? history.state?.seats?.[code] ?? {};
  return token ? { seat, token } : null;
}

/** Store a seat, and remember its room as the last one. If there are too many seats, forget some without a game in progress. @param {string} code @param {StoredSeat} seat */
export function storeSeat(code, seat) {
  const { [code]: old, ...others } = seats();
  // Nobody can return to a game without the seat's token, so keep the tokens of running games. First drop the seats in
  // practice rooms and open races that are over, then the seats that have no `until`, such as seats in lobbies.
  const idle = Object.entries(others).filter(([, { until = 0 }]) => until <= Date.now());
  idle.sort(([, a], [, b]) => Number(a.until === undefined) - Number(b.until === undefined));
  const tooMany = Math.max(0, Object.keys(others).length + 1 - IDS_KEPT);
  for (const [each] of idle.slice(0, tooMany)) delete others[each];
  store('seats', { ...others, [code]: { ...old, ...seat } });
  keep('room', code);
  updateHistoryEntry(code);
}

/** Move a seat that an earlier version wrote into the address, with its token, to the storage. @param {string} code */
export function takeSeatFromAddress(code) {
  const [, seat, token] = /^#seat=(\d+)\.([\w-]+)$/.exec(location.hash) ?? [];
  if (!token) return;
  history.replaceState(history.state, '', location.pathname);
  if (!storedSeat(code)) storeSeat(code, { seat: Number(seat), token });
}

/** Remove the one-time code of a seat from the address, before anything can show or keep it, and return it, or ''. */
export function takeCodeFromAddress() {
  const [, code = ''] = /^#seat=([\w-]+)$/.exec(location.hash) ?? [];
  if (code) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

/** Update `until` and `table` of a stored seat. @param {string} code @param {SeatRecord['until']} until see `seats` @param {KeptTable} [table] */
export function keepSeatFacts(code, until, table) {
  const known = seats()[code];
  const raced = table?.raced ?? known?.table?.raced; // keep the time of the last race until there is a new one
  const next = { ...known, until, table: table && { ...table, raced } };
  if (known && JSON.stringify(next) !== JSON.stringify(known))
    store('seats', { ...seats(), [code]: next });
}

/** Return the kept tables where this browser has a seat, those that raced most recently first. */
export const keptTables = () =>
  Object.entries(seats())
    .flatMap(([code, { table }]) => (table ? [{ code, ...table }] : []))
    .sort((a, b) => (b.raced ?? 0) - (a.raced ?? 0));

/** @param {string} code */
export function forgetSeat(code) {
  const { [code]: _old, ...others } = seats();
  store('seats', others);
  updateHistoryEntry(code);
}

/** Forget a room's seat, and that it was the last room. @param {string} code */
export function forgetRoom(code) {
  forgetSeat(code);
  if (kept('room') === code) keep('room', null);
}

/** Return the names of a room's muted players by seat. (Earlier versions stored no names.) @param {string} code @returns {Map<number, string>} */
export const mutedIn = (code) => new Map(keptOf('silenced', code)?.filter(Array.isArray));

/**
 * Return whether a player is muted. The name must match too, since another person may get the same seat later.
 * @param {ReadonlyMap<number, string>} muted names by seat @param {number} seat @param {string} name
 */
export const isMuted = (muted, seat, name) => muted.get(seat) === name;

/** Store a room's muted players. @param {string} code @param {ReadonlyMap<number, string>} muted names by seat */
export const storeMuted = (code, muted) => keepOf('silenced', code, [...muted]);

/** Return this browser's id: some rooms give each browser only one seat. @returns {string} */
export function browserId() {
  const id = readStored('browser') ?? drawId();
  store('browser', id);
  return id;
}

/** The values of each preference; the first is the default. */
export const CHOICES = /** @type {const} */ ({
  table: [
    ...['baize', 'lagoon', 'fern', 'emerald', 'midnight', 'plum', 'violet', 'cobalt'],
    ...['claret', 'ruby', 'rose', 'walnut', 'olive', 'copper', 'slate', 'coal'],
  ], // the background of the board
  cards: ['two', 'four', 'strong'], // two colours, four, or large print in strong colours
  backs: ['blue', 'red'],
  indices: ['english', 'german'], // the letters on the cards: J, Q, K or B, D, K
  light: ['auto', 'light', 'dark'],
  removed: ['up', 'down'], // whether completed suits lie face up or face down
  motion: ['auto', 'less'],
  muted: [false, true],
  volume: [60, 0, 10, 20, 30, 40, 50, 70, 80, 90, 100], // in percent
  haptics: [true, false], // whether a phone vibrates
  oneTap: ['auto', 'on', 'off'], // whether a tap makes the best move; `auto`: only with a finger
  confirmDeal: [false, true], // ask before each deal and, with the keys of 1987, each new game
  faceDown: ['auto', 'on', 'off'], // whether columns show the number of their face-down cards
  reasons: ['at-once', 'on-request'], // when the page says why a move is illegal
  keys: ['modern', 'classic'], // `classic`: as in the DOS program of 1987
  letterKeys: [true, false], // whether single letters act while the board has the focus
  moveBox: [false, true], // whether the box for typed moves is shown
  pace: ['club', 'nobody', 'beginner', 'expert'], // the ghost in today's race
  notify: [false, true], // whether a notification announces a start, if the browser allows it
});

/** @typedef {{-readonly [K in keyof typeof CHOICES]: (typeof CHOICES)[K][number]}} Preferences */

/** The preferences read or set so far. @type {Partial<Preferences>} */
const values = {};
/** @type {Set<(name: keyof Preferences) => void>} */
const listeners = new Set();

/** Return a preference's value. @template {keyof Preferences} K @param {K} name @returns {Preferences[K]} */
export function preference(name) {
  const current = values[name];
  if (current !== undefined) return current;
  /** @type {readonly any[]} */
  const choices = CHOICES[name];
  const stored = readStored(name);
  const value = choices.includes(stored) ? stored : choices[0];
  values[name] = value;
  return value;
}

/** Return whether columns show the number of their face-down cards; by default only with the keys of 1987. */
export function showsFaceDown() {
  const choice = preference('faceDown');
  return choice === 'auto' ? preference('keys') === 'classic' : choice === 'on';
}

/** Return whether one tap or click on a card plays it; by default only a tap does. */
export function playsByOneTap(isTouch = matchMedia('(pointer: coarse)').matches) {
  const choice = preference('oneTap');
  return choice === 'auto' ? isTouch : choice === 'on';
}

/** Set a preference. @template {keyof Preferences} K @param {K} name @param {Preferences[K]} value */
export function prefer(name, value) {
  values[name] = value;
  store(name, value);
  for (const listener of listeners) listener(name);
}

/** Set a preference to its next value; after the last one comes the first. @param {keyof Preferences} name */
export function preferNext(name) {
  /** @type {readonly any[]} */
  const choices = CHOICES[name];
  prefer(name, choices[(choices.indexOf(preference(name)) + 1) % choices.length]);
}

/** Call a listener when a preference is set; return a function that removes it. @param {(name: keyof Preferences) => void} listener */
export function onPreference(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Let the service worker store the offline page; it stores nothing else. */
export async function prepareForOffline() {
  const address = '/service-worker.js';
  // The security headers allow only this policy, which always returns the same address.
  const { trustedTypes } = /** @type {any} */ (window);
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => address });
  await navigator.serviceWorker?.register(policy?.createScriptURL('') ?? address).catch(() => {});
}
