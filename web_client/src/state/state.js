// The client's state, and what the page derives from it. Pure.

import { SEAT_COLOURS } from '../contract/protocol.js';

/**
 * @import {AddBot, CarryCode, ColouredSeat, ErrorCode, PlayerCard, RefusalDetails, RoomView, RoundOver, SeatView, Settings, Standing} from '../contract/messages.d.ts'
 * @import {Assessed, Hinted, TableView} from '../contract/notation.js'
 * @import {Attempt, Play} from '../game/table.js'
 * @typedef {'idle' | 'connecting' | 'on' | 'waiting' | 'closed'} ConnectionState
 * @typedef {object} Notice a refusal, a message that the server did not understand, or a closed connection
 * @property {number} n counts the notices of this page
 * @property {'refused' | 'error' | 'closed'} kind
 * @property {string} command the type of the refused message, or ''
 * @property {ErrorCode | ''} code
 * @property {RefusalDetails} details
 * @property {number} close a close code, or 0
 * @property {Attempt | null} attempt the act that was refused
 * @typedef {typeof NOTHING} State
 * @typedef {AddBot['level'] | null} Program the level of a computer player; null for any other program
 * @typedef {ReadonlyMap<number, Program>} Programs by seat
 * @typedef {(seat: number) => string} Colours returns the colour of a seat
 */

/** The part of the state that belongs to a round, before any message about the round. */
export const NO_ROUND = {
  /** The hash of the deal, as the page showed it before the race. */
  promisedDeal: /** @type {{commitment: string | null} | null} */ (null),
  standings: /** @type {readonly Standing[]} */ ([]),
  standingsNumber: 0, // the number of their latest change; 0 before any, `MISSING` after a gap
  lastLeader: /** @type {number | null} */ (null), // the seat that leads, or led before a tie
  over: /** @type {RoundOver | null} */ (null),
  play: /** @type {Play | null} */ (null),
  boards: /** @type {{[seat: number]: TableView}} */ ({}), // the watched tables
  hinted: /** @type {Hinted | null} */ (null), // the latest hint
  assessed: /** @type {Assessed | null} */ (null), // the latest assessment of this game
  lateMs: 0, // how long after t0 this player's game started, according to its table
};

/** The state before a room is entered. */
export const NOTHING = {
  ...NO_ROUND,
  connection: /** @type {ConnectionState} */ ('idle'),
  closeCode: 0, // of the latest close
  synced: false, // whether the table has arrived on this connection, so that acts may be sent
  me: /** @type {{seat: number, role: 'player' | 'spectator'} | null} */ (null),
  room: /** @type {RoomView | null} */ (null),
  nextId: 1, // of the next act; it keeps counting from round to round
  /** The command of this player that may start the race, until the server answers it. */
  starting: /** @type {'ready' | 'start' | null} */ (null),
  carried: /** @type {CarryCode | null} */ (null), // the latest code for moving the seat to another device
  notice: /** @type {Notice | null} */ (null),
};

/** Return whether a message only changes other players' games, while this player is not playing. @param {State} state @param {{type: string}} message */
export const changesOnlyOthers = (state, message) =>
  !plays(state) && ['standings', 'standings_changes', 'table'].includes(message.type);

const SCREENS = /** @type {const} */ ({
  LOBBY: 'room',
  COUNTDOWN: 'countdown',
  RUNNING: 'race',
  FINISHED: 'results',
  CLOSED: 'landing',
});

/** Return the screen that shows a state. @param {State} state @returns {'landing' | 'waiting' | 'room' | 'countdown' | 'race' | 'results'} */
export function screenOf(state) {
  if (!state.room) return 'landing';
  return awaitsAdmission(state) ? 'waiting' : SCREENS[state.room.state];
}

export const EXPLAINED_MS = 700; // if a start takes longer than this, the page says why

/** Return whether the start may take some seconds, because the server is looking for a deal that can be won. @param {State} state */
export const mayAwaitDeal = ({ room, starting }) =>
  starting !== null && room?.settings.winnable === true && room.settings.deal === 'secret';

/** Return whether this player waits for the host's consent. @param {{room: RoomView | null, me: State['me']}} state */
export const awaitsAdmission = ({ room, me }) =>
  room?.waiting.some(({ seat }) => seat === me?.seat) ?? false;

/**
 * Return the program at a seat, or the one that stands in for its player: a computer player's level, null for another
 * program, undefined for a person.
 * @param {Pick<SeatView, 'kind' | 'level' | 'stand_in'>} seat @returns {Program | undefined}
 */
export const programAt = ({ kind, level, stand_in }) =>
  stand_in ?? (kind === 'program' ? (level ?? null) : undefined);

/** Return the programs by seat: all in the room, and all in its round even if they have left. @param {RoomView | null} room @returns {Programs} */
export function programSeats(room) {
  /** @type {Map<number, Program>} */
  const programs = new Map(room?.round?.programs.map((seat) => [seat, null])); // a round has no levels
  for (const seat of room?.seats ?? []) {
    const program = programAt(seat);
    if (program !== undefined) programs.set(seat.seat, program);
  }
  return programs;
}

/** Return this player's seat in the room. @param {State} state */
export const mySeat = (state) => state.room?.seats.find((seat) => seat.seat === state.me?.seat);

/** Return this player's row of the standings. @param {State} state */
export const ownRow = ({ standings, me }) => standings.find(({ seat }) => seat === me?.seat);

/** Return whether a seat's game is in progress. @param {Pick<SeatView | Standing, 'state'>} seat */
export const isPlaying = ({ state }) => state === 'RACING' || state === 'CHASING';

/** Return whether this player's game is in progress. @param {State} state */
export const plays = ({ room, me }) =>
  room?.seats.some((seat) => seat.seat === me?.seat && isPlaying(seat)) ?? false;

/** Return whether this player has given up, but can take that back until it counts (`forfeits_at`). @param {State} state */
export const mayTakeBackForfeit = (state) => plays(state) && Boolean(mySeat(state)?.forfeits_at);

/** Return the seats of other people who have become ready. @param {RoomView} old @param {RoomView} room @param {number | undefined} me this player's seat */
export const newlyReady = (old, room, me) =>
  room.seats.filter(
    ({ seat, state, level }) =>
      state === 'READY' &&
      !level && // a computer player is always ready
      seat !== me &&
      old.seats.find((each) => each.seat === seat)?.state !== 'READY',
  );

/** Return whether a room's races are open: players start when they like, each with their own clock. @param {{settings: Pick<Settings, 'window_s'>} | null} room */
export const isOpenRace = (room) => Boolean(room?.settings.window_s); // an older server has no such setting

/** Return whether an open race is on, so that its players may start. @param {RoomView | null} room */
export const isOpenRaceOn = (room) => room?.state === 'RUNNING' && isOpenRace(room);

/** Return whether this is today's race, which each player plays once. @param {RoomView | null} room */
export const isTodaysRace = (room) => Boolean(room?.round?.key); // no other round has a key

/** Return whether this player, who only watches, may now play the race's deal too, with a clock of their own. @param {State} state */
export const mayChase = (state) =>
  state.room?.state === 'RUNNING' &&
  (state.room.settings.chasers || isOpenRace(state.room)) &&
  mySeat(state)?.state === 'WATCHING';

/** Return how long after the race's start (`t0`) this player's clock started, in ms. @param {State} state */
export const lateBy = (state) => ownRow(state)?.late_ms ?? state.lateMs;

/** Return when this player's game ends at the latest, or Infinity. In an open race each game has its own limit. @param {State} state */
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

/** Return the latest hint; null once the table has changed, or an act is on its way. @param {State} state */
export function hintInForce({ hinted, play }) {
  if (!play || !isIdle(play) || play.base.outcome) return null; // an outcome ends the game
  return hinted?.at === play.base.at ? hinted : null;
}

/** Return when a room's race ends at the latest, or Infinity. @param {RoomView} room */
export const endOf = ({ round }) => round?.t_end ?? Infinity;

/** Return how long a race still lasts, in ms; null without a limit. @param {RoomView} room @param {number} nowMs */
export const timeLeftOf = (room, nowMs) =>
  Number.isFinite(endOf(room)) ? Math.max(0, endOf(room) - nowMs) : null;

/** Return whether a race will end earlier than its old view said. @param {RoomView} old @param {RoomView} room */
export const endsSooner = (old, room) => endOf(room) < endOf(old);

/** Return whether a room's race is one round of several. @param {RoomView} room */
export const isOneOfSeveral = ({ match, settings }) => (match?.rounds ?? settings.rounds) > 1;

/** Return whether the match has more rounds to play. @param {RoomView} room */
export const hasRoundsLeft = ({ match }) => match !== null && match.rounds > 1 && !match.over;

/** @param {State} state */
export const amHost = (state) => state.me !== null && state.room?.host === state.me.seat;

/** Return whether this player is the host of a race that others are in, or may still enter. @param {State} state */
export const controlsRace = (state) =>
  amHost(state) &&
  state.room?.state === 'RUNNING' &&
  (state.room.seats.length > 1 || isOpenRace(state.room));

/** Return whether this player is the host and the only racer: stopping the race harms nobody. @param {State} state */
export function isOnlyRacer(state) {
  if (isOpenRaceOn(state.room)) return false; // others may come
  const racers =
    state.room?.seats.filter((seat) => seat.state !== 'WATCHING' && seat.state !== 'SEATED') ?? [];
  return amHost(state) && racers.length === 1 && racers[0]?.seat === state.me?.seat;
}

/** The settings of a practice room: only one person can play in it. */
export const PRACTICE = { max_players: 1, time_limit_s: null };

/** Return whether a room is for practice. @param {RoomView} room */
export const isPractice = ({ settings }) => settings.max_players === PRACTICE.max_players;

/** Return whether this is a practice room without spectators: there is nobody to chat or compare with. @param {RoomView | null} room */
export const isForOne = (room) => room !== null && isPractice(room) && room.seats.length === 1;

/** Return whether a person is alone in a room, perhaps with computer players. @param {RoomView} room */
export const isLone = ({ seats }) => seats.filter(({ level }) => !level).length < 2;

/**
 * The seat number of a ghost (an earlier game replayed alongside); no player has it. A seat's number determines its
 * colour: this one's is violet, which none of the first seats has.
 */
export const GHOST_SEAT = 1_000_003;
const OTHER_GHOST_SEAT = 1_000_001; // the seat of a ghost beside a violet player, in another colour

/** Return whether a seat is a ghost's. Ghosts are drawn as outlines. @param {number | undefined} seat */
export const isGhostSeat = (seat) => seat === GHOST_SEAT || seat === OTHER_GHOST_SEAT;

/** Return the ghost seat whose colour differs from this player's. @param {string} own the player's colour */
export const ghostSeatBeside = (own) =>
  own === SEAT_COLOURS[GHOST_SEAT % SEAT_COLOURS.length] ? OTHER_GHOST_SEAT : GHOST_SEAT;

/** Return the place to show for a player, null before their first act. (Old servers send no `has_acted`.) @param {Pick<Standing, 'place' | 'has_acted'>} standing */
export const shownPlace = ({ place, has_acted: hasActed }) => (hasActed === false ? null : place);

/** Return whether a player has acted in any game of a match, and not given it up. @param {Readonly<PlayerCard['lines']>} lines */
export const hasPlayed = (lines) =>
  lines.some((line) => line && line.has_acted !== false && !line.given_up);

/** Return the player who leads: alone in first place, and with points. Undefined if nobody does. @param {readonly Standing[]} standings */
export function leader(standings) {
  const [first, ...tied] = standings.filter((standing) => shownPlace(standing) === 1);
  return first && first.score > 0 && tied.length === 0 ? first : undefined;
}

/**
 * Return the colours of the seats in a room, and of the players of a finished round, who may have left. A server of
 * release 1.0 sends none: then the seat numbers decide.
 * @param {RoomView | null} room @param {{colours?: readonly ColouredSeat[]} | null} [round] @returns {Colours}
 */
export function coloursOf(room, round) {
  const known = [...(round?.colours ?? []), ...(room?.seats ?? [])];
  const colours = new Map(known.map(({ seat, colour }) => [seat, colour]));
  return (seat) => colours.get(seat) ?? SEAT_COLOURS[seat % SEAT_COLOURS.length] ?? '';
}

/** Return the colours of the other players of a room. @param {RoomView} room @param {number} me this player's seat */
export function takenColours(room, me) {
  const colours = coloursOf(room);
  const others = room.seats.filter(({ seat, role }) => role === 'player' && seat !== me);
  return new Set(others.map(({ seat }) => colours(seat)));
}

/**
 * Return the players whose boards this player may watch now, best first: all others, but none during their own game.
 * @param {State} state @returns {readonly Standing[]}
 */
export const watchable = (state) =>
  isWatching(state) && state.room?.settings.spectate === 'boards'
    ? state.standings.filter(({ seat }) => seat !== state.me?.seat)
    : [];

/** Return whether a race is on, but this player is not, or no longer, playing. @param {State} state */
export const isWatching = (state) => state.room?.state === 'RUNNING' && !plays(state);

/** Return whether this player has finished their game while the race goes on. @param {State} state */
export const isDone = (state) => isWatching(state) && isGameOver(mySeat(state));

/** Return whether a seat's game is over. @param {Pick<SeatView, 'state'> | undefined} seat */
export const isGameOver = (seat) =>
  seat !== undefined && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(seat.state);

/** Return whether there will be boards for this player to watch after their own game. @param {State} state */
export const canWatchLater = ({ room, me }) =>
  room?.settings.spectate === 'boards' &&
  !isOpenRaceOn(room) &&
  room.seats.some((each) => each.seat !== me?.seat && isPlaying(each));

/** Return whether this player sees other boards with the room's delay, as spectators and latecomers do. @param {State} state */
export function isDelayed(state) {
  const own = ownRow(state); // a spectator has none
  return !isOpenRaceOn(state.room) && (!own || own.late_ms !== null);
}

/** Return how many ms it takes until delayed boards show their first moves; 0 after that. @param {State} state @param {number} nowMs */
export function firstMovesIn(state, nowMs) {
  const { room } = state;
  if (room?.state !== 'RUNNING' || !room.round || !isDelayed(state)) return 0;
  return Math.max(0, room.round.t0 + room.settings.board_delay_s * 1_000 - nowMs);
}
