// Who may watch the boards of others, and when. Pure.

import { isOpenRaceOn, isPlaying, mySeat, ownRow, plays } from './state.js';

/**
 * @import {SeatView, Standing} from '../contract/messages.d.ts'
 * @import {State} from './state.js'
 */

/**
 * Return the players whose boards this one may watch now, best first: all others, once this player has no game on.
 * @param {State} state
 * @returns {readonly Standing[]}
 */
export const watchable = (state) =>
  isWatching(state) && state.room?.settings.spectate === 'boards'
    ? state.standings.filter(({ seat }) => seat !== state.me?.seat)
    : [];

/** Return whether this player only watches while others race. @param {State} state */
export const isWatching = (state) => state.room?.state === 'RUNNING' && !plays(state);

/** Return whether this player has finished their game while the race goes on. @param {State} state */
export const isDone = (state) => isWatching(state) && isGameOver(mySeat(state));

/** Return whether the game of a seat is over. @param {Pick<SeatView, 'state'> | undefined} seat */
export const isGameOver = (seat) =>
  seat !== undefined && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(seat.state);

/** Return whether this player will have boards to watch after their own game. @param {State} state */
export const canWatchLater = ({ room, me }) =>
  room?.settings.spectate === 'boards' &&
  !isOpenRaceOn(room) &&
  room.seats.some((each) => each.seat !== me?.seat && isPlaying(each));

/** Return whether this player sees boards with the delay of the room. Those who have raced see them without. @param {State} state */
export const isDelayed = (state) => !isOpenRaceOn(state.room) && ownRow(state)?.late_ms !== null; // undefined for a spectator

/** Return the ms until delayed boards show their first moves; 0 after that. @param {State} state @param {number} nowMs */
export function firstMovesIn(state, nowMs) {
  const { room } = state;
  if (room?.state !== 'RUNNING' || !room.round || !isDelayed(state)) return 0;
  return Math.max(0, room.round.t0 + room.settings.board_delay_s * 1_000 - nowMs);
}
