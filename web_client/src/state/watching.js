// Who may watch the boards of others, and when. Pure.

import { isOpenRaceOn, isPlaying, mySeat, ownRow, plays } from './state.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {State} from './state.js'
 */

/**
 * Return the players whose boards this one may watch now, best first: those of the others, once this
 * player's own game is over.
 * @param {State} state
 * @returns {readonly Standing[]}
 */
export const watchable = (state) =>
  isWatching(state) && state.room?.settings.spectate === 'boards'
    ? state.standings.filter(({ seat }) => seat !== state.me?.seat)
    : [];

/** Return whether this player only watches while others race. @param {State} state */
export const isWatching = (state) => state.room?.state === 'RUNNING' && !plays(state);

/** Return whether this player's own game of the running race is over. @param {State} state */
export const isDone = (state) =>
  isWatching(state) && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(mySeat(state)?.state ?? '');

/** Return whether this player can watch the boards of others once the own game is over. @param {State} state */
export const canWatchLater = ({ room, me }) =>
  room?.settings.spectate === 'boards' &&
  !isOpenRaceOn(room) &&
  room.seats.some((each) => each.seat !== me?.seat && isPlaying(each));

/** Return whether this player sees boards with the delay of the room, as all but racers do. @param {State} state */
export const isDelayed = (state) => !isOpenRaceOn(state.room) && ownRow(state)?.late_ms !== null; // of a spectator undefined

/** Return the ms until boards that are shown late have their first moves; 0 once they can have some. @param {State} state @param {number} now */
export function firstMovesIn(state, now) {
  const { room } = state;
  if (room?.state !== 'RUNNING' || !room.round || !isDelayed(state)) return 0;
  return Math.max(0, room.round.t0 + room.settings.board_delay_s * 1_000 - now);
}
