// The session of this page: one seat, one state, one connection, and the effects of each message.

import { makeAnnouncer } from '../core/announcer.js';
import { strings } from '../core/language.js';
import {
  browserId,
  forgetRoom,
  forgetSeat,
  hasMoved,
  preference,
  storedSeat,
  storeMoved,
  storeRace,
  storeSeat,
} from '../core/preferences.js';
import { CloseCode, ErrorCode } from '../core/protocol.js';
import {
  mayChase,
  mySeat,
  NOTHING,
  plays,
  reduce,
  wantsCards,
  wantsStandings,
} from '../core/reducer.js';
import { codeIn } from '../core/room-code.js';
import { close, connect, makeSender, ping, reconnect, send, serverNow } from '../core/socket.js';
import { cueOf } from '../core/sound-cues.js';
import { ask } from './ask.js';

/**
 * @import {Said} from '../core/messages.d.ts'
 * @import {ClientMessage} from '../core/notation.js'
 * @import {Message, State} from '../core/reducer.js'
 * @import {Connection} from '../core/socket.js'
 * @import {Sound} from './sound.js'
 * @import {Status} from './status.js'
 * @typedef {object} Page what the session needs of the page
 * @property {(message: Message) => void} changed the state has changed
 * @property {() => void} entering a room is about to be entered
 * @property {(said: Said) => void} said a chat message has come
 * @property {(v: number) => void} rejoined the latest event of the room after a reconnection
 * @property {() => number} chatReceivedUpTo the event up to which chat messages were received
 * @property {() => void} home show the front page
 * @property {() => void} draw
 * @property {Status} status
 * @property {Sound} sound
 * @typedef {object} Session
 * @property {State} state
 * @property {Connection | null} connection
 * @property {ClientMessage | null} opening the message that takes a seat for the first time
 * @property {boolean} alone whether the race starts as soon as it can
 * @property {boolean} chases whether the deal of the running race is played as soon as it can be
 * @property {string} reason why the player is back on a page without a seat
 * @property {ReturnType<typeof makeSender>} sender
 * @property {ReturnType<typeof makeAnnouncer>} announcement
 * @property {Page} page
 */

/** The id of this page, the same for all its connections. */
const TAB = Math.random().toString(36).slice(2);

/** The channel on which a tab names the room whose seat it no longer has. */
const LEFT = 'spider-race.left';

/** Make a session without a seat. @param {Page} page @returns {Session} */
export function makeSession(page) {
  /** @type {Session} */
  const session = {
    state: NOTHING,
    connection: null,
    opening: null,
    alone: false,
    chases: false,
    reason: '',
    sender: makeSender((message) => send(session.connection, message)),
    announcement: makeAnnouncer(
      () => performance.now(),
      () => preference('reasons') === 'at-once',
    ),
    page,
  };
  return session;
}

/** Return the server's time in ms. @param {Session} session */
export const now = ({ connection }) => (connection ? serverNow(connection) : Date.now());

/** Apply a message to the state, and let the page and the connection follow. @param {Session} session @param {Message} message */
export function dispatch(session, message) {
  const { page } = session;
  const before = session.state;
  session.state = reduce(before, message);
  const news = session.announcement(before, session.state, message);
  if (typeof news === 'string') page.status.say(news);
  else if ('aside' in news) page.status.say(news.text, news.aside);
  else page.status.count(news.words, () => (news.until - now(session)) / 1_000);
  const cue = cueOf(before, session.state, message);
  if (cue) page.sound.play(cue);
  if (session.state.room && session.state.room !== before.room) noteRace(session.state);
  actOn(session, before, message);
  session.sender.send(session.state);
  page.changed(message);
}

/** Note whether this player is in a race, for the way back from the front page. @param {State} state */
const noteRace = (state) => storeRace((plays(state) && state.room?.code) || null);

/** Return whether this player races and has not acted yet. @param {Session} session */
const isBeforeFirstAct = ({ state }) => plays(state) && !state.play?.base.at;

/** Begin the deal of the running race, if the player wants that and it is possible now. @param {Session} session */
function chaseIfWanted(session) {
  if (!session.chases || !mayChase(session.state)) return;
  session.chases = false;
  send(session.connection, { type: 'chase' });
}

/** Return whether the next race begins without this player, who was in the room. @param {State} before @param {State} after */
function isLeftOut(before, after) {
  const begins = before.room?.state === 'FINISHED' && after.room?.state === 'COUNTDOWN';
  return begins && after.me?.role === 'player' && mySeat(after)?.state === 'SEATED';
}

/** Ask a player who is not in the next race what to do. @param {Session} session */
async function askLeftOut(session) {
  const { chasers } = session.state.room?.settings ?? {};
  const code = session.state.room?.code;
  const agreed = await ask(chasers ? strings.ASK.leftOutChase : strings.ASK.leftOut);
  if (!agreed || session.state.room?.code !== code) return;
  if (chasers) {
    session.chases = true;
    chaseIfWanted(session);
  } else {
    giveUpSeat(session);
    session.page.home();
  }
}

/** Perform the effects of a message beyond the state: send, store, show. @param {Session} session @param {State} before @param {Message} message */
function actOn(session, before, message) {
  const { page, state, connection } = session;
  switch (message.type) {
    case 'joined': {
      const { seat, token, room } = message;
      page.rejoined(room.v);
      if (token) storeSeat(room.code, { seat, token });
      if (location.pathname !== `/r/${room.code}`) history.pushState(null, '', `/r/${room.code}`);
      if (session.alone) send(connection, { type: 'ready', ready: true });
      chaseIfWanted(session);
      if (wantsCards(state)) send(connection, { type: 'cards' });
      break;
    }
    case 'room':
      // A player alone starts at once. If the race has already started, the server refuses the start.
      if (session.alone && message.room.state === 'LOBBY') send(connection, { type: 'start' });
      session.alone = false;
      chaseIfWanted(session);
      if (isLeftOut(before, state)) askLeftOut(session);
      if (before.room?.state !== message.room.state) {
        if (connection) ping(connection);
        if (message.room.state === 'RUNNING' && plays(state) && !hasMoved())
          page.status.sayLater(strings.FIRST_MOVE, () => isBeforeFirstAct(session));
      }
      if (message.room.state === 'CLOSED') handleFinalClose(session, CloseCode.NO_SUCH_ROOM);
      break;
    case 'standings_changes':
      if (wantsStandings(state) && !wantsStandings(before)) send(connection, { type: 'watch' });
      break;
    case 'said':
      page.said(message);
      break;
    case 'acted':
      if (!hasMoved()) storeMoved();
      break;
    case 'refused':
      if (state.me !== null) break;
      session.reason = strings.refusal(message.code, message.details);
      unseat(session, message.command === 'resume', message.code);
      break;
    case '@connection':
      session.sender.restart();
      if (message.connection === 'closed') handleFinalClose(session, message.code ?? 0);
      break;
    default:
  }
}

/**
 * Connect and take a seat.
 *
 * @param {Session} session
 * @param {ClientMessage} opening
 * @param {boolean} alone whether the race starts as soon as it can
 * @param {boolean} [chases] whether the deal of a running race is played at once
 */
export function enter(session, opening, alone, chases = false) {
  const { page } = session;
  session.reason = '';
  page.entering();
  // The old room has no other seat, so no player returns to it.
  if (session.state.room?.seats.length === 1) {
    send(session.connection, { type: 'leave' });
    forgetRoom(session.state.room.code);
  }
  if (session.connection) close(session.connection);
  session.opening =
    opening.type === 'create' || opening.type === 'join'
      ? { ...opening, browser: browserId() }
      : opening;
  session.alone = alone;
  session.chases = chases;
  session.sender.restart();
  session.state = { ...NOTHING, notice: session.state.notice };
  session.connection = null;
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  session.connection = connect(`${scheme}://${location.host}/ws`, {
    firstMessage: () => firstMessage(session),
    received: (message) => dispatch(session, message),
    changed: (to, code) =>
      dispatch(session, { type: '@connection', connection: to, ...(code ? { code } : {}) }),
    racing: () => ['RUNNING', 'COUNTDOWN'].includes(session.state.room?.state ?? ''),
    version: () => session.state.room?.v ?? 0,
  });
}

/** Take a seat of this browser again, if it has one in the room. @param {Session} session @param {string} code */
export function resume(session, code) {
  const seat = storedSeat(code);
  if (seat) enter(session, { type: 'resume', room: code, ...seat, have: 0, tab: TAB }, false);
}

/** Return the first message of a connection; once there is a seat, it takes that seat again. @param {Session} session @returns {ClientMessage} */
function firstMessage({ state, opening, page }) {
  const code = state.room?.code;
  const seat = code ? storedSeat(code) : null;
  if (!code || !seat) return /** @type {ClientMessage} */ (opening);
  return { type: 'resume', room: code, ...seat, have: page.chatReceivedUpTo(), tab: TAB };
}

/** Leave the room and forget the seat. @param {Session} session */
export function giveUpSeat(session) {
  session.reason = '';
  const { room } = session.state;
  send(session.connection, { type: 'leave' });
  // The front page offers no way back to an empty room.
  if (room) (room.seats.length === 1 ? forgetRoom : forgetSeat)(room.code);
}

/** Let the other tabs of this browser know that this one no longer has the seat. @param {Session} session */
export function announceLeft({ connection, state }) {
  if (!connection || connection.ended || !state.me) return;
  const channel = new BroadcastChannel(LEFT);
  channel.postMessage(state.room?.code);
  channel.close();
}

/** Close the connection and drop the state of the room. @param {Session} session */
export function release(session) {
  announceLeft(session);
  if (session.connection) close(session.connection);
  session.connection = null;
  session.state = reduce(session.state, { type: '@left' });
}

/**
 * Show the form to join again, because no seat was taken.
 *
 * @param {Session} session
 * @param {boolean} forget whether the stored seat of this browser does not exist any more
 * @param {string} [code] of the refusal
 */
function unseat(session, forget, code = '') {
  const room = codeIn(location.pathname);
  const isRoomGone = code === ErrorCode.NO_SUCH_ROOM;
  if (room && (forget || isRoomGone)) forgetRoom(room);
  if (isRoomGone) history.replaceState(null, '', '/');
  release(session);
  session.page.draw();
}

/** The close codes after which the player cannot go back to the room. @type {ReadonlySet<number>} */
const NO_WAY_BACK = new Set([
  1_000, // the normal closure: this player has left
  CloseCode.NO_SUCH_ROOM,
  CloseCode.KICKED,
  CloseCode.FULL,
  CloseCode.NOT_ADMITTED,
]);

/** Show why the connection was closed for good, and what the player can do. @param {Session} session @param {number} code */
export async function handleFinalClose(session, code) {
  const { page } = session;
  if (code === CloseCode.REPLACED) {
    const channel = new BroadcastChannel(LEFT);
    const until = new Promise((resolve) => {
      channel.onmessage = ({ data }) => data === session.state.room?.code && resolve(true);
    });
    const again = await ask({ ...strings.ASK.elsewhere, text: strings.closing(code), until });
    channel.close();
    if (again && session.connection) reconnect(session.connection);
    else if (!again) page.home();
  } else if (code === CloseCode.BAD_TOKEN) {
    session.reason = strings.closing(code);
    unseat(session, true);
  } else if (NO_WAY_BACK.has(code)) {
    const room = codeIn(location.pathname);
    if (room) forgetRoom(room);
    session.reason = strings.closing(code);
    page.home();
    page.status.say(session.reason);
  } else {
    await ask({ ...strings.ASK.closed, text: strings.closing(code) });
    location.reload();
  }
}
