// The boards that a player may watch, and the subscription to them, which is sent once for each
// connection and round.

import { MAX_BOARDS } from '../contract/protocol.js';
import { isPlaying, mySeat, plays } from '../state/state.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
 */

/**
 * Return the players whose boards this one may watch now, best first: in a running race those of the
 * others, once this player's own game is over.
 * @param {State} state
 * @returns {readonly Standing[]}
 */
export function watchable(state) {
  const { room, me, standings } = state;
  if (!room?.round || !me) return [];
  if (room.state === 'FINISHED') return standings;
  const isAllowed = room.settings.spectate === 'boards' && isWatching(state);
  return isAllowed ? standings.filter(({ seat }) => seat !== me.seat) : [];
}

/** Return whether this player only watches while others race. @param {State} state */
export const isWatching = (state) => state.room?.state === 'RUNNING' && !plays(state);

/** Return whether this player's own game of the running race is over. @param {State} state */
export const isDone = (state) =>
  isWatching(state) && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(mySeat(state)?.state ?? '');

/** Return whether this player can watch the boards of others once the own game is over. @param {State} state */
export const canWatchLater = ({ room, me }) =>
  room?.settings.spectate === 'boards' &&
  room.seats.some((each) => each.seat !== me?.seat && isPlaying(each));

/** Return whether this player sees boards with the delay of the room, as all but racers do. @param {State} state */
export function isDelayed(state) {
  const ownStanding = state.standings.find(({ seat }) => seat === state.me?.seat);
  return !ownStanding || ownStanding.late_ms !== null;
}

/**
 * Return the ms until boards that are shown late have their first moves; 0 once they can have some.
 * @param {State} state
 * @param {number} now
 */
export function firstMovesIn(state, now) {
  const { room } = state;
  if (room?.state !== 'RUNNING' || !room.round || !isDelayed(state)) return 0;
  return Math.max(0, room.round.t0 + room.settings.board_delay_s * 1_000 - now);
}

/** Make the subscription to boards. @param {(message: ClientMessage) => void} send */
export function makeSubscription(send) {
  let latest = '';
  let subscribed = false;
  return {
    /** Subscribe to the boards of these seats, if anything has changed. @param {State} state @param {readonly number[]} seats */
    update(state, seats) {
      const boards = seats.slice(0, MAX_BOARDS).toSorted((a, b) => a - b);
      const { room, connection } = state;
      const next = [room?.code, room?.round?.n, room?.state, connection, ...boards].join();
      if (next === latest) return;
      latest = next;
      if (connection !== 'on' || (boards.length === 0 && !subscribed)) return;
      subscribed = boards.length > 0;
      send({ type: 'watch', boards });
    },
    /** Unsubscribe. @param {State} state */
    end(state) {
      if (subscribed && state.connection === 'on') send({ type: 'watch', boards: [] });
      subscribed = false;
    },
  };
}
