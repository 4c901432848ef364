// Which boards a player may watch, and the request for them: once for each connection and round.

import { MAX_BOARDS } from '../core/protocol.js';
import { mySeat, plays } from '../core/reducer.js';

/**
 * @import {ClientMessage, Standing} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 */

/** Return the players whose boards this one may watch now, best first. @param {State} state @returns {readonly Standing[]} */
export function watchable({ room, me, standings }) {
  if (!room?.round || !me) return [];
  if (room.state === 'FINISHED') return standings;
  const racer = standings.some((standing) => standing.seat === me.seat);
  const open = room.state === 'RUNNING' && room.settings.spectate === 'boards' && !racer;
  return open ? standings : [];
}

/** Return whether this player only watches while others race. @param {State} state */
export function isWatching(state) {
  const finished = mySeat(state)?.state === 'FINISHED';
  return state.room?.state === 'RUNNING' && !state.play && !plays(state) && !finished;
}

/** Make the subscription to boards. @param {(message: ClientMessage) => void} send */
export function makeSubscription(send) {
  let wanted = '';
  let subscribed = false;
  return {
    /** Subscribe to the boards of these seats. @param {State} state @param {readonly number[]} seats */
    update(state, seats) {
      const boards = seats.slice(0, MAX_BOARDS).toSorted((a, b) => a - b);
      const { room, connection } = state;
      const next = [room?.code, room?.round?.n, room?.state, connection, ...boards].join();
      if (next === wanted) return;
      wanted = next;
      if (connection !== 'on' || (boards.length === 0 && !subscribed)) return;
      subscribed = boards.length > 0;
      send({ type: 'watch', boards });
    },
    /** @param {State} state */
    end(state) {
      if (subscribed && state.connection === 'on') send({ type: 'watch', boards: [] });
      subscribed = false;
    },
  };
}
