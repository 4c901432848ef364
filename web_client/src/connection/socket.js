// The connection to the server. A lost connection is opened again, until the server or the page closes it for good.

import { readMessage, writeMessage } from '../contract/notation.js';
import { CloseCode, ErrorCode, FIRST_FINAL_CODE, SUBPROTOCOL } from '../contract/protocol.js';
import { drawId, parse } from '../contract/text.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {ClientMessage, ServerMessage} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
 * @typedef {object} Handlers
 * @property {() => ClientMessage} firstMessage returns the first message of each connection
 * @property {(message: ServerMessage) => void} received
 * @property {(to: 'connecting' | 'waiting' | 'closed', code?: number) => void} changed `code` is the close code
 * @property {() => RoomView | null} room returns the room as this page knows it
 * @typedef {ReturnType<typeof connect>} Connection
 * @typedef {Extract<ServerMessage, {type: 'pong'}>} Pong
 */

const RACING_PING_MS = 5_000;
const IDLE_PING_MS = 20_000;
/** Give up a socket that is silent for this long; the short time is for a device that was asleep or offline. */
const SILENCE_MS = 9_000;
const SHORT_SILENCE_MS = 3_000;
const TICK_MS = 1_000;
const MAX_QUEUE = 16; // drop further commands if this many wait: the server must be unavailable
/** Messages that skip the queue and aren't repeated: they change nothing, have their own id, or end the connection. */
const UNQUEUED = new Set(['resume', 'act', 'hint', 'assess', 'watch', 'cards', 'ping', 'leave']);
const REFUSED_TRIES = 3; // if the first tries fail, check after this many whether the server refuses connections
export const REFUSED = -1; // instead of a close code: the server answers, but accepts no connection
const SEAT_KEPT = -2; // likewise: for now the server cannot give this player their seat back
const NOT_SEATED = -3; // likewise: for now the server cannot give this player a new seat

/**
 * The refusals of `resume` and the close codes that mean that a seat no longer exists. After any others, even unknown
 * ones, the browser keeps the seat's token: it is the only way back.
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
const MOVED_DELAY_MS = 250; // players of a server that is being replaced reconnect within this time
/** A seat held for this long resets the count of failures: a server may accept connections and soon close them. */
const STEADY_MS = 5_000;
export const NORMAL_CLOSURE = 1_000; // the normal closure of RFC 6455: this player has left

const MAX_SAMPLES = 8; // keep only the latest samples of the clock: clocks drift, and devices sleep
/** If a sample differs by more than this plus half its round trip, one of the clocks was changed. */
const CLOCK_STEP_MS = 1_000;
/** The round trip assumed for a sample without a ping: so long that any measured sample is better. */
const NO_PING_TRIP_MS = 60_000;

/** Open a connection that reconnects when it is lost. @param {string} url @param {Handlers} handlers */
export function connect(url, handlers) {
  const connection = {
    url,
    handlers,
    socket: /** @type {WebSocket | null} */ (null),
    isEnded: false, // whether it is closed for good
    hasOpened: false, // whether any of its sockets was accepted
    failures: 0, // how many tries in a row have failed
    retryAt: 0, // local time of the next try, in ms
    retryTimer: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined),
    closeCode: 0, // the close code at the start of the outage
    pingedAt: 0, // local time of the latest ping, in ms
    answerBy: 0, // when the next message is due, in local ms, or 0
    joinedAt: 0, // local time when the seat was taken, in ms, or 0
    behind: 0, // for how many pongs in a row an event of the room has been missing
    /** The latest samples of how far the server's clock is ahead. @type {{aheadMs: number, tripMs: number}[]} */
    clockSamples: [],
    /** The commands that may not have been carried out yet, each with its round. @type {{message: ClientMessage, round: number}[]} */
    queue: [],
    queueSentAt: 0, // local time when the first of them was sent on this socket, in ms, or 0
    unbind() {
      clearInterval(timer);
      bound.abort();
    },
  };
  const timer = setInterval(() => tick(connection), TICK_MS);
  const check = () => checkConnection(connection);
  const bound = new AbortController();
  const { signal } = bound;
  for (const type of ['online', 'offline']) window.addEventListener(type, check, { signal });
  document.addEventListener('visibilitychange', check, { signal });
  open(connection);
  return connection;
}

/**
 * Send a message. A command waits for the commands before it, and is sent again on the next connection if it may not
 * have been carried out. It has an id, its `attempt`, so that the server carries it out only once.
 * @param {Connection | null} connection @param {ClientMessage} message
 * @returns {boolean} false if it could not be sent
 */
export function send(connection, message) {
  const socket = connection?.socket;
  if (!connection || socket?.readyState !== WebSocket.OPEN) return false;
  const { queue, handlers } = connection;
  if (UNQUEUED.has(message.type)) socket.send(JSON.stringify(writeMessage(message)));
  else if (queue.length >= MAX_QUEUE) return false;
  else {
    const command = /** @type {ClientMessage} */ ({ ...message, attempt: drawId() });
    queue.push({ message: command, round: handlers.room()?.round?.n ?? 0 });
    sendNext(connection);
  }
  return true;
}

/** Send the first waiting command, unless it is on its way, and a ping: its pong shows that the command is done. @param {Connection} connection */
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
  connection.answerBy ||= connection.pingedAt + SILENCE_MS; // an earlier ping may already wait for an answer
  send(connection, { type: 'ping', t: connection.pingedAt });
}

/** Reconnect at once, even after a final close. @param {Connection} connection */
export function reconnect(connection) {
  connection.isEnded = false;
  connection.failures = 0;
  open(connection);
}

/**
 * Return whether the page will repeat a refused message, because it takes a seat and may succeed later.
 * @param {{command: string, code: string}} refused
 */
export const isRepeated = ({ command, code }) =>
  command === 'resume'
    ? !SEAT_GONE.refusals.has(code)
    : code === ErrorCode.TRY_AGAIN && ['create', 'join', 'take_over'].includes(command);

/** Reconnect after a pause, to repeat the first message, which the server has refused for now. @param {Connection} connection @param {string} command its type */
export const repeatLater = (connection, command) =>
  handleClose(connection, command === 'resume' ? SEAT_KEPT : NOT_SEATED);

/** Return how far the server's clock is ahead, according to the sample with the shortest trip. @param {Connection} connection */
const aheadMs = ({ clockSamples }) =>
  clockSamples.toSorted((a, b) => a.tripMs - b.tripMs)[0]?.aheadMs ?? 0;

/** Keep the estimate of the clock, but let the next pong replace it: its sample will have a shorter trip. @param {Connection} connection */
function doubtClock(connection) {
  if (connection.clockSamples.length > 0)
    connection.clockSamples = [{ aheadMs: aheadMs(connection), tripMs: NO_PING_TRIP_MS }];
}

/** Return the server's time in ms. @param {Connection} connection */
export const serverNow = (connection) => performance.now() + aheadMs(connection);

/** Return the seconds until the next try. @param {Connection} connection */
export const retryIn = ({ retryAt }) =>
  Math.max(0, Math.ceil((retryAt - performance.now()) / 1_000));

/** Close the connection for good. @param {Connection} connection */
export function close(connection) {
  connection.isEnded = true;
  clearTimeout(connection.retryTimer);
  connection.unbind();
  drop(connection);
}

/** Replace the socket with a new one. @param {Connection} connection */
function open(connection) {
  drop(connection);
  doubtClock(connection); // another server may have another clock
  const answerBy = performance.now() + SILENCE_MS;
  Object.assign(connection, { behind: 0, joinedAt: 0, queueSentAt: 0, answerBy });
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
  socket.onopen = socket.onmessage = socket.onclose = null; // ignore its events from now on
  socket.close();
  connection.socket = null;
}

/** Handle a close: wait for the next try, or give up for good. @param {Connection} connection @param {number} code */
function handleClose(connection, code) {
  const { handlers, joinedAt } = connection;
  drop(connection);
  if (!reconnects(code)) {
    connection.isEnded = true;
    return handlers.changed('closed', code);
  }
  const nowMs = performance.now();
  if (joinedAt && nowMs - joinedAt >= STEADY_MS) connection.failures = 0;
  // The first close code says why the connection was lost. The codes of failed tries don't, except for the negative
  // ones, which this client gives itself.
  if (connection.failures === 0 || code < 0) connection.closeCode = code;
  const wait = backoff(connection.failures, Math.random(), code);
  connection.retryAt = nowMs + wait;
  // After a sleep the interval may call `tick` before this timer does, so an old one may still be pending.
  clearTimeout(connection.retryTimer);
  connection.retryTimer = setTimeout(() => tick(connection), wait);
  connection.failures += 1;
  handlers.changed('waiting', connection.closeCode);
  if (!connection.hasOpened && connection.failures === REFUSED_TRIES) reportRefusal(connection);
}

/**
 * If the server answers other requests, report that it refuses the connection. There is no close code for this. Most
 * likely a proxy does not forward WebSockets.
 * @param {Connection} connection
 */
async function reportRefusal(connection) {
  const answer = await fetch('/manifest.webmanifest', { cache: 'no-store' }).catch(() => null);
  if (!answer?.ok || connection.hasOpened || connection.isEnded) return;
  connection.closeCode = REFUSED;
  if (!connection.socket) connection.handlers.changed('waiting', REFUSED); // otherwise reported after this try
}

/** Handle a pong: sample the clock; send the next command, or reconnect if messages were lost. @param {Connection} connection @param {Pong} pong */
function handlePong(connection, pong) {
  const nowMs = performance.now();
  const tripMs = Math.max(0, nowMs - pong.t);
  const sample = { aheadMs: pong.now + tripMs / 2 - nowMs, tripMs };
  const stepMs = Math.abs(sample.aheadMs - aheadMs(connection)) - tripMs / 2;
  // If the local clock stood still while the device slept, earlier samples are wrong.
  if (stepMs > CLOCK_STEP_MS) connection.clockSamples = [];
  connection.clockSamples = [...connection.clockSamples, sample].slice(-MAX_SAMPLES);
  const isBehind = pong.v > (connection.handlers.room()?.v ?? 0);
  connection.behind = isBehind ? connection.behind + 1 : 0;
  // The server handles messages in order: its pong to a later ping shows that the command is done.
  if (connection.queueSentAt && pong.t >= connection.queueSentAt) {
    connection.queueSentAt = 0;
    connection.queue.shift();
  }
  // According to two pongs in a row an event is missing, so messages were lost.
  if (connection.behind > 1) open(connection);
  else sendNext(connection);
}

/** Handle a message, and pass it on to the page unless it is a pong. @param {Connection} connection @param {ServerMessage} message */
function receive(connection, message) {
  connection.answerBy = 0;
  if (message.type === 'pong') return handlePong(connection, message);
  const nowMs = performance.now();
  // Estimate the clock roughly until the first pong.
  if ('now' in message && connection.clockSamples.length === 0)
    connection.clockSamples = [{ aheadMs: message.now - nowMs, tripMs: NO_PING_TRIP_MS }];
  if (message.type === 'joined') {
    connection.joinedAt = nowMs;
    ping(connection);
    // Drop commands for a round that is over: they would apply to the next one.
    const current = message.room.round?.n ?? 0;
    connection.queue = connection.queue.filter(({ round }) => round === current);
    sendNext(connection);
  }
  connection.handlers.received(message);
}

/** Connect again, give up a silent socket, or ping, if one of these is due. @param {Connection} connection */
function tick(connection) {
  const { isEnded, handlers, socket, answerBy, pingedAt, retryAt } = connection;
  if (isEnded) return;
  const nowMs = performance.now();
  const isRacing = ['RUNNING', 'COUNTDOWN'].includes(handlers.room()?.state ?? '');
  const pingMs = isRacing ? RACING_PING_MS : IDLE_PING_MS; // a race needs an exact clock
  if (!socket) {
    if (nowMs >= retryAt) open(connection);
  } else if (answerBy && nowMs > answerBy) handleClose(connection, CloseCode.NO_PONG);
  else if (nowMs - pingedAt > pingMs) ping(connection);
}

/**
 * Check the connection when the network comes or goes, or the tab is shown again: the device may have slept, and the
 * connection may be lost without a close. (A socket without a seat is already waiting for an answer.)
 * @param {Connection} connection
 */
function checkConnection(connection) {
  if (connection.isEnded || document.visibilityState === 'hidden') return;
  if (!connection.socket) open(connection);
  else if (connection.joinedAt) {
    doubtClock(connection); // the local clock may have stopped
    connection.answerBy = performance.now() + SHORT_SILENCE_MS;
    ping(connection);
  }
}

/**
 * Send the acts in flight in order, once the table has arrived on this connection. Each act is sent once per
 * connection, always with the same id.
 * @param {State} state
 * @param {number} sentUpTo the id of the latest act sent on this connection, or 0
 * @param {(message: ClientMessage) => boolean} sendMessage returns false if it could not be sent
 * @returns {number} the id of the latest act sent by now, or 0
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
 * Return the wait before a lost connection is opened again, in ms: random, from half a second to a bound that doubles
 * with each failure. If the server is being replaced, its successor is ready, and players reconnect almost at once.
 * @param {number} failures how many tries in a row have failed
 * @param {number} chance a random number from 0 to 1
 * @param {number} code the close code
 */
export function backoff(failures, chance, code) {
  if (code === CloseCode.DRAINING && failures === 0) return chance * MOVED_DELAY_MS;
  const bound = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures + 1)); // 1 s, 2 s, …
  return FIRST_DELAY_MS + chance * (bound - FIRST_DELAY_MS);
}

/** Return whether the client reconnects after a close code. @param {number} code */
export const reconnects = (code) => code !== NORMAL_CLOSURE && code < FIRST_FINAL_CODE;
