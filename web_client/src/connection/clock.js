// The server's clock, estimated from the exchange with the shortest round trip.

/**
 * @typedef {{offset: number, trip: number}} Sample `offset` is server time minus local time, in ms
 * @typedef {readonly Sample[]} Clock the latest samples
 */

const MAX_SAMPLES = 8;
/** The round trip of a sample without a ping: longer than any measured one, so any is preferred. */
const NO_PING_TRIP_MS = 60_000;

/** @type {Clock} */
export const NO_CLOCK = [];

/**
 * Add the sample of an answered ping.
 * @param {Clock} clock
 * @param {number} sent local time of the ping
 * @param {number} received local time of the pong
 * @param {number} now the server's time in the pong
 * @returns {Clock}
 */
export function addSample(clock, sent, received, now) {
  const trip = Math.max(0, received - sent);
  return [...clock, { offset: now + trip / 2 - received, trip }].slice(-MAX_SAMPLES);
}

/**
 * Return a clock that keeps its estimate only until the next ping is answered: for a new connection,
 * or if the local clock may have stopped.
 * @param {Clock} clock
 * @returns {Clock}
 */
export function carriedOver(clock) {
  const offset = serverTime(clock, 0);
  return clock.length > 0 ? [{ offset, trip: NO_PING_TRIP_MS }] : clock;
}

/**
 * Start a clock by a first guess, from a message that does not answer a ping.
 * @param {Clock} clock
 * @param {number} received local time
 * @param {number} now the server's time in the message
 * @returns {Clock} the same one if there are samples already
 */
export function firstGuess(clock, received, now) {
  return clock.length > 0 ? clock : [{ offset: now - received, trip: NO_PING_TRIP_MS }];
}

/**
 * Return the server's time.
 * @param {Clock} clock
 * @param {number} local time
 */
export function serverTime(clock, local) {
  let best = clock[0];
  for (const each of clock) if (best && each.trip < best.trip) best = each;
  return local + (best?.offset ?? 0);
}
