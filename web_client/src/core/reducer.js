// All that the client knows, and how it changes: `(state, message) -> state`, pure.
//
// Messages are the server's, and the few of our own whose types begin with `@`.

import * as table from './table.js';

/**
 * @import {Changes, ErrorCode, Hinted, RefusalDetails, RoomView, RoundOver, ServerMessage, Standing, TableView} from './messages.d.ts'
 * @import {Attempt, Play} from './table.js'
 * @typedef {'idle' | 'connecting' | 'on' | 'waiting' | 'closed'} Line
 * @typedef {object} Notice what was refused, not understood or closed; `n` tells one from the next
 * @property {number} n
 * @property {'refused' | 'error' | 'closed'} kind
 * @property {string} command
 * @property {ErrorCode | ''} code
 * @property {RefusalDetails} details
 * @property {number} close a close code, or 0
 * @property {Attempt | null} attempt the act that was refused
 * @typedef {object} State
 * @property {Line} line
 * @property {number} closeCode why the line is closed or was lost last
 * @property {boolean} synced acts may be sent: the table is the one of this connection
 * @property {{seat: number, role: 'player' | 'spectator'} | null} me
 * @property {RoomView | null} room
 * @property {{n: number, commitment: string | null} | null} promise as it was before the race
 * @property {readonly Standing[]} standings
 * @property {RoundOver | null} over
 * @property {Play | null} play
 * @property {{[seat: number]: TableView}} boards that are watched, by seat
 * @property {Hinted | null} hinted the latest hint of this round
 * @property {number} nextId of acts, kept over rounds
 * @property {Notice | null} notice
 * @typedef {{type: '@line', line: Line, code?: number}} LineChanged
 * @typedef {{type: '@act', action: Attempt}} ActMeant
 * @typedef {{type: '@left'}} Left
 * @typedef {ServerMessage | LineChanged | ActMeant | Left} Message
 */

/** @type {State} */
export const NOTHING = {
  line: 'idle',
  closeCode: 0,
  synced: false,
  me: null,
  room: null,
  promise: null,
  standings: [],
  over: null,
  play: null,
  boards: {},
  hinted: null,
  nextId: 1,
  notice: null,
};

const NO_DETAILS = { cards: [], piles: [], fields: [], reason: null };

/**
 * @param {State} state
 * @param {Message} message
 * @returns {State}
 */
export function reduce(state, message) {
  switch (message.type) {
    case 'joined': {
      const me = { seat: message.seat, role: message.role };
      return { ...withRoom(state, message.room), line: 'on', synced: false, me };
    }
    case 'room': {
      const known = state.room;
      const old = known && known.code === message.room.code && known.v > message.room.v;
      return old ? state : withRoom(state, message.room);
    }
    case 'changes':
      return state.room ? { ...state, room: withSeats(state.room, message) } : state;
    case 'match':
      return state.room ? { ...state, room: { ...state.room, match: message.match } } : state;
    case 'table': {
      if (message.table.seat !== state.me?.seat || state.room?.state === 'FINISHED') {
        const boards = { ...state.boards, [message.table.seat]: message.table };
        return { ...state, boards }; // a board that is watched
      }
      const play = state.play
        ? table.snapshot(state.play, message.table, !state.synced)
        : table.start(message.table, state.nextId);
      return { ...withPlay(state, play), synced: true };
    }
    case 'acted':
      return state.play ? withPlay(state, table.acted(state.play, message)) : state;
    case 'refused': {
      const attempt = state.play?.flying.find((each) => each.id === message.id)?.action ?? null;
      const play = state.play && message.command === 'act' && table.refused(state.play, message);
      const { command, code, details } = message;
      const noticed = noticing(state, { kind: 'refused', command, code, details, attempt });
      return play ? withPlay(noticed, play) : noticed;
    }
    case 'hinted':
      return { ...state, hinted: message };
    case 'error':
      return noticing(state, { kind: 'error', command: message.where, code: message.code });
    case 'standings':
      return { ...state, standings: message.standings };
    case 'round_over':
      return { ...state, over: message, standings: message.ranking };
    case '@act':
      return state.play ? withPlay(state, table.attempt(state.play, message.action)) : state;
    case '@line':
      return withLine(state, message);
    case '@left':
      return { ...NOTHING, notice: state.notice };
    default:
      return state; // `pong` is the clock's; types we do not know are for newer clients
  }
}

/** @param {State} state @param {Play} play @returns {State} */
const withPlay = (state, play) => ({ ...state, play, nextId: play.nextId });

/** @param {State} state @param {Partial<Notice> & {kind: Notice['kind']}} notice @returns {State} */
function noticing(state, notice) {
  const n = (state.notice?.n ?? 0) + 1;
  const blank = { command: '', code: /** @type {''} */ (''), details: NO_DETAILS, close: 0 };
  return { ...state, notice: { ...blank, attempt: null, ...notice, n } };
}

/** @param {State} state @param {LineChanged} message @returns {State} */
function withLine(state, message) {
  const closeCode = message.code ?? state.closeCode;
  const next = { ...state, line: message.line, closeCode, synced: false };
  return message.line === 'closed' ? noticing(next, { kind: 'closed', close: closeCode }) : next;
}

/** @param {RoomView} room @param {Changes} changes @returns {RoomView} */
function withSeats(room, { v, host, seats, gone }) {
  const out = new Set([...gone, ...seats.map(({ seat }) => seat)]);
  const kept = room.seats.filter(({ seat }) => !out.has(seat));
  return { ...room, v, host, seats: [...kept, ...seats].sort((a, b) => a.seat - b.seat) };
}

/**
 * The cards of a match come along only where they are few: those that are known still hold until
 * another round is over.
 *
 * @param {RoomView} room
 * @param {RoomView | null} known
 */
function withCards(room, known) {
  const holds = known?.code === room.code && known.match?.n.length === room.played;
  return room.match || !holds ? room : { ...room, match: known.match };
}

/** Whether the cards of the match have to be asked for. @param {State} state */
export const wantsCards = ({ room }) => room !== null && room.played > 0 && !room.match;

/** @param {State} state @param {RoomView} told @returns {State} */
function withRoom(state, told) {
  const room = withCards(told, state.room);
  const n = room.round?.n ?? 0;
  const fresh = state.room?.code !== room.code || (state.room?.round?.n ?? 0) !== n;
  const lobby = room.state === 'LOBBY';
  const next = { ...state, room };
  if (fresh || lobby)
    Object.assign(next, {
      play: null,
      boards: {},
      hinted: null,
      over: null,
      standings: [],
      promise: null,
    });
  if (room.round && !lobby && !next.promise)
    next.promise = { n, commitment: room.round.commitment };
  return next;
}

/**
 * Whether a message only tells how others play, to somebody who does not.
 *
 * @param {State} state
 * @param {Message} message
 */
export const isOfOthers = (state, message) =>
  !plays(state) && (message.type === 'standings' || message.type === 'table');

/**
 * @param {State} state
 * @returns {'landing' | 'waiting' | 'room' | 'countdown' | 'race' | 'results'}
 */
export function screen(state) {
  if (state.room && waits(state)) return 'waiting';
  switch (state.room?.state) {
    case 'LOBBY':
      return 'room';
    case 'COUNTDOWN':
      return 'countdown';
    case 'RUNNING':
      return 'race';
    case 'FINISHED':
      return 'results';
    default:
      return 'landing';
  }
}

/** Whether this player has not been let in yet. @param {{room: RoomView | null, me: State['me']}} state */
export const waits = ({ room, me }) => room?.waiting.some(({ seat }) => seat === me?.seat) ?? false;

/** The seat of this player as the room shows it. @param {State} state */
export const mySeat = (state) => state.room?.seats.find((seat) => seat.seat === state.me?.seat);

/** Whether this player's game is on. @param {State} state */
export const plays = (state) => ['RACING', 'CHASING'].includes(mySeat(state)?.state ?? '');

/** Whether this player, who looks on, may begin the deal of the race. @param {State} state */
export const mayChase = (state) =>
  state.room?.state === 'RUNNING' &&
  state.room.settings.chasers &&
  mySeat(state)?.state === 'WATCHING';

/** How much later than t0 this player's clock began, in ms. @param {State} state */
export const lateBy = (state) =>
  state.standings.find((standing) => standing.seat === state.me?.seat)?.late_ms ?? 0;

/** How many hints this player has been given in this round. @param {State} state */
export const hintsTaken = ({ hinted, standings, me }) =>
  Math.max(
    hinted?.hints ?? 0,
    standings.find((standing) => standing.seat === me?.seat)?.hints ?? 0,
  );

/** Whether no act is on its way, and none is to go. @param {Play | null} play */
export const atRest = (play) =>
  play !== null && [play.flying, play.owed, play.waiting].every((acts) => acts.length === 0);

/** The hint about the table as it is, if nothing has been done since. @param {State} state */
export const hintInForce = ({ hinted, play }) =>
  atRest(play) && hinted?.at === play?.base.at && !play?.base.outcome ? hinted : null;

/** @param {State} state */
export const amHost = (state) => state.me !== null && state.room?.host === state.me.seat;
