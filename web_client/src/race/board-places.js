// The places of boards: those of the two players who lead are large, the better one first. Pure.

import { isPlaying } from '../state/state.js';

/** @import {Standing} from '../contract/messages.d.ts' */

/** The number of large boards. */
export const LARGE_BOARDS = 2;

/** Return the players who still play, and then the others. @param {readonly Standing[]} standings best first */
export const playingFirst = (standings) => [
  ...standings.filter(isPlaying),
  ...standings.filter((each) => !isPlaying(each)),
];

/**
 * Return the seats in the order of their boards, the large ones first. The board of a new leader changes
 * places with the one that was large, and all small ones stay.
 * @param {readonly number[]} order the order before
 * @param {readonly Standing[]} standings as `playingFirst` returns them
 * @returns {number[]}
 */
export function placed(order, standings) {
  const leading = standings.slice(0, LARGE_BOARDS).map(({ seat }) => seat);
  const newcomers = standings.map(({ seat }) => seat).filter((seat) => !order.includes(seat));
  const isHere = (/** @type {number} */ seat) => standings.some((each) => each.seat === seat);
  const kept = order.flatMap((seat) => (isHere(seat) ? [seat] : newcomers.splice(0, 1)));
  const next = [...kept, ...newcomers];
  for (let i = 0; i < leading.length; i += 1) {
    if (leading.includes(next[i] ?? -1)) continue;
    const j = next.findIndex((seat, at) => at >= leading.length && leading.includes(seat));
    [next[i], next[j]] = [next[j] ?? -1, next[i] ?? -1];
  }
  return [...leading, ...next.slice(leading.length)];
}

/** Return the number of small boards in a row. @param {number} boards all small boards */
export const columns = (boards) => Math.min(6, Math.max(3, boards));
