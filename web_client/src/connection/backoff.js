// Whether and when something that failed is tried again: the connection, and files. Pure.

import { CloseCode, FIRST_FINAL_CODE } from '../contract/protocol.js';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** The longest delay before players reconnect whose server is being replaced. */
const MOVED_DELAY_MS = 250;
/** A connection that had its seat for this time has worked: earlier failures no longer count. */
const STEADY_MS = 5_000;
/** The normal closure of RFC 6455: this player has left. */
const NORMAL_CLOSURE = 1_000;

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

/**
 * Return the wait before a lost connection is opened again. A server that is being replaced has a
 * successor that already serves, so its players reconnect at once, a little apart.
 * @param {number} failures so far
 * @param {number} chance 0 to 1
 * @param {number} [code] of the close
 * @returns {number} in ms
 */
export function backoff(failures, chance, code = 0) {
  if (code === CloseCode.DRAINING && failures === 0) return chance * MOVED_DELAY_MS;
  return jitteredWait(failures, chance);
}

/**
 * Return the failures that still count after the loss of a connection that had its seat for some
 * time. They still count after a short time: the server may seat a player and close at once, again
 * and again.
 * @param {number} failures
 * @param {number} joinedFor in ms
 */
export const failuresAfter = (failures, joinedFor) => (joinedFor < STEADY_MS ? failures : 0);

/** Return whether the client reconnects after a close code. @param {number} code */
export const reconnects = (code) => code !== NORMAL_CLOSURE && code < FIRST_FINAL_CODE;
