// The players who have joined and are not announced yet. Many may come within seconds: one sentence names
// them together.

import { strings } from '../strings/language.js';

/** @import {RoomView, SeatView} from '../contract/messages.d.ts' */

/** Make the collector of players who join. */
export function makeArrivals() {
  /** @type {SeatView[]} */
  let waiting = [];

  return {
    /** Collect who is new in a room, and drop those who have left again. @param {RoomView} old @param {RoomView} room */
    update(old, room) {
      const isIn = (/** @type {RoomView} */ { seats }, /** @type {SeatView} */ { seat }) =>
        seats.some((each) => each.seat === seat);
      const all = [...waiting, ...room.seats.filter((each) => !isIn(old, each))];
      waiting = all.filter((each) => isIn(room, each));
    },
    /** Return whether somebody waits to be announced. */
    any: () => waiting.length > 0,
    /** Return whether a player waits to be announced. @param {number} number of the seat */
    includes: (number) => waiting.some(({ seat }) => seat === number),
    /** Drop all. */
    clear() {
      waiting = [];
    },
    /** Return the sentence about all who wait, or ''. */
    take() {
      const names = waiting.map(({ name }) => name);
      waiting = [];
      return names.length > 0 ? strings.joined(names) : '';
    },
  };
}
