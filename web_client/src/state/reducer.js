// How messages change the client's state: `(state, message) -> state`, pure.
//
// Most messages come from the server. The client makes a few itself, whose types start with `@`.

import { ErrorCode } from '../contract/protocol.js';
import * as table from '../game/table.js';
import { leader, mySeat, NO_ROUND } from './state.js';

/**
 * @import {Changes, RoomView, Standing, StandingsChanges} from '../contract/messages.d.ts'
 * @import {ServerMessage, TableView} from '../contract/notation.js'
 * @import {Attempt, Play} from '../game/table.js'
 * @import {ConnectionState, Notice, State} from './state.js'
 * @typedef {{type: '@connection', connection: ConnectionState, code?: number | undefined}} ConnectionChanged
 * @typedef {{type: '@act', action: Attempt} | {type: '@starting', command: 'ready' | 'start'}} Made
 * @typedef {ServerMessage | ConnectionChanged | Made} Message
 */

/** The `standingsNumber` while changes are missing: all rows have to be requested. */
export const MISSING = -1;

const NO_DETAILS = { cards: [], piles: [], fields: [], reason: null };

/** Return the state after a message. @param {State} state @param {Message} message @returns {State} */
export function reduce(state, message) {
  switch (message.type) {
    case 'joined': {
      const me = { seat: message.seat, role: message.role };
      const next = withRoom(state, message.room);
      return { ...next, connection: 'on', synced: false, me, standingsNumber: 0, starting: null };
    }
    case 'room': {
      const { room } = state;
      const isOld = room && room.code === message.room.code && room.v > message.room.v;
      return isOld ? state : clearStarting(withRoom(state, message.room));
    }
    case 'changes':
      return state.room ? clearStarting({ ...state, room: withSeats(state.room, message) }) : state;
    case 'match':
      return state.room ? { ...state, room: { ...state.room, match: message.match } } : state;
    case 'table':
      return withTable(state, message.table);
    case 'acted':
      return state.play ? withPlay(state, table.acted(state.play, message)) : state;
    case 'refused':
      return withRefusal(state, message);
    case 'hinted':
      return { ...state, hinted: message };
    case 'assessed':
      return { ...state, assessed: message };
    case 'carry_code':
      return { ...state, carried: message };
    case 'error':
      return withNotice(state, { kind: 'error', command: message.where, code: message.code });
    case 'standings':
      return { ...withRows(state, message.standings), standingsNumber: message.number };
    case 'standings_changes':
      return withStandings(state, message);
    case 'round_over':
      return { ...withRows(state, message.ranking), over: message };
    case '@act':
      return withAct(state, message.action);
    case '@starting':
      return { ...state, starting: message.command };
    case '@connection':
      return withConnection(state, message);
    default:
      return state; // `pong` concerns only the connection, and a newer server may send unknown types
  }
}

/** Return the state with a changed game. @param {State} state @param {Play} play @returns {State} */
const withPlay = (state, play) => ({ ...state, play, nextId: play.nextId });

/** Return the state with an act of this player, or with a refusal if too many acts are waiting. @param {State} state @param {Attempt} attempt @returns {State} */
function withAct(state, attempt) {
  const { play } = state;
  if (!play) return state;
  const next = table.attempt(play, attempt);
  const code = ErrorCode.TOO_MANY_IN_FLIGHT;
  return next === play
    ? withNotice(state, { kind: 'refused', command: 'act', code, attempt })
    : withPlay(state, next);
}

/** Return the state with a table that this player plays or watches. @param {State} state @param {TableView} received @returns {State} */
function withTable(state, received) {
  // After a race, this player's own table is only for viewing, like any other.
  const isWatched = received.seat !== state.me?.seat || state.room?.state === 'FINISHED';
  if (isWatched) return { ...state, boards: { ...state.boards, [received.seat]: received } };
  const play = state.play
    ? table.snapshot(state.play, received, !state.synced) // the first table on a new connection
    : table.start(received, state.nextId);
  return { ...withPlay(state, play), synced: true, lateMs: received.late_ms ?? 0 };
}

/** Return the state after a refusal, with a notice of it. @param {State} state @param {Extract<Message, {type: 'refused'}>} message @returns {State} */
function withRefusal(state, message) {
  const { id, command, code, details } = message;
  const attempt = state.play?.inFlight.find((each) => each.id === id)?.action ?? null;
  const starting = command === state.starting ? null : state.starting; // a refused command starts nothing
  const notice = { kind: /** @type {const} */ ('refused'), command, code, details, attempt };
  const noticed = withNotice({ ...state, starting }, notice);
  if (!state.play || command !== 'act') return noticed;
  return withPlay(noticed, table.refused(state.play, message));
}

/** Clear `starting` once the room shows the answer: this player is ready, or the lobby is over. @param {State} state @returns {State} */
function clearStarting(state) {
  const isReady = state.starting === 'ready' && mySeat(state)?.state === 'READY';
  const isAnswered = isReady || state.room?.state !== 'LOBBY';
  return state.starting && isAnswered ? { ...state, starting: null } : state;
}

/** Return the state with a new notice. @param {State} state @param {Partial<Notice> & {kind: Notice['kind']}} notice @returns {State} */
function withNotice(state, notice) {
  const n = (state.notice?.n ?? 0) + 1; // makes a notice differ from an equal one before it
  const defaults = { command: '', code: /** @type {''} */ (''), details: NO_DETAILS, close: 0 };
  return { ...state, notice: { ...defaults, attempt: null, ...notice, n } };
}

/** Apply a change of the connection. @param {State} state @param {ConnectionChanged} message @returns {State} */
function withConnection(state, message) {
  const closeCode = message.code ?? state.closeCode;
  const { connection } = message;
  // `synced` and `starting` are valid only on one connection.
  const next = { ...state, connection, closeCode, synced: false, starting: null };
  return connection === 'closed' ? withNotice(next, { kind: 'closed', close: closeCode }) : next;
}

/** Return the state with new standings. The previous leader stays until another player leads alone. @param {State} state @param {readonly Standing[]} standings @returns {State} */
const withRows = (state, standings) => ({
  ...state,
  standings,
  lastLeader: leader(standings)?.seat ?? state.lastLeader,
});

/**
 * Return the state with changed standings, or note that earlier changes are missing.
 * @param {State} state @param {StandingsChanges} changes @returns {State}
 */
function withStandings(state, changes) {
  const { standingsNumber: latest, standings } = state;
  if (latest === MISSING || changes.number <= latest) return state; // all rows are requested, or these changes are old
  const isGap = latest === 0 || changes.number > latest + 1; // 0: there are no rows yet
  if (isGap) return { ...state, standingsNumber: MISSING };
  return { ...withRows(state, withChanges(standings, changes)), standingsNumber: changes.number };
}

/**
 * Return the standings after changes. Unchanged rows stay the same objects.
 * @param {readonly Standing[]} standings
 * @param {StandingsChanges} changes `order` lists all seats, best first, in groups that share a place; without it no
 *   place changes and no row is new
 * @returns {readonly Standing[]}
 */
export function withChanges(standings, { changed, order }) {
  const rows = new Map(standings.map((standing) => [standing.seat, standing]));
  // A new row has all fields.
  for (const change of changed)
    rows.set(change.seat, /** @type {Standing} */ ({ ...rows.get(change.seat), ...change }));
  if (!order) return standings.map((standing) => rows.get(standing.seat) ?? standing);
  const ordered = /** @type {Standing[]} */ ([]);
  let nextPlace = 1;
  for (const tied of order) {
    for (const seat of tied) {
      const row = rows.get(seat);
      if (row) ordered.push(withPlace(row, nextPlace));
    }
    nextPlace += tied.length;
  }
  return ordered;
}

/**
 * Return a row with its place. Latecomers have none, nor do players replaced by a computer player.
 * @param {Standing} row @param {number} placeInOrder the place by the order of the rows @returns {Standing}
 */
function withPlace(row, placeInOrder) {
  const place = row.late_ms === null && !row.stand_in ? placeInOrder : null;
  return place === row.place ? row : { ...row, place };
}

/** Return whether all rows of the standings have to be requested. @param {State} state */
export const wantsStandings = ({ standingsNumber }) => standingsNumber === MISSING;

/** Return a room after changes: new, changed and removed seats, and the host. @param {RoomView} room @param {Changes} changes @returns {RoomView} */
function withSeats(room, { v, host, seats, gone }) {
  const dropped = new Set([...gone, ...seats.map(({ seat }) => seat)]); // changed seats are added again
  const kept = room.seats.filter(({ seat }) => !dropped.has(seat));
  return { ...room, v, host, seats: [...kept, ...seats].sort((a, b) => a.seat - b.seat) };
}

/**
 * Return a received room with the score cards of its match. A large room comes without them: keep the earlier cards
 * unless another round has ended since (`n` lists the rounds on the cards).
 * @param {RoomView} room @param {RoomView | null} before
 */
function withScoreCards(room, before) {
  const isCurrent = before?.code === room.code && before.match?.n.length === room.played;
  return room.match || !isCurrent ? room : { ...room, match: before.match };
}

/** Return whether the score cards have to be requested. @param {State} state */
export const wantsCards = ({ room }) => room !== null && room.played > 0 && !room.match;

/**
 * Return the state with a received room. A new round or a lobby starts without a table, hints or standings.
 * @param {State} state @param {RoomView} received @returns {State}
 */
function withRoom(state, received) {
  const room = withScoreCards(received, state.room);
  const { room: before } = state;
  // After a failover the start of a round may be lost, and the round starts again with other cards.
  const isSameStart = before?.round?.n === room.round?.n && before?.round?.t0 === room.round?.t0;
  const isSameRound = before?.code === room.code && isSameStart;
  const isLobby = room.state === 'LOBBY';
  const next = isLobby || !isSameRound ? { ...state, ...NO_ROUND } : state;
  // Keep the round as it first arrived: after the race, the deal is checked against the hash in it.
  return { ...next, room, promisedDeal: isLobby ? null : (next.promisedDeal ?? room.round) };
}
