// The state of the client and how messages change it: `(state, message) -> state`, pure.
//
// Messages are those of the server, and a few of the client's own, whose types begin with `@`.

import { follows, MISSING, withChanges } from './leaderboard.js';
import * as table from './table.js';

/**
 * @import {Changes, ErrorCode, RefusalDetails, RoomView, RoundOver, SeatView, Standing, StandingsChanges} from './messages.d.ts'
 * @import {Hinted, ServerMessage, TableView} from './notation.js'
 * @import {Attempt, Play} from './table.js'
 * @typedef {'idle' | 'connecting' | 'on' | 'waiting' | 'closed'} ConnectionState
 * @typedef {object} Notice a refusal, a message that was not understood, or a closed connection;
 *   `n` tells one from the next
 * @property {number} n
 * @property {'refused' | 'error' | 'closed'} kind
 * @property {string} command
 * @property {ErrorCode | ''} code
 * @property {RefusalDetails} details
 * @property {number} close a close code, or 0
 * @property {Attempt | null} attempt the act that was refused
 * @typedef {object} State
 * @property {ConnectionState} connection
 * @property {number} closeCode why the connection is closed or was lost last
 * @property {boolean} synced whether the table is the one of this connection, so that acts may be sent
 * @property {{seat: number, role: 'player' | 'spectator'} | null} me
 * @property {RoomView | null} room
 * @property {{n: number, commitment: string | null} | null} promise the hash of the deal that was
 *   shown before the race
 * @property {readonly Standing[]} standings
 * @property {number} standingsNumber their number; 0 if none were received, `MISSING` after a gap
 * @property {RoundOver | null} over
 * @property {Play | null} play
 * @property {{[seat: number]: TableView}} boards the watched tables, by seat
 * @property {Hinted | null} hinted the latest hint of this round
 * @property {number} nextId of acts, kept over rounds
 * @property {Notice | null} notice
 * @typedef {{type: '@connection', connection: ConnectionState, code?: number}} ConnectionChanged
 * @typedef {{type: '@act', action: Attempt}} ActMade
 * @typedef {{type: '@left'}} Left
 * @typedef {ServerMessage | ConnectionChanged | ActMade | Left} Message
 */

/** @type {State} */
export const NOTHING = {
  connection: 'idle',
  closeCode: 0,
  synced: false,
  me: null,
  room: null,
  promise: null,
  standings: [],
  standingsNumber: 0,
  over: null,
  play: null,
  boards: {},
  hinted: null,
  nextId: 1,
  notice: null,
};

const NO_DETAILS = { cards: [], piles: [], fields: [], reason: null };

/**
 * Return the state after a message.
 *
 * @param {State} state
 * @param {Message} message
 * @returns {State}
 */
export function reduce(state, message) {
  switch (message.type) {
    case 'joined': {
      const me = { seat: message.seat, role: message.role };
      const next = withRoom(state, message.room);
      return { ...next, connection: 'on', synced: false, me, standingsNumber: 0 };
    }
    case 'room': {
      const { room } = state;
      const isOld = room && room.code === message.room.code && room.v > message.room.v;
      return isOld ? state : withRoom(state, message.room);
    }
    case 'changes':
      return state.room ? { ...state, room: withSeats(state.room, message) } : state;
    case 'match':
      return state.room ? { ...state, room: { ...state.room, match: message.match } } : state;
    case 'table': {
      if (message.table.seat !== state.me?.seat || state.room?.state === 'FINISHED') {
        const boards = { ...state.boards, [message.table.seat]: message.table };
        return { ...state, boards }; // a watched board
      }
      const play = state.play
        ? table.snapshot(state.play, message.table, !state.synced)
        : table.start(message.table, state.nextId);
      return { ...withPlay(state, play), synced: true };
    }
    case 'acted':
      return state.play ? withPlay(state, table.acted(state.play, message)) : state;
    case 'refused': {
      const attempt = state.play?.inFlight.find((each) => each.id === message.id)?.action ?? null;
      const play = state.play && message.command === 'act' && table.refused(state.play, message);
      const { command, code, details } = message;
      const noticed = withNotice(state, { kind: 'refused', command, code, details, attempt });
      return play ? withPlay(noticed, play) : noticed;
    }
    case 'hinted':
      return { ...state, hinted: message };
    case 'error':
      return withNotice(state, { kind: 'error', command: message.where, code: message.code });
    case 'standings':
      return { ...state, standings: message.standings, standingsNumber: message.number };
    case 'standings_changes':
      return withStandings(state, message);
    case 'round_over':
      return { ...state, over: message, standings: message.ranking };
    case '@act':
      return state.play ? withPlay(state, table.attempt(state.play, message.action)) : state;
    case '@connection':
      return withConnection(state, message);
    case '@left':
      return { ...NOTHING, notice: state.notice };
    default:
      return state; // `pong` is for the clock; unknown types are for newer clients
  }
}

/** Return the state with a changed game. @param {State} state @param {Play} play @returns {State} */
const withPlay = (state, play) => ({ ...state, play, nextId: play.nextId });

/** Return the state with a new notice. @param {State} state @param {Partial<Notice> & {kind: Notice['kind']}} notice @returns {State} */
function withNotice(state, notice) {
  const n = (state.notice?.n ?? 0) + 1;
  const defaults = { command: '', code: /** @type {''} */ (''), details: NO_DETAILS, close: 0 };
  return { ...state, notice: { ...defaults, attempt: null, ...notice, n } };
}

/** Return the state with a changed connection; a final close is a notice. @param {State} state @param {ConnectionChanged} message @returns {State} */
function withConnection(state, message) {
  const closeCode = message.code ?? state.closeCode;
  const next = { ...state, connection: message.connection, closeCode, synced: false };
  return message.connection === 'closed'
    ? withNotice(next, { kind: 'closed', close: closeCode })
    : next;
}

/** Return the state with changed standings, or with a gap if changes before these are missing. @param {State} state @param {StandingsChanges} changes @returns {State} */
function withStandings(state, changes) {
  switch (follows(state.standingsNumber, changes)) {
    case 'next': {
      const standings = withChanges(state.standings, changes);
      return { ...state, standings, standingsNumber: changes.number };
    }
    case 'gap':
      return { ...state, standingsNumber: MISSING };
    default:
      return state;
  }
}

/** Return whether the whole standings have to be requested. @param {State} state */
export const wantsStandings = ({ standingsNumber }) => standingsNumber === MISSING;

/** Return the room with changed seats and host. @param {RoomView} room @param {Changes} changes @returns {RoomView} */
function withSeats(room, { v, host, seats, gone }) {
  const dropped = new Set([...gone, ...seats.map(({ seat }) => seat)]);
  const kept = room.seats.filter(({ seat }) => !dropped.has(seat));
  return { ...room, v, host, seats: [...kept, ...seats].sort((a, b) => a.seat - b.seat) };
}

/**
 * Return the room with the score cards of its match. A large room is received without them; those
 * received before stay valid until another round is over.
 *
 * @param {RoomView} room
 * @param {RoomView | null} known
 */
function withCards(room, known) {
  const isCurrent = known?.code === room.code && known.match?.n.length === room.played;
  return room.match || !isCurrent ? room : { ...room, match: known.match };
}

/** Return whether the score cards have to be requested. @param {State} state */
export const wantsCards = ({ room }) => room !== null && room.played > 0 && !room.match;

/** Return the state with a room; another round or a lobby has no table, hints and standings yet. @param {State} state @param {RoomView} received @returns {State} */
function withRoom(state, received) {
  const room = withCards(received, state.room);
  const n = room.round?.n ?? 0;
  const isNewRound = state.room?.code !== room.code || (state.room?.round?.n ?? 0) !== n;
  const isLobby = room.state === 'LOBBY';
  const next = { ...state, room };
  if (isNewRound || isLobby)
    Object.assign(next, {
      play: null,
      boards: {},
      hinted: null,
      over: null,
      standings: [],
      standingsNumber: 0,
      promise: null,
    });
  if (room.round && !isLobby && !next.promise)
    next.promise = { n, commitment: room.round.commitment };
  return next;
}

/**
 * Return whether a message only shows the games of other players, while this one has no game on.
 *
 * @param {State} state
 * @param {Message} message
 */
export const isOfOthers = (state, message) =>
  !plays(state) && ['standings', 'standings_changes', 'table'].includes(message.type);

/**
 * Return the screen of a state.
 *
 * @param {State} state
 * @returns {'landing' | 'waiting' | 'room' | 'countdown' | 'race' | 'results'}
 */
export function screenOf(state) {
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

/** Return whether this player waits for the host's admission. @param {{room: RoomView | null, me: State['me']}} state */
export const waits = ({ room, me }) => room?.waiting.some(({ seat }) => seat === me?.seat) ?? false;

/** Return this player's seat as the room shows it. @param {State} state */
export const mySeat = (state) => state.room?.seats.find((seat) => seat.seat === state.me?.seat);

/** Return whether the game of a seat is on. @param {Pick<SeatView | Standing, 'state'>} seat */
export const isPlaying = ({ state }) => state === 'RACING' || state === 'CHASING';

/** Return whether this player's game is on. @param {State} state */
export const plays = (state) => ['RACING', 'CHASING'].includes(mySeat(state)?.state ?? '');

/** Return whether this player, who watches, may begin the deal of the race. @param {State} state */
export const mayChase = (state) =>
  state.room?.state === 'RUNNING' &&
  state.room.settings.chasers &&
  mySeat(state)?.state === 'WATCHING';

/** Return how much later than t0 this player's clock began, in ms. @param {State} state */
export const lateBy = (state) =>
  state.standings.find((standing) => standing.seat === state.me?.seat)?.late_ms ?? 0;

/** Return how many hints this player has received in this round. @param {State} state */
export const hintsTaken = ({ hinted, standings, me }) =>
  Math.max(
    hinted?.hints ?? 0,
    standings.find((standing) => standing.seat === me?.seat)?.hints ?? 0,
  );

/** Return whether all acts of the game are answered. @param {Play | null} play */
export const isIdle = (play) =>
  play !== null && [play.inFlight, play.resending, play.queued].every((acts) => acts.length === 0);

/** Return the latest hint, if the table has not changed since. @param {State} state */
export const hintInForce = ({ hinted, play }) =>
  isIdle(play) && hinted?.at === play?.base.at && !play?.base.outcome ? hinted : null;

/** Return whether a race in a room is a round of several. @param {RoomView} room */
export const isOneOfSeveral = ({ match, settings }) => (match?.rounds ?? settings.rounds) > 1;

/** Return whether rounds of the match are left to play. @param {RoomView} room */
export const hasRoundsLeft = ({ match }) => match !== null && match.rounds > 1 && !match.over;

/** Return whether this player is the host. @param {State} state */
export const amHost = (state) => state.me !== null && state.room?.host === state.me.seat;

/** Return whether this player controls the race of others. @param {State} state */
export const controlsRace = (state) =>
  amHost(state) && state.room?.state === 'RUNNING' && state.room.seats.length > 1;

/** Return whether this player is the only one in the race, and the host. @param {State} state */
export function isPractice(state) {
  const racers = state.room?.seats.filter(({ state: of }) => of !== 'WATCHING' && of !== 'SEATED');
  return amHost(state) && racers?.length === 1 && racers[0]?.seat === state.me?.seat;
}

/** Return whether a room is for one player and nobody watches: there is nobody to compare or chat with. @param {RoomView | null} room */
export const isForOne = (room) => room?.settings.max_players === 1 && room.seats.length === 1;

/**
 * Return the leader: the player on the first place, unless several players share it.
 *
 * @param {readonly Standing[]} standings
 */
export function leader(standings) {
  const first = standings.filter(({ place }) => place === 1);
  return first.length === 1 ? first[0] : undefined;
}
