// What this browser remembers: the name, seats in rooms, taste. Storage may be forbidden.

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
    // A private window or a full disk: the page works, it only forgets.
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
}

/** @param {string} code */
export function forgetSeat(code) {
  const { [code]: _old, ...others } = seats();
  write('seats', others);
}

/** @returns {string} */
export const storedName = () => String(read('name') ?? '');
/** @param {string} name */
export const storeName = (name) => write('name', name);

/** The language that was chosen, if one was. @returns {string | null} */
export const storedLanguage = () => read('language');
/** @param {string} language */
export const storeLanguage = (language) => write('language', language);

/** @typedef {'muted' | 'fourColours'} Taste */

/** @param {Taste} taste @returns {boolean} */
export const likes = (taste) => read(taste) === true;
/** @param {Taste} taste @param {boolean} value */
export const setLiking = (taste, value) => write(taste, value);
