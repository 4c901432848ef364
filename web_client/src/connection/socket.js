// The connection to the server. A lost connection is opened again, until the server or the page
// closes it for good.

import { readMessage, writeMessage } from '../contract/notation.js';
import { CloseCode, ErrorCode, FIRST_FINAL_CODE, SUBPROTOCOL } from '../contract/protocol.js';
import { drawId, parse } from '../contract/text.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {ClientMessage, ServerMessage} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
 * @typedef {object} Handlers
 * @property {() => ClientMessage} firstMessage of every connection
 * @property {(message: ServerMessage) => void} received
 * @property {(to: 'connecting' | 'waiting' | 'closed', code?: number) => void} changed the code is
 *   that of a close
 * @property {() => RoomView | null} room as this page knows it
 * @typedef {ReturnType<typeof connect>} Connection
 * @typedef {Extract<ServerMessage, {type: 'pong'}>} Pong
 */

const RACING_PING_MS = 5_000;
const IDLE_PING_MS = 20_000;
/** The longest wait for an answer, and after the device was asleep or offline. */
const SILENCE_MS = 9_000;
const SHORT_SILENCE_MS = 3_000;
const TICK_MS = 1_000;
/** More commands that wait mean that the server is away: further ones are dropped. */
const MAX_QUEUE = 16;
/** The messages that change nothing or have an id, and `leave`: no other connection follows it. */
const SENT_ONCE = new Set(['resume', 'act', 'hint', 'assess', 'watch', 'cards', 'ping', 'leave']);
/** The tries of a connection that was never accepted, before it counts as refused. */
const REFUSED_TRIES = 3;
/** In place of a close code: the server answers, but accepts no connection. */
export const REFUSED = -1;
/** In place of a close code: the server cannot give this player the seat, or a new one, just now. */
export const SEAT_KEPT = -2;
export const NOT_SEATED = -3;

/**
 * What says that a seat does not exist any more: refusals of `resume`, and close codes. After any other one,
 * even an unknown one, the browser keeps the key of the seat, which is the only way back.
 * @type {{refusals: ReadonlySet<string>, closes: ReadonlySet<number>}}
 */
export const SEAT_GONE = {
  refusals: new Set([ErrorCode.NO_SUCH_ROOM, ErrorCode.NO_SUCH_SEAT, ErrorCode.BAD_TOKEN]),
  closes: new Set([
    CloseCode.BAD_TOKEN,
    CloseCode.NO_SUCH_ROOM,
    CloseCode.KICKED,
    CloseCode.FULL,
    CloseCode.NOT_ADMITTED,
    CloseCode.TABLE_DELETED,
    CloseCode.SEAT_MOVED,
  ]),
};

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** The longest delay before players reconnect whose server is being replaced. */
const MOVED_DELAY_MS = 250;
/** The time with its seat after which a connection has worked: before, a server may close again and again. */
const STEADY_MS = 5_000;
/** The normal closure of RFC 6455: this player has left. */
export const NORMAL_CLOSURE = 1_000;

/** The samples of the clock that are kept: a device may go to sleep, and clocks drift. */
const MAX_SAMPLES = 8;
/** A sample that differs by more than this, and half its round trip, shows that one of the clocks was moved. */
const CLOCK_STEP_MS = 1_000;
/** The round trip of a sample without a ping: longer than any measured one, so any is preferred. */
const NO_PING_TRIP_MS = 60_000;

/** Open a connection that reconnects when it is lost. @param {string} url @param {Handlers} handlers */
export function connect(url, handlers) {
  const connection = {
    url,
    handlers,
    /** @type {WebSocket | null} */
    socket: null,
    /** Whether it is closed for good. */
    ended: false,
    /** Whether any of its sockets was accepted. */
    hasOpened: false,
    /** Tries in a row that failed. */
    failures: 0,
    /** Local time of the next try, in ms, and its timer. */
    retryAt: 0,
    retry: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined),
    /** The close code that began the outage. */
    reason: 0,
    /** Local time, in ms. */
    pingedAt: 0,
    /** Local time until which a message has to come, or 0. */
    answerBy: 0,
    /** Local time, or 0 before the seat is taken. */
    joinedAt: 0,
    /** The number of pongs in a row that named a newer event than the known one. */
    behind: 0,
    /**
     * The latest samples of how far the server's clock is ahead of the local one, each with the round trip
     * of its message.
     * @type {{aheadMs: number, tripMs: number}[]}
     */
    clock: [],
    /** Commands that are not answered, with their rounds. @type {{message: ClientMessage, round: number}[]} */
    queue: [],
    /** Local time at which the first of them was sent on this socket, or 0. */
    queueSentAt: 0,
    unbind() {
      clearInterval(timer);
      bound.abort();
    },
  };
  const timer = setInterval(() => tick(connection), TICK_MS);
  const check = () => checkConnection(connection);
  const bound = new AbortController();
  const { signal } = bound;
  window.addEventListener('online', check, { signal });
  window.addEventListener('offline', check, { signal });
  document.addEventListener('visibilitychange', check, { signal });
  open(connection);
  return connection;
}

/**
 * Send a message. One that changes something gets an attempt, waits for those before it, and is sent
 * again on the next connection if it is not answered: the server does it once.
 * @param {Connection | null} connection
 * @param {ClientMessage} message
 * @returns {boolean} false if it could not be sent
 */
export function send(connection, message) {
  const socket = connection?.socket;
  if (!connection || socket?.readyState !== WebSocket.OPEN) return false;
  const { queue, handlers } = connection;
  if (SENT_ONCE.has(message.type)) socket.send(JSON.stringify(writeMessage(message)));
  else if (queue.length >= MAX_QUEUE) return false;
  else {
    const once = /** @type {ClientMessage} */ ({ ...message, attempt: drawId() });
    queue.push({ message: once, round: handlers.room()?.round?.n ?? 0 });
    sendNext(connection);
  }
  return true;
}

/** Send the first command of the queue, unless it is sent; the pong of the ping behind it answers it. @param {Connection} connection */
function sendNext(connection) {
  const [command] = connection.queue;
  if (!command || connection.queueSentAt || !connection.joinedAt) return;
  connection.queueSentAt = performance.now();
  connection.socket?.send(JSON.stringify(writeMessage(command.message)));
  ping(connection);
}

/** Measure the server's clock again. @param {Connection} connection */
export function ping(connection) {
  if (!connection.joinedAt || connection.socket?.readyState !== WebSocket.OPEN) return;
  connection.pingedAt = performance.now();
  connection.answerBy ||= connection.pingedAt + SILENCE_MS; // unless an answer is awaited already
  send(connection, { type: 'ping', t: connection.pingedAt });
}

/** Reconnect at once, even after a final close. @param {Connection} connection */
export function reconnect(connection) {
  connection.ended = false;
  connection.failures = 0;
  open(connection);
}

/**
 * Return whether the page repeats a refused message: one that takes a seat, where that may work later.
 * @param {{command: string, code: string}} refused
 */
export const isRepeated = ({ command, code }) =>
  command === 'resume'
    ? !SEAT_GONE.refusals.has(code)
    : code === ErrorCode.TRY_AGAIN && ['create', 'join', 'take_over'].includes(command);

/** Repeat the first message later, which was refused for the moment. @param {Connection} connection @param {number} reason `SEAT_KEPT` or `NOT_SEATED` */
export const repeat = (connection, reason) => handleClose(connection, reason);

/** Return how far the server's clock is ahead, by the sample with the shortest round trip. @param {Connection} connection */
const aheadMs = ({ clock }) => clock.toSorted((a, b) => a.tripMs - b.tripMs)[0]?.aheadMs ?? 0;

/** Keep the estimate of the clock only until the next ping is answered. @param {Connection} connection */
function doubtClock(connection) {
  if (connection.clock.length > 0)
    connection.clock = [{ aheadMs: aheadMs(connection), tripMs: NO_PING_TRIP_MS }];
}

/** Return the server's time in ms. @param {Connection} connection */
export const serverNow = (connection) => performance.now() + aheadMs(connection);

/** Return the seconds until the next try. @param {Connection} connection */
export const retryIn = ({ retryAt }) =>
  Math.max(0, Math.ceil((retryAt - performance.now()) / 1_000));

/** Close the connection for good. @param {Connection} connection */
export function close(connection) {
  connection.ended = true;
  clearTimeout(connection.retry);
  connection.unbind();
  drop(connection);
}

/** Open a new socket in place of the one that the connection has, as if nothing had been sent on it. @param {Connection} connection */
function open(connection) {
  drop(connection);
  doubtClock(connection); // that of another server may differ
  Object.assign(connection, {
    behind: 0,
    joinedAt: 0,
    queueSentAt: 0,
    answerBy: performance.now() + SILENCE_MS,
  });
  const { url, handlers } = connection;
  handlers.changed('connecting');
  const socket = new WebSocket(url, SUBPROTOCOL);
  connection.socket = socket;
  socket.onopen = () => {
    connection.hasOpened = true;
    socket.send(JSON.stringify(handlers.firstMessage()));
  };
  socket.onmessage = (event) => receive(connection, readMessage(parse(event.data)));
  socket.onclose = (event) => handleClose(connection, event.code);
}

/** Close the socket without waiting for the peer, which may be gone. @param {Connection} connection */
function drop(connection) {
  const { socket } = connection;
  if (!socket) return;
  socket.onopen = socket.onmessage = socket.onclose = null; // nothing of it is handled any more
  socket.close();
  connection.socket = null;
}

/** Handle a close: wait for the next try, or end for good. @param {Connection} connection @param {number} code */
function handleClose(connection, code) {
  const { handlers, joinedAt } = connection;
  drop(connection);
  if (!reconnects(code)) {
    connection.ended = true;
    handlers.changed('closed', code);
    return;
  }
  const now = performance.now();
  if (joinedAt && now - joinedAt >= STEADY_MS) connection.failures = 0;
  // The reason stays the close code that began the outage; those of failed tries do not replace it.
  if (connection.failures === 0 || code < 0) connection.reason = code;
  const wait = backoff(connection.failures, Math.random(), code);
  connection.retryAt = now + wait;
  // The timer of a page that was asleep would fire late: then the next tick comes first.
  clearTimeout(connection.retry);
  connection.retry = setTimeout(() => tick(connection), wait);
  connection.failures += 1;
  handlers.changed('waiting', connection.reason);
  if (!connection.hasOpened && connection.failures === REFUSED_TRIES) nameRefusal(connection);
}

/**
 * Say that the server refuses the connection, if it answers all the same: most likely a proxy before
 * it does not forward WebSocket. No close code shows that.
 * @param {Connection} connection
 */
async function nameRefusal(connection) {
  const answer = await fetch('/manifest.webmanifest', { cache: 'no-store' }).catch(() => null);
  if (!answer?.ok || connection.hasOpened || connection.ended) return;
  connection.reason = REFUSED;
  if (!connection.socket) connection.handlers.changed('waiting', REFUSED); // else after this try
}

/** Take a sample of the clock; go on with the next command, or reconnect if messages are lost. @param {Connection} connection @param {Pong} pong */
function handlePong(connection, pong) {
  const now = performance.now();
  const tripMs = Math.max(0, now - pong.t);
  const sample = { aheadMs: pong.now + tripMs / 2 - now, tripMs };
  const stepMs = Math.abs(sample.aheadMs - aheadMs(connection)) - tripMs / 2;
  // The local clock stood still while the device slept, so earlier samples are wrong.
  if (stepMs > CLOCK_STEP_MS) connection.clock = [];
  connection.clock = [...connection.clock, sample].slice(-MAX_SAMPLES);
  const isBehind = pong.v > (connection.handlers.room()?.v ?? 0);
  connection.behind = isBehind ? connection.behind + 1 : 0;
  // The server handles messages in order: its pong to a later ping shows that the command is done.
  if (connection.queueSentAt && pong.t >= connection.queueSentAt) {
    connection.queueSentAt = 0;
    connection.queue.shift();
  }
  // Two pongs in a row name an event that has not come: messages are lost, so connect again.
  if (connection.behind > 1) open(connection);
  else sendNext(connection);
}

/** Handle a message; a pong is only for the connection. @param {Connection} connection @param {ServerMessage} message */
function receive(connection, message) {
  connection.answerBy = 0;
  if (message.type === 'pong') {
    handlePong(connection, message);
    return;
  }
  const now = performance.now();
  // A guess of the clock, until the first ping is answered.
  if ('now' in message && connection.clock.length === 0)
    connection.clock = [{ aheadMs: message.now - now, tripMs: NO_PING_TRIP_MS }];
  if (message.type === 'joined') {
    connection.joinedAt = now;
    ping(connection);
    // What was asked for in a round that is over would be about the next one.
    const current = message.room.round?.n ?? 0;
    connection.queue = connection.queue.filter(({ round }) => round === current);
    sendNext(connection);
  }
  connection.handlers.received(message);
}

/** Return the time between two pings: in a race the clock has to be exact. @param {RoomView | null} room */
const pingMs = (room) =>
  room?.state === 'RUNNING' || room?.state === 'COUNTDOWN' ? RACING_PING_MS : IDLE_PING_MS;

/** Do what is due: the next try, the end of a silent connection, or a ping. @param {Connection} connection */
function tick(connection) {
  const { ended, handlers, socket, answerBy, pingedAt, retryAt } = connection;
  if (ended) return;
  const now = performance.now();
  if (!socket) {
    if (now >= retryAt) open(connection);
  } else if (answerBy && now > answerBy) handleClose(connection, CloseCode.NO_PONG);
  else if (now - pingedAt > pingMs(handlers.room())) ping(connection);
}

/**
 * Check the connection when the network comes or goes, or the tab comes back: the device may have been asleep,
 * and the connection lost without a close. A socket without a seat has a time for its answer already.
 * @param {Connection} connection
 */
function checkConnection(connection) {
  if (connection.ended || document.visibilityState === 'hidden') return;
  if (!connection.socket) open(connection);
  else if (connection.joinedAt) {
    doubtClock(connection); // the local clock may have stopped meanwhile
    connection.answerBy = performance.now() + SHORT_SILENCE_MS;
    ping(connection);
  }
}

/**
 * Send the acts of a state in order, each once on a connection, and none before the table of this connection
 * is known. An act that is sent again on the next connection keeps its id.
 * @param {State} state
 * @param {number} sentUpTo the id of the latest act that this connection has sent, or 0
 * @param {(message: ClientMessage) => boolean} sendMessage returns false if it could not be sent
 * @returns {number} the id of the latest act that it has sent now
 */
export function sendActs({ synced, play }, sentUpTo, sendMessage) {
  if (!synced || !play) return sentUpTo;
  let latest = sentUpTo;
  for (const { id, at, action, again } of play.inFlight) {
    if (id <= latest) continue;
    if (!sendMessage({ type: 'act', id, at, action, again })) break;
    latest = id;
  }
  return latest;
}

/**
 * Return the wait in ms before a lost connection is opened again, with full jitter: from half a second to
 * the exponential bound. A server that is being replaced has a successor that already serves, so its
 * players reconnect at once, a little apart.
 * @param {number} failures so far
 * @param {number} chance 0 to 1
 * @param {number} code of the close
 */
export function backoff(failures, chance, code) {
  if (code === CloseCode.DRAINING && failures === 0) return chance * MOVED_DELAY_MS;
  const bound = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures + 1)); // 1 s, 2 s, …
  return FIRST_DELAY_MS + chance * (bound - FIRST_DELAY_MS);
}

/** Return whether the client reconnects after a close code. @param {number} code */
export const reconnects = (code) => code !== NORMAL_CLOSURE && code < FIRST_FINAL_CODE;
