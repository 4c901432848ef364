// The page's session: one seat, one state, one connection, and the effects of each message.

import { keepEntry } from '../browser/history.js';
import * as storage from '../browser/storage.js';
import * as socket from '../connection/socket.js';
import { CloseCode, ErrorCode } from '../contract/protocol.js';
import { drawId } from '../contract/text.js';
import { entryOf, parseCards, startedDayEntry } from '../state/entries.js';
import { AT_START, cueOf, nextLog, raceEvents } from '../state/race-events.js';
import { reduce, wantsCards, wantsStandings } from '../state/reducer.js';
import {
  endOf,
  isOnlyRacer,
  isOpenRace,
  isOpenRaceOn,
  isPractice,
  mayAwaitDeal,
  mayChase,
  mySeat,
  NOTHING,
  ownRow,
  plays,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/dialogs.js';
import { nameOfTable } from '../widgets/names.js';
import { codeIn } from './addresses.js';
import { makeAnnouncer } from './announcer.js';
import { reloadAfterNotice } from './loads.js';
import { say, sayLater, tell } from './status.js';

/**
 * @import {AddBot, Create, Join, RoomView, Said} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {Change, Log} from '../state/race-events.js'
 * @import {Message} from '../state/reducer.js'
 * @import {Attempt} from '../game/table.js'
 * @import {State} from '../state/state.js'
 * @import {Connection} from '../connection/socket.js'
 * @import {Sound} from '../browser/sound.js'
 * @import {How, NewsOfGame} from './app.d.ts'
 * @import {Status} from './status.js'
 * @typedef {object} Page what the session needs of the page
 * @property {NewsOfGame} newsOfGame of the shown screen
 * @property {(message: Message) => void} changed called when the state has changed
 * @property {(said: Said) => void} said called with each chat message
 * @property {(v: number) => void} rejoined called when a seat is taken, with the number of the room's latest event
 * @property {() => number} chatReceivedUpTo returns the event number of the latest chat message received
 * @property {() => void} home shows the front page
 * @property {() => void} draw
 * @property {Status} status
 * @property {Sound} sound
 * @typedef {ReturnType<typeof makeSession>} Session
 * @typedef {{level: AddBot['level'], wasRequested: boolean}} Rival `wasRequested` from the server, with `add_bot`
 */

/** The id of this page, the same for all its connections. */
const TAB = Math.random().toString(36).slice(2);

/** How long the seat in a game without a limit is kept: longer than the longest open race. */
const LONGEST_STAY_MS = 8 * 86_400_000;

const CHANNEL = 'spider-race.left'; // on it, a tab that gives up its seat sends the room's code to the other tabs

/** Make a session without a seat. @param {Page} page */
export const makeSession = (page) => ({
  page,
  state: NOTHING,
  connection: /** @type {Connection | null} */ (null),
  opening: /** @type {ClientMessage | null} */ (null), // the message that takes a seat or resumes it
  /** The attempt to take a new seat, until it succeeds. It survives a reload. @type {{message: string, id: string} | null} */
  attempt: history.state?.attempt ?? null,
  startsAtOnce: false, // whether to start the race as soon as the seat is taken
  rival: /** @type {Rival | null} */ (null), // the computer player of the race that is being prepared
  chases: false, // whether to start late in the running race, as soon as that is possible
  reason: '', // why the player has no seat, for the page that they come back to
  /** The events of the race, even from before a reload. */
  log: /** @type {Log | null} */ (storage.kept('log')) ?? { race: '', events: AT_START },
  sentUpTo: 0, // the id of the latest act that this connection has sent, or 0
  newsOf: makeAnnouncer(page.newsOfGame),
});

/** Return the server's time in ms. @param {Session} session */
export const now = ({ connection }) => (connection ? socket.serverNow(connection) : Date.now());

/** Return the seconds until the next try to connect. @param {Session} session */
export const retryIn = ({ connection }) => (connection ? socket.retryIn(connection) : 0);

/** Return whether a seat is being taken, or a race against the computer is being prepared. @param {Session} session */
export const isOnTheWay = ({ connection, state, rival }) =>
  connection !== null && (state.room === null || rival !== null);

/** Return whether the start may have to wait until the server finds a deal that can be won. @param {Session} session */
export function awaitsDeal({ state, opening }) {
  const cards = (opening?.type === 'create' && opening.cards) || ''; // where the game gets its cards from
  const { day, isGame } = parseCards(cards);
  // The server may still be looking for the day's deal, unless the cards name a game already played with it.
  const isDealOfDay = day !== '' && !isGame;
  return mayAwaitDeal(state) || isDealOfDay;
}

/** Connect at once, without waiting for the next try. @param {Session} session */
export const reconnect = ({ connection }) => connection && socket.reconnect(connection);

/** Send a message; return whether that was possible. `state.starting` notes a start until it is answered. @param {Session} session @param {ClientMessage} message */
export function send(session, message) {
  const isSent = socket.send(session.connection, message);
  if (isSent && (message.type === 'start' || (message.type === 'ready' && message.ready)))
    dispatch(session, { type: '@starting', command: message.type });
  return isSent;
}

/** Add an act of this player to the state; `dispatch` sends it. @param {Session} session @param {Attempt} action */
export const act = (session, action) => dispatch(session, { type: '@act', action });

/** Apply a message to the state. Then announce, store, send and draw its effects. @param {Session} session @param {Message} message */
function dispatch(session, message) {
  const before = session.state;
  const after = reduce(before, message);
  session.state = after;
  const { room } = after;
  const isRefused = message.type === 'refused' && !socket.isRepeated(message);
  // After a refusal, no race against the computer player will start; outside the lobby, it has started.
  if (isRefused || (room && room.state !== 'LOBBY')) session.rival = null;
  announce(session, { before, after, message, events: raceEvents(before, after) });
  const isOn = plays(after) || isOpenRaceOn(room);
  // The front page uses this to offer the way back to a race.
  if (room && room !== before.room) storage.keep('race', isOn ? room.code : null);
  applyEffects(session, before, message);
  if (room && room !== before.room) updateStoredSeat(room, isOn);
  session.sentUpTo = socket.sendActs(session.state, session.sentUpTo, (each) =>
    send(session, each),
  );
  session.page.changed(message);
}

/** Tell the player about a change: in the status line, in the race's log and by a sound. @param {Session} session @param {Change} change */
function announce(session, change) {
  const { page } = session;
  tell(page.status, session.newsOf(change), () => now(session));
  const log = nextLog(session.log, change, now(session));
  if (log !== session.log) storage.keep('log', log);
  session.log = log;
  const cue = cueOf(change, log.events);
  if (cue) page.sound.play(cue);
}

/**
 * Store how long the seat in a room is needed, and the facts that the front page shows if it is a kept table.
 * @param {RoomView} room @param {boolean} isOn whether this player's game or an open race is on
 */
function updateStoredSeat(room, isOn) {
  const { kept, round } = room;
  const idleUntil = kept?.until ?? (isPractice(room) ? 0 : undefined); // 0: to be forgotten before other idle seats
  const end = Math.min(endOf(room), (round?.t0 ?? 0) + LONGEST_STAY_MS);
  const table = kept ? { name: nameOfTable(room), raced: round?.t0 } : undefined;
  storage.keepSeatFacts(room.code, isOn ? end : idleUntil, table);
}

/**
 * Send what the game that the player asked for now needs: the late start in a running race (`chases`), or one more step
 * towards a race against a computer player (`rival`). @param {Session} session
 */
function prepareChosenGame(session) {
  const { state, rival } = session;
  if (session.chases && mayChase(state)) {
    session.chases = false;
    send(session, { type: 'chase' });
  }
  if (!rival || state.room?.state !== 'LOBBY') return;
  const { level, wasRequested } = rival;
  const isThere = state.room.seats.some((seat) => seat.level); // only computer players have a level
  session.rival = { level, wasRequested: true };
  if (!isThere && !wasRequested) send(session, { type: 'add_bot', level, pace: 'usual' });
  // The computer player is always ready, so the countdown starts once this player is, too.
  if (isThere && mySeat(state)?.state !== 'READY') send(session, { type: 'ready', ready: true });
}

/** Ask a player who was left out of a race whether to leave or, if the room allows it, to start late. @param {Session} session */
async function askLeftOut(session) {
  const { chasers } = session.state.room?.settings ?? {};
  const code = session.state.room?.code;
  const agreed = await ask(chasers ? strings.ASK.leftOutChase : strings.ASK.leftOut);
  if (!agreed || session.state.room?.code !== code) return; // the page may show another room by now
  if (chasers) {
    session.chases = true;
    prepareChosenGame(session);
  } else {
    giveUpSeat(session);
    session.page.home();
  }
}

/** Store the seat that the server has given, and go on to the chosen game. @param {Session} session @param {Extract<Message, {type: 'joined'}>} message */
function handleJoined(session, { room, seat, token: newToken }) {
  const { page, state, opening } = session;
  const { v, code, round } = room;
  if (round?.key && round.cards) {
    storage.keepOf('day', round.cards, round.key); // only today's race has a key
    if (round.nameless) storage.keepOf('unsigned', round.cards, code); // the name can be added later
    if (newToken) keepEntry(startedDayEntry(round.cards, now(session))); // only when the seat is new
  }
  page.rejoined(v);
  keepAttempt(session, null);
  if (location.pathname !== `/r/${code}`) history.pushState(null, '', `/r/${code}`);
  // A resumed seat keeps its token, and the message has none.
  const token = newToken ?? (opening?.type === 'resume' ? opening.token : '');
  session.opening = { type: 'resume', room: code, seat, token, have: 0, tab: TAB }; // `firstMessage` sets `have`
  const lastRoom = storage.kept('room'); // the front page offers the way back to it
  storage.storeSeat(code, { seat, token }); // makes this the last room
  if (round?.key) storage.keep('room', lastRoom); // but the way back to today's race is the page of its day
  if (room.state !== 'LOBBY') session.startsAtOnce = false; // an earlier start has reached the server
  if (session.startsAtOnce)
    send(session, isOpenRace(room) ? { type: 'start' } : { type: 'ready', ready: true });
  prepareChosenGame(session);
  if (wantsCards(state)) send(session, { type: 'cards' }); // large rooms send score cards only on request
}

/** Handle a refused seat: keep the reason, and show a page with it. @param {Session} session @param {Extract<Message, {type: 'refused'}>} message */
function handleRefusedSeat(session, { command, code, details }) {
  const { opening } = session;
  const isGone = code === ErrorCode.NO_SUCH_ROOM;
  session.reason =
    command === 'take_over' ? strings.SEAT_NOT_MOVED : strings.refusal(code, details);
  if (isGone || command === 'resume') forgetShownRoom(); // after a temporary refusal it is sent again instead
  if (isGone) history.replaceState(null, '', '/'); // the front page shows the reason
  // The board of the day says more than the refusal. Here `cards` is `DAY/GAME`.
  if (code === ErrorCode.DAY_PLAYED && opening?.type === 'create')
    history.replaceState(null, '', `/d/${opening.cards}`);
  showEntrance(session);
}

/** React to a new view of the room, for example by starting the race or asking the player something. @param {Session} session @param {State} before it @param {RoomView} room */
function handleRoom(session, before, room) {
  const { page, state, connection } = session;
  // This player is alone, so the race starts at once. If it has already started, the server refuses the start.
  if (session.startsAtOnce && room.state === 'LOBBY') send(session, { type: 'start' });
  session.startsAtOnce = false;
  prepareChosenGame(session);
  const isNext = before.room?.state === 'FINISHED' && room.state === 'COUNTDOWN';
  const isSeated = state.me?.role === 'player' && mySeat(state)?.state === 'SEATED'; // not ready
  if (isNext && isSeated) askLeftOut(session);
  if (before.room?.state !== room.state) {
    if (connection) socket.ping(connection); // in a race the clock has to be exact
    // If a new player does not move for a while, explain the first move.
    if (room.state === 'RUNNING' && plays(state) && !storage.kept('moved'))
      sayLater(page.status, () => {
        const isWaiting = plays(session.state) && !session.state.play?.base.at; // no act so far
        return isWaiting ? strings.firstMove(storage.playsByOneTap()) : '';
      });
  }
  if (room.state === 'CLOSED') handleFinalClose(session, CloseCode.NO_SUCH_ROOM);
}

/** Keep the result of this player's game in the history. @param {Session} session @param {Parameters<typeof entryOf>[1]} over the final standings */
function keepResult(session, over) {
  const entry = entryOf(session.state, over, now(session));
  if (entry) keepEntry(entry);
}

/** Carry out the effects of a message: send, store and show. @param {Session} session @param {State} before the message @param {Message} message */
function applyEffects(session, before, message) {
  const { page, state, connection, opening } = session;
  const { room, standings } = state;
  switch (message.type) {
    case 'joined':
      return handleJoined(session, message);
    case 'room':
      return handleRoom(session, before, message.room);
    case 'standings_changes':
      // If changes are missing, request all rows.
      if (wantsStandings(state) && !wantsStandings(before)) send(session, { type: 'watch' });
      return;
    case 'said':
      return page.said(message);
    case 'acted':
      return storage.keep('moved', true); // this player knows how to move
    case 'refused':
      if (connection && socket.isRepeated(message)) socket.repeatLater(connection, message.command);
      // While this page has no seat, only the message that takes one can be refused.
      else if (state.me === null) handleRefusedSeat(session, message);
      return;
    case 'error':
      // An error before this connection has its seat means that the server could not read the `resume`.
      if (connection?.joinedAt === 0 && opening?.type === 'resume')
        socket.repeatLater(connection, opening.type);
      return;
    case 'standings':
      // In an open race, keep this player's result now: they may have left when the race ends.
      if (isOpenRaceOn(room) && ownRow(state) && room?.round)
        keepResult(session, { n: room.round.n, ranking: standings, winners: [], isOpen: true });
      return;
    case 'round_over':
      return keepResult(session, message);
    case '@connection':
      session.sentUpTo = 0; // the acts in flight are sent again on each connection
      if (message.connection === 'closed') handleFinalClose(session, message.code ?? 0);
      return;
    default:
  }
}

/**
 * Connect and take a seat, which replaces this page's seat in another room.
 * @param {Session} session @param {ClientMessage} opening the message that takes the seat @param {How} how what to do in the room
 */
export function enter(session, opening, how) {
  const { room } = session.state;
  session.reason = '';
  // Leave the old room for good if nobody else has a seat there.
  if (room?.seats.length === 1 && !room.kept) giveUpSeat(session);
  if (session.connection) socket.close(session.connection);
  const isNew = opening.type === 'create' || opening.type === 'join';
  session.opening = isNew ? withAttempt(session, opening) : opening;
  session.startsAtOnce = how.startsAtOnce ?? false;
  session.rival = how.against ? { level: how.against, wasRequested: false } : null;
  session.chases = how.chases ?? false;
  session.state = { ...NOTHING, notice: session.state.notice }; // the next one counts on from it
  session.connection = null; // `connect` dispatches a message before it returns the new one
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  session.connection = socket.connect(`${scheme}://${location.host}/ws`, {
    firstMessage: () => firstMessage(session),
    received: (message) => dispatch(session, message),
    changed: (to, code) => dispatch(session, { type: '@connection', connection: to, code }),
    room: () => session.state.room,
  });
}

/**
 * Add the id of an attempt to a message that takes a new seat. If the same message is sent again, it keeps its id until
 * the seat is taken: the server may have given the seat, and only its answer was lost.
 * @param {Session} session @param {Create | Join} opening
 */
function withAttempt(session, opening) {
  const message = JSON.stringify(opening);
  const id = session.attempt?.message === message ? session.attempt.id : drawId();
  keepAttempt(session, { message, id });
  return { ...opening, browser: storage.browserId(), attempt: id };
}

/** Remember an attempt to take a seat, so that it survives a reload; null forgets it. @param {Session} session @param {Session['attempt']} attempt */
function keepAttempt(session, attempt) {
  session.attempt = attempt;
  history.replaceState({ ...history.state, attempt }, '');
}

/** Take this browser's seat in a room again, if it has one. @param {Session} session @param {string} code */
export function resume(session, code) {
  const seat = storage.storedSeat(code);
  if (seat) enter(session, { type: 'resume', room: code, ...seat, have: 0, tab: TAB }, {}); // `have` is set later
}

/** Take over a seat from another device. @param {Session} session @param {string} room the room's code @param {string} code the seat's one-time code */
export function takeOver(session, room, code) {
  const own = { tab: TAB, browser: storage.browserId(), attempt: drawId() };
  enter(session, { type: 'take_over', room, code, ...own }, {});
}

/** Return the first message of a connection, which takes a seat or resumes it. @param {Session} session @returns {ClientMessage} */
function firstMessage({ state, opening, page }) {
  if (!state.room || opening?.type !== 'resume') return /** @type {ClientMessage} */ (opening);
  // When reconnecting, use the stored seat: another tab of this browser may have replaced it.
  return { ...opening, ...storage.storedSeat(opening.room), have: page.chatReceivedUpTo() };
}

/**
 * Leave the room for the front page; during a race ask first. The seat is given up, unless the player is likely to come
 * back: in an open race, whose time runs on, and at a kept table.
 * @param {Session} session
 * @param {unknown} sure `true` skips the question and gives up the seat even in an open race; a click event does not
 */
export async function leave(session, sure) {
  const { page, state } = session;
  const isKept = Boolean(state.room?.kept);
  const keepsSeat = isKept || (isOpenRaceOn(state.room) && sure !== true);
  if (plays(state)) {
    const question = isOnlyRacer(state) ? strings.ASK.leaveAlone : strings.ASK.leave;
    if (sure !== true && !(await ask({ ...question, grave: true }))) return;
    if (isKept) send(session, { type: 'forfeit' });
    else giveUpSeat(session);
  } else if (!keepsSeat) giveUpSeat(session);
  else if (mySeat(state)?.state === 'READY') {
    // Nobody should start a race against a player who has just left the page.
    if (state.room?.state === 'LOBBY') send(session, { type: 'ready', ready: false });
    if (state.room?.state === 'FINISHED') send(session, { type: 'rematch', wanted: false });
  }
  page.home();
}

/** Leave the room for good and forget the seat. The state may not have the room yet. @param {Session} session */
function giveUpSeat(session) {
  session.reason = ''; // the player needs no explanation
  const { room } = session.state;
  send(session, { type: 'leave' });
  if (!room) return;
  // The front page offers a way back to the last room, even without a seat, but not to an empty one.
  if (room.seats.length === 1) storage.forgetRoom(room.code);
  else storage.forgetSeat(room.code);
}

/** Tell other tabs of this browser that this one gives up its seat, since one of them may want to play on. @param {Session} session */
export function tellOtherTabs({ connection, state }) {
  if (!connection || connection.isEnded || !state.me) return; // this tab has no seat to give up
  const channel = openChannel();
  channel?.postMessage(state.room?.code);
  channel?.close();
}

/** Open the channel between this browser's tabs; null if the browser forbids it. */
function openChannel() {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}

/** Close the connection and forget the room's state; let other tabs take the seat. @param {Session} session */
export function release(session) {
  tellOtherTabs(session); // before the state loses the seat
  if (session.connection) socket.close(session.connection);
  session.connection = null;
  session.state = { ...NOTHING, notice: session.state.notice };
}

/** Forget the room in the address, since this browser's seat no longer exists. */
function forgetShownRoom() {
  const code = codeIn(location.pathname);
  if (code) storage.forgetRoom(code);
}

/** Drop the connection, and show the page that a visitor without a seat sees. @param {Session} session */
function showEntrance(session) {
  release(session);
  session.page.draw();
}

/** Ask whether to take the seat back from another tab. If that tab gives it up first, take it without waiting for an answer. @param {Session} session */
async function askElsewhere(session) {
  const channel = openChannel();
  const until = new Promise((resolve) => {
    if (!channel) return;
    channel.onmessage = ({ data }) => {
      if (data === session.state.room?.code) resolve(true);
    };
  });
  const text = strings.closing(CloseCode.REPLACED);
  const playsHere = await ask({ ...strings.ASK.elsewhere, text, until });
  channel?.close();
  if (playsHere) reconnect(session);
  else session.page.home();
}

/** Handle a final close: forget a seat that no longer exists. Then say why, or ask whether to play here. @param {Session} session @param {number} code */
function handleFinalClose(session, code) {
  const { page, opening } = session;
  const isSeatGone = socket.SEAT_GONE.closes.has(code);
  const isResume = opening?.type === 'resume';
  const stored = isResume ? storage.storedSeat(opening.room) : null;
  // If the seat has moved to another tab of this browser, that tab has stored a new token.
  const isInOtherTab = isResume && stored !== null && stored.token !== opening.token;
  if (isSeatGone && !(code === CloseCode.SEAT_MOVED && isInOtherTab)) forgetShownRoom();
  if (code === CloseCode.REPLACED) return askElsewhere(session);
  if (!isSeatGone && code !== socket.NORMAL_CLOSURE) return reloadAfterNotice(code);
  session.reason = strings.closing(code);
  if (code === CloseCode.BAD_TOKEN) return showEntrance(session);
  page.home();
  say(page.status, session.reason);
}
