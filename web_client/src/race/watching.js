// Whose boards may be looked at, and the asking for them: once a connection and a round. Pure,
// but for what is said.

import { mySeat, plays } from '../core/reducer.js';

/**
 * @import {ClientMessage, Standing} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 */

/** The server shows no more at a time. */
export const MOST = 8;

/** Whose boards this player may watch now, best first. @param {State} state @returns {readonly Standing[]} */
export function watchable({ room, me, standings }) {
  if (!room?.round || !me) return [];
  if (room.state === 'FINISHED') return standings;
  const racer = standings.some((standing) => standing.seat === me.seat);
  const open = room.state === 'RUNNING' && room.settings.spectate === 'boards' && !racer;
  return open ? standings : [];
}

/** Whether this player only looks on while others race. @param {State} state */
export function looksOn(state) {
  const finished = mySeat(state)?.state === 'FINISHED';
  return state.room?.state === 'RUNNING' && !state.play && !plays(state) && !finished;
}

/** @param {(message: ClientMessage) => void} say */
export function makeAsking(say) {
  let wish = '';
  let asked = false;
  return {
    /** @param {State} state @param {readonly number[]} seats at most `MOST` */
    update(state, seats) {
      const boards = seats.toSorted((a, b) => a - b);
      const { room, line } = state;
      const next = [room?.code, room?.round?.n, room?.state, line, ...boards].join();
      if (next === wish) return;
      wish = next;
      if (line !== 'on' || (boards.length === 0 && !asked)) return;
      asked = boards.length > 0;
      say({ type: 'watch', boards });
    },
    /** @param {State} state */
    end(state) {
      if (asked && state.line === 'on') say({ type: 'watch', boards: [] });
      asked = false;
    },
  };
}
