// What this browser remembers: the name, seats in rooms, and preferences. Storage can be forbidden.

const PREFIX = 'spider-race.';
const SEATS_KEPT = 24;

/** @param {string} key @returns {any} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A private window or a full disk: the page works, but remembers nothing.
  }
}

/**
 * @typedef {{seat: number, token: string}} StoredSeat
 * @returns {Record<string, StoredSeat>} by room code, oldest first
 */
const seats = () => read('seats') ?? {};

/** @param {string} code @returns {StoredSeat | null} */
export const storedSeat = (code) => seats()[code] ?? null;

/** @param {string} code @param {StoredSeat} seat */
export function storeSeat(code, seat) {
  const { [code]: _old, ...others } = seats();
  const kept = Object.entries(others).slice(-SEATS_KEPT + 1);
  write('seats', { ...Object.fromEntries(kept), [code]: seat });
  write('room', code);
}

/** Return the last room of this browser, if its player can go back there. @returns {string | null} */
export const storedRoom = () => read('room');

/** @param {string} code */
export function forgetSeat(code) {
  const { [code]: _old, ...others } = seats();
  write('seats', others);
}

/** Forget a seat that is gone, and the way back to its room. @param {string} code */
export function forgetRoom(code) {
  forgetSeat(code);
  if (storedRoom() === code) write('room', null);
}

/** @returns {string} */
export const storedName = () => String(read('name') ?? '');
/** @param {string} name */
export const storeName = (name) => write('name', name);

/** Return the seats that are muted in a room. @param {string} code @returns {number[]} */
export const mutedIn = (code) => read('silenced')?.[code] ?? [];

/** @param {string} code @param {number[]} muted */
export function storeMuted(code, muted) {
  const { [code]: _old, ...others } = read('silenced') ?? {};
  const kept = Object.entries(others).slice(-SEATS_KEPT + 1);
  write('silenced', { ...Object.fromEntries(kept), [code]: muted });
}

/** Return the event of a room up to which this browser has had its chat, if it has had any. @param {string} code @returns {number | undefined} */
export const heardIn = (code) => read('heard')?.[code];

/** @param {string} code @param {number} v */
export function storeHeard(code, v) {
  const { [code]: _old, ...others } = read('heard') ?? {};
  const kept = Object.entries(others).slice(-SEATS_KEPT + 1);
  write('heard', { ...Object.fromEntries(kept), [code]: v });
}

/** Return the id of this browser, for rooms with one seat for each. @returns {string} */
export function browserId() {
  const known = read('browser');
  if (known) return known;
  const id = Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');
  write('browser', id);
  return id;
}

/** Return whether this player has ever moved a card. */
export const hasMoved = () => read('moved') === true;
export const storeMoved = () => write('moved', true);

/** Return whether this browser has shown how to play. */
export const hasSeenLesson = () => read('lesson') === true;
export const storeLessonSeen = () => write('lesson', true);

/** Return whether this host keeps the rest of the rules unfolded. */
export const opensRules = () => read('rules') === 'open';
/** @param {boolean} open */
export const storeOpensRules = (open) => write('rules', open ? 'open' : 'folded');

/** Return the chosen language, if there is one. @returns {string | null} */
export const storedLanguage = () => read('language');
/** @param {string} language */
export const storeLanguage = (language) => write('language', language);

/**
 * The values of each preference; the first is the default.
 *
 * @typedef {'baize' | 'lagoon' | 'midnight' | 'plum' | 'claret' | 'walnut' | 'slate' | 'coal'
 *   | 'fern' | 'olive' | 'copper' | 'ruby' | 'rose' | 'violet' | 'cobalt' | 'emerald'} Table
 * @typedef {object} Preferences
 * @property {Table} table the background of the board
 * @property {'two' | 'four' | 'strong'} cards two colours, four, or large print in strong colours
 * @property {'english' | 'german'} indices the letters on the cards: J, Q, K or B, D, K
 * @property {'auto' | 'light' | 'dark'} light
 * @property {'auto' | 'less'} motion
 * @property {boolean} muted
 * @property {number} volume in percent
 * @property {boolean} haptics whether a phone vibrates
 * @property {'auto' | 'on' | 'off'} oneTap whether a tap makes the best move; `auto` that of a finger
 * @property {boolean} confirmDeal ask before each deal, and each new game by the keys of 1987
 * @property {'auto' | 'on' | 'off'} faceDown counts of face-down cards over the columns
 * @property {'at-once' | 'on-request'} reasons when the reason of an illegal move is shown
 * @property {boolean} letterKeys whether single letters act while the board has the focus
 * @property {'modern' | 'classic'} keys
 * @property {boolean} moveBox whether the box for typed moves is shown
 * @property {boolean} notify whether a start is told by a notification, if the browser allows it
 */

/** @type {{readonly [K in keyof Preferences]: readonly [Preferences[K], ...Preferences[K][]]}} */
export const CHOICES = {
  // biome-ignore format: a row a sheet
  table: [
    'baize', 'lagoon', 'midnight', 'plum', 'claret', 'walnut', 'slate', 'coal',
    'fern', 'olive', 'copper', 'ruby', 'rose', 'violet', 'cobalt', 'emerald',
  ],
  cards: ['two', 'four', 'strong'],
  indices: ['english', 'german'],
  light: ['auto', 'light', 'dark'],
  motion: ['auto', 'less'],
  muted: [false, true],
  volume: [60, 0, 10, 20, 30, 40, 50, 70, 80, 90, 100],
  haptics: [true, false],
  oneTap: ['auto', 'on', 'off'],
  confirmDeal: [false, true],
  faceDown: ['auto', 'on', 'off'],
  reasons: ['at-once', 'on-request'],
  letterKeys: [true, false],
  keys: ['modern', 'classic'],
  moveBox: [false, true],
  notify: [false, true],
};

/** @type {Partial<Preferences>} */
const known = {};
/** @type {Set<(name: keyof Preferences) => void>} */
const listeners = new Set();

/** @template {keyof Preferences} K @param {K} name @returns {Preferences[K]} */
export function preference(name) {
  const remembered = known[name];
  if (remembered !== undefined) return remembered;
  const stored = read(name);
  const value = CHOICES[name].find((each) => each === stored) ?? CHOICES[name][0];
  known[name] = value;
  return value;
}

/** @template {keyof Preferences} K @param {K} name @param {Preferences[K]} value */
export function prefer(name, value) {
  known[name] = value;
  write(name, value);
  for (const listener of listeners) listener(name);
}

/** Set the next value, and after the last the first. @param {keyof Preferences} name */
export function preferNext(name) {
  /** @type {readonly unknown[]} */
  const choices = CHOICES[name];
  const next = choices[(choices.indexOf(preference(name)) + 1) % choices.length];
  prefer(name, /** @type {never} */ (next));
}

/** Call a listener after every change. @param {(name: keyof Preferences) => void} listener @returns {() => void} the unbinder */
export function onPreference(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
