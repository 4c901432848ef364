// The line to the server: it comes back by itself, and never gives up unless told to.

import { listen } from '../shared/element.js';
import { hint, NO_CLOCK, sample, serverTime, worn } from './clock.js';

/**
 * @import {ClientMessage, ServerMessage} from './messages.d.ts'
 * @import {Clock} from './clock.js'
 * @typedef {object} Ears
 * @property {() => ClientMessage} hello the first frame of every connection
 * @property {(message: ServerMessage) => void} heard
 * @property {(line: 'connecting' | 'waiting' | 'closed', code: number) => void} changed
 * @property {() => boolean} racing whether the clock matters now
 * @property {() => number} version the newest event of the room that is known
 */

const SUBPROTOCOL = 'spider-race.v1';
const RACING_PING = 5_000;
const IDLE_PING = 20_000;
const SILENCE = 9_000;
const SHORT_SILENCE = 3_000;
const FIRST_DELAY = 500;
const SENT_ELSEWHERE = 4_001;
const AT_ONCE = 250;
const LONGEST_DELAY = 30_000;
const TICK = 1_000;
const FINAL = 4_500;
const LEFT = 1_000;
const STEADY = 5_000;

/**
 * Full jitter: anything from half a second to the exponential bound. A server that is replaced
 * sends its players to another, which is there already: they come at once, a little apart.
 *
 * @param {number} failures so far
 * @param {number} chance 0 to 1
 * @param {number} [code] of the close
 */
export function backoff(failures, chance, code = 0) {
  if (code === SENT_ELSEWHERE && failures === 0) return chance * AT_ONCE;
  const bound = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(failures + 1, 10));
  return FIRST_DELAY + chance * (bound - FIRST_DELAY);
}

/**
 * The failures that count when a line is lost which had a seat for so long: a server that takes
 * a player and lets go at once, again and again, is asked less and less often too.
 *
 * @param {number} failures
 * @param {number} joinedFor milliseconds
 */
export const stillFailing = (failures, joinedFor) => (joinedFor < STEADY ? failures : 0);

/** Whether the client comes back by itself after this close code. @param {number} code */
export const comesBack = (code) => code !== LEFT && code < FINAL;

/**
 * @param {string} url
 * @param {Ears} ears
 */
export function openLine(url, ears) {
  /** @type {WebSocket | null} */
  let socket = null;
  let ended = false;
  let failures = 0;
  let retryAt = 0;
  let reason = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;
  let pingedAt = 0;
  let waitsSince = 0;
  let allowed = SILENCE;
  let behind = 0;
  let joined = false;
  let joinedAt = 0;
  /** @type {Clock} */
  let clock = NO_CLOCK;

  function connect() {
    drop();
    clock = worn(clock);
    behind = 0;
    joined = false;
    allowed = SILENCE;
    waitsSince = performance.now();
    ears.changed('connecting', 0);
    const mine = new WebSocket(url, SUBPROTOCOL);
    socket = mine;
    mine.onopen = () => mine.send(JSON.stringify(ears.hello()));
    mine.onmessage = (event) => hear(JSON.parse(event.data));
    mine.onclose = (event) => lost(event.code);
  }

  /** Lets go of the socket without waiting for a peer that may be gone. */
  function drop() {
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    socket = null;
  }

  /** @param {number} code */
  function lost(code) {
    drop();
    if (!comesBack(code)) {
      ended = true;
      ears.changed('closed', code);
      return;
    }
    if (joined) failures = stillFailing(failures, performance.now() - joinedAt);
    // A try that fails says nothing new: the reason is the close that began the outage.
    if (failures === 0) reason = code;
    const wait = backoff(failures, Math.random(), code);
    retryAt = performance.now() + wait;
    // The tick is too slow for a short wait; for a long one it sees that the page was asleep.
    if (wait < TICK) retry = setTimeout(tick, wait);
    failures += 1;
    ears.changed('waiting', reason);
  }

  /** @param {ServerMessage} message */
  function hear(message) {
    const now = performance.now();
    waitsSince = 0;
    if (message.type === 'pong') {
      clock = sample(clock, message.t, now, message.now);
      allowed = SILENCE;
      behind = message.v > ears.version() ? behind + 1 : 0;
      if (behind > 1) connect();
      return;
    }
    if ('now' in message) clock = hint(clock, now, message.now);
    if (message.type === 'joined') {
      joined = true;
      joinedAt = now;
      ping();
    }
    ears.heard(message);
  }

  function ping() {
    if (!joined || socket?.readyState !== WebSocket.OPEN) return;
    pingedAt = performance.now();
    waitsSince ||= pingedAt;
    socket.send(JSON.stringify({ type: 'ping', t: pingedAt }));
  }

  function tick() {
    if (ended) return;
    const now = performance.now();
    if (!socket) {
      if (now >= retryAt) connect();
    } else if (waitsSince && now - waitsSince > allowed) lost(4004);
    else if (now - pingedAt > (ears.racing() ? RACING_PING : IDLE_PING)) ping();
  }

  /** The network or the tab comes or goes: what was slept through says nothing about the line. */
  function wake() {
    if (ended || document.visibilityState === 'hidden') return;
    if (!socket) connect();
    else if (joined) {
      clock = clock.slice(-1);
      allowed = SHORT_SILENCE;
      waitsSince = performance.now();
      ping();
    }
  }

  const timer = setInterval(tick, TICK);
  const unbind = [
    listen(window, 'online', wake),
    listen(window, 'offline', wake),
    listen(document, 'visibilitychange', wake),
  ];
  connect();

  return {
    /** @param {ClientMessage} message @returns {boolean} whether it could be sent */
    say(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    /** Measures the clock again. */
    ping,
    /** Comes back at once, even after a final close. */
    again() {
      ended = false;
      failures = 0;
      connect();
    },
    now: () => serverTime(clock, performance.now()),
    /** Seconds until the next try. */
    retryIn: () => Math.max(0, Math.ceil((retryAt - performance.now()) / 1_000)),
    close() {
      ended = true;
      clearInterval(timer);
      clearTimeout(retry);
      for (const each of unbind) each();
      drop();
    },
  };
}
