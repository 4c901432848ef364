// The server's clock, estimated from the exchange with the smallest round trip.

/**
 * @typedef {{offset: number, trip: number}} Sample `offset` is server time less local time
 * @typedef {readonly Sample[]} Clock the latest samples
 */

const KEPT = 8;
/** A message that was not asked for tells the time too, only worse than any answered ping. */
const UNASKED_TRIP = 60_000;

/** @type {Clock} */
export const NO_CLOCK = [];

/**
 * @param {Clock} clock
 * @param {number} sent local time of the ping
 * @param {number} heard local time of the pong
 * @param {number} now the server's time in it
 * @returns {Clock}
 */
export function sample(clock, sent, heard, now) {
  const trip = Math.max(0, heard - sent);
  return [...clock, { offset: now + trip / 2 - heard, trip }].slice(-KEPT);
}

/**
 * What is left of the clock on a new connection: good enough until a ping is answered.
 *
 * @param {Clock} clock
 * @returns {Clock}
 */
export function worn(clock) {
  const offset = serverTime(clock, 0);
  return clock.length > 0 ? [{ offset, trip: UNASKED_TRIP }] : clock;
}

/**
 * A first guess from a message nobody asked for; used until a ping is answered.
 *
 * @param {Clock} clock
 * @param {number} heard
 * @param {number} now
 * @returns {Clock}
 */
export function hint(clock, heard, now) {
  return clock.length > 0 ? clock : [{ offset: now - heard, trip: UNASKED_TRIP }];
}

/**
 * @param {Clock} clock
 * @param {number} local
 * @returns {number} the server's time
 */
export function serverTime(clock, local) {
  let best = clock[0];
  for (const each of clock) if (best && each.trip < best.trip) best = each;
  return local + (best?.offset ?? 0);
}
