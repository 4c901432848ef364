// The state of the client, the one before anything was received, and what the page asks of a state. Pure.

import { SEAT_COLOURS } from '../contract/protocol.js';

/**
 * @import {AddBot, CarryCode, ColouredSeat, ErrorCode, PlayerCard, RefusalDetails, RoomView, RoundOver, SeatView, Settings, Standing} from '../contract/messages.d.ts'
 * @import {Assessed, ClientMessage, Hinted, TableView} from '../contract/notation.js'
 * @import {Attempt, Play} from '../game/table.js'
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
 * @typedef {typeof NOTHING} State
 * @typedef {AddBot['level'] | null} Program a computer player's level; null of another program
 * @typedef {ReadonlyMap<number, Program>} Programs by seat
 * @typedef {(seat: number) => string} Colours returns the colour of a seat
 * @typedef {object} Rival the computer player of a race that is on its way
 * @property {AddBot['level']} level
 * @property {NonNullable<AddBot['pace']>} [pace]
 * @property {boolean} [isAsked] whether it was asked for: the connection repeats that if it has to
 */

/** What a state has of a round that nothing is known about. */
export const NO_ROUND = {
  /** The hash of the deal that was shown before the race. */
  promise: /** @type {{commitment: string | null} | null} */ (null),
  standings: /** @type {readonly Standing[]} */ ([]),
  standingsNumber: 0, // 0 if none were received, `MISSING` after a gap
  lastLeader: /** @type {number | null} */ (null), // the seat that led last: a tie does not change it
  over: /** @type {RoundOver | null} */ (null),
  play: /** @type {Play | null} */ (null),
  boards: /** @type {{[seat: number]: TableView}} */ ({}), // the watched tables
  hinted: /** @type {Hinted | null} */ (null), // the latest hint
  assessed: /** @type {Assessed | null} */ (null), // what was last known about the rest of this game
  lateMs: 0, // how much later than t0 the own game began, as its table says
};

export const NOTHING = {
  ...NO_ROUND,
  connection: /** @type {ConnectionState} */ ('idle'),
  closeCode: 0, // why the connection is closed or was lost last
  synced: false, // whether the table is the one of this connection, so that acts may be sent
  me: /** @type {{seat: number, role: 'player' | 'spectator'} | null} */ (null),
  room: /** @type {RoomView | null} */ (null),
  nextId: 1, // of acts, kept over rounds
  /** The command of this player that may begin the race, until it is answered. */
  starting: /** @type {'ready' | 'start' | null} */ (null),
  carried: /** @type {CarryCode | null} */ (null), // the latest code that moves the seat to another device
  notice: /** @type {Notice | null} */ (null),
};

/** Return whether a message only shows the games of other players, while this one has no game on. @param {State} state @param {{type: string}} message */
export const isOfOthers = (state, message) =>
  !plays(state) && ['standings', 'standings_changes', 'table'].includes(message.type);

const SCREENS = /** @type {const} */ ({
  LOBBY: 'room',
  COUNTDOWN: 'countdown',
  RUNNING: 'race',
  FINISHED: 'results',
  CLOSED: 'landing',
});

/** Return the screen of a state. @param {State} state @returns {'landing' | 'waiting' | 'room' | 'countdown' | 'race' | 'results'} */
export function screenOf(state) {
  if (!state.room) return 'landing';
  return waits(state) ? 'waiting' : SCREENS[state.room.state];
}

/** Return whether the page of a kept table can be shown, before a race or after it. @param {State} state */
export const hasTable = (state) =>
  Boolean(state.room?.kept) && ['room', 'results'].includes(screenOf(state));

/** The time after which a start that is not answered is explained. */
export const EXPLAINED_MS = 700;

/** Return whether a start may wait some seconds for a deal that can be won. @param {State} state */
export const mayAwaitDeal = ({ room, starting }) =>
  starting !== null && room?.settings.winnable === true && room.settings.deal === 'secret';

/** Return whether this player waits for the host's admission. @param {{room: RoomView | null, me: State['me']}} state */
export const waits = ({ room, me }) => room?.waiting.some(({ seat }) => seat === me?.seat) ?? false;

/**
 * Return what plays at a seat: a computer player's level, null for another program, undefined for a person.
 * @param {Pick<SeatView, 'kind' | 'level' | 'stand_in'>} seat
 * @returns {Program | undefined}
 */
export const programAt = ({ kind, level, stand_in }) =>
  stand_in ?? (kind === 'program' ? (level ?? null) : undefined);

/** Return the programs by their seats: those in the room, and players of its round who may have left. @param {RoomView | null} room @returns {Programs} */
export function programSeats(room) {
  /** @type {Map<number, Program>} */
  const programs = new Map(room?.round?.programs.map((seat) => [seat, null])); // a round has no levels
  for (const seat of room?.seats ?? []) {
    const program = programAt(seat);
    if (program !== undefined) programs.set(seat.seat, program);
  }
  return programs;
}

/** Return this player's seat as the room shows it. @param {State} state */
export const mySeat = (state) => state.room?.seats.find((seat) => seat.seat === state.me?.seat);

/** Return this player's row of the standings. @param {State} state */
export const ownRow = ({ standings, me }) => standings.find(({ seat }) => seat === me?.seat);

/** Return whether the game of a seat is on. @param {Pick<SeatView | Standing, 'state'>} seat */
export const isPlaying = ({ state }) => state === 'RACING' || state === 'CHASING';

/** Return whether this player's game is on. @param {State} state */
export const plays = ({ room, me }) =>
  room?.seats.some((seat) => seat.seat === me?.seat && isPlaying(seat)) ?? false;

/** Return whether this player has given up, and may still take it back. @param {State} state */
export const mayTakeBack = (state) => plays(state) && Boolean(mySeat(state)?.forfeits_at);

/** Return the other people who have become ready. @param {RoomView} old @param {RoomView} room @param {number | undefined} me this player's seat */
export const newlyReady = (old, room, me) =>
  room.seats.filter(
    ({ seat, state, level }) =>
      state === 'READY' &&
      !level && // a computer player is always ready
      seat !== me &&
      old.seats.find((each) => each.seat === seat)?.state !== 'READY',
  );

/** Return whether the players of a room begin when they like, each on a clock of their own. @param {{settings: Pick<Settings, 'window_s'>} | null} room */
export const isOpenRace = (room) => Boolean(room?.settings.window_s); // an older server has no such setting

/** Return whether the players of a room may begin now, each when they like. @param {RoomView | null} room */
export const isOpenRaceOn = (room) => room?.state === 'RUNNING' && isOpenRace(room);

/** Return whether this player, who watches, may begin the deal of the race. @param {State} state */
export const mayChase = (state) =>
  state.room?.state === 'RUNNING' &&
  (state.room.settings.chasers || isOpenRace(state.room)) &&
  mySeat(state)?.state === 'WATCHING';

/** Return how much later than t0 this player's clock began, in ms. @param {State} state */
export const lateBy = (state) => ownRow(state)?.late_ms ?? state.lateMs;

/** Return the end of this player's game, which may never come: in a window it has a limit of its own. @param {State} state */
export function ownEndOf(state) {
  const { room } = state;
  if (!room?.round) return Infinity;
  const { time_limit_s: limit } = room.settings;
  if (!isOpenRaceOn(room) || !plays(state) || limit === null) return endOf(room);
  return Math.min(endOf(room), room.round.t0 + lateBy(state) + limit * 1_000);
}

/** Return how many hints this player has received in this round. @param {State} state */
export const hintsTaken = (state) => Math.max(state.hinted?.hints ?? 0, ownRow(state)?.hints ?? 0);

/** Return whether all acts of the game are answered. @param {Play | null} play */
export const isIdle = (play) =>
  play !== null && [play.inFlight, play.resending, play.queued].every((acts) => acts.length === 0);

/** Return the latest hint, if the table has not changed since; null while an act is on its way, too. @param {State} state */
export function hintInForce({ hinted, play }) {
  if (!play || !isIdle(play) || play.base.outcome) return null; // an outcome ends the game
  return hinted?.at === play.base.at ? hinted : null;
}

/** Return the end of a room's race, which may never come. @param {RoomView} room */
export const endOf = ({ round }) => round?.t_end ?? Infinity;

/** Return how long a race can last from now on, in ms; null without an end. @param {RoomView} room @param {number} now */
export const timeLeftOf = (room, now) =>
  Number.isFinite(endOf(room)) ? Math.max(0, endOf(room) - now) : null;

/** Return whether the race of a room ends sooner than it was to end. @param {RoomView} old @param {RoomView} room */
export const endsSooner = (old, room) => endOf(room) < endOf(old);

/** Return whether a race in a room is a round of several. @param {RoomView} room */
export const isOneOfSeveral = ({ match, settings }) => (match?.rounds ?? settings.rounds) > 1;

/** Return whether rounds of the match are left to play. @param {RoomView} room */
export const hasRoundsLeft = ({ match }) => match !== null && match.rounds > 1 && !match.over;

/** Return whether this player is the host. @param {State} state */
export const amHost = (state) => state.me !== null && state.room?.host === state.me.seat;

/** Return whether this player controls the race of others. @param {State} state */
export const controlsRace = (state) =>
  amHost(state) &&
  state.room?.state === 'RUNNING' &&
  (state.room.seats.length > 1 || isOpenRace(state.room));

/** Return whether this player is the host and alone in the race: it can be stopped without a loss to others. @param {State} state */
export function isOnlyRacer(state) {
  if (isOpenRaceOn(state.room)) return false; // others may come
  const [racer, ...others] =
    state.room?.seats.filter((seat) => seat.state !== 'WATCHING' && seat.state !== 'SEATED') ?? [];
  return amHost(state) && racer?.seat === state.me?.seat && others.length === 0;
}

/** The settings that make a room one for practice: only one person can play in it. */
export const PRACTICE = { max_players: 1, time_limit_s: null };

/** Return whether a room is for practice. @param {RoomView} room */
export const isPractice = ({ settings }) => settings.max_players === PRACTICE.max_players;

/** Return whether nobody but one player can be in a room, or is there: nobody to compare or chat with. @param {RoomView | null} room */
export const isForOne = (room) => room !== null && isPractice(room) && room.seats.length === 1;

/** Return whether a person is alone in a room, perhaps with computer players. @param {RoomView} room */
export const isLone = ({ seats }) => seats.filter(({ level }) => !level).length < 2;

/** The seat of a ghost in the standings, which no player has. Its colour is violet: no first seat has it. */
export const GHOST_SEAT = 1_000_003;
/** The seat of a ghost beside a player who is violet. */
const OTHER_GHOST_SEAT = 1_000_001;

/** Return whether a seat is a ghost's, which is drawn as an outline. @param {number | undefined} seat */
export const isGhostSeat = (seat) => seat === GHOST_SEAT || seat === OTHER_GHOST_SEAT;

/** Return the seat of a ghost beside a player of this colour, which isn't the ghost's. @param {string} own */
export const ghostSeatBeside = (own) =>
  own === SEAT_COLOURS[GHOST_SEAT % SEAT_COLOURS.length] ? OTHER_GHOST_SEAT : GHOST_SEAT;

/** Return the place of a player as it is shown: none before the first act; without `has_acted` there was one. @param {Pick<Standing, 'place' | 'has_acted'>} standing */
export const shownPlace = ({ place, has_acted: hasActed }) => (hasActed === false ? null : place);

/** Return whether a player has brought a game to its end, with an act: one who gave up each round of a match has not. @param {Readonly<PlayerCard['lines']>} lines */
export const hasPlayed = (lines) =>
  lines.some((line) => line && line.has_acted !== false && !line.given_up);

/** Return the player who leads alone: on the first place, with points; undefined if several share it. @param {readonly Standing[]} standings */
export function leader(standings) {
  const [first, ...tied] = standings.filter((standing) => shownPlace(standing) === 1);
  return first && first.score > 0 && tied.length === 0 ? first : undefined;
}

/**
 * Return the message with which a race against the computer comes nearer, if there is one to send.
 * @param {Rival} rival
 * @param {State} state after the message that was received
 * @returns {ClientMessage | null}
 */
export function nextMessage({ level, pace = 'usual', isAsked }, state) {
  if (state.room?.state !== 'LOBBY') return null;
  if (!state.room.seats.some((seat) => seat.level))
    return isAsked ? null : { type: 'add_bot', level, pace }; // asked for, it is still to come
  // The computer player is ready: the countdown begins once this player is.
  return mySeat(state)?.state === 'READY' ? null : { type: 'ready', ready: true };
}

/**
 * Return whether the page need no longer bring the race nearer: it has started, or the server refused a step.
 * @param {State} state after the message
 * @param {{type: string}} message
 */
export const hasArrived = ({ room }, { type }) =>
  type === 'refused' || (room !== null && room.state !== 'LOBBY');

/**
 * Return the colours of the seats of a room, and of players of a finished round who may have left.
 * A server of release 1.0 sends none: the numbers of the seats give them then.
 * @param {RoomView | null} room
 * @param {{colours?: readonly ColouredSeat[]} | null} [round]
 * @returns {Colours}
 */
export function coloursOf(room, round) {
  const known = [...(round?.colours ?? []), ...(room?.seats ?? [])];
  const colours = new Map(known.map(({ seat, colour }) => [seat, colour]));
  return (seat) => colours.get(seat) ?? SEAT_COLOURS[seat % SEAT_COLOURS.length] ?? '';
}

/**
 * Return the colours that other players of a room have, of which none can be taken.
 * @param {RoomView} room
 * @param {number} me this player's seat
 * @returns {Set<string>}
 */
export function takenColours(room, me) {
  const colours = coloursOf(room);
  const others = room.seats.filter(({ seat, role }) => role === 'player' && seat !== me);
  return new Set(others.map(({ seat }) => colours(seat)));
}
