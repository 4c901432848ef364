// The wait before something that failed is tried again: the same for the connection and for files.

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/**
 * Return the wait before the next try, with full jitter: from half a second to the exponential
 * bound.
 * @param {number} failures so far
 * @param {number} chance 0 to 1
 * @returns {number} in ms
 */
export function jitteredWait(failures, chance) {
  const bound = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures + 1, 10));
  return FIRST_DELAY_MS + chance * (bound - FIRST_DELAY_MS);
}
