// The moments of a finish.

/** @import {PhotoFinish} from '../../state/first-home.js' */

/** Return the words after the name of a player who is home first. @param {boolean} forCertain whether that wins the race */
export const homeFirst = (forCertain) => (forCertain ? ' wins!' : ' finished first!');

export const PHOTO_FINISH = 'Photo finish: ';

/** @param {number} ms */
const split = (ms) => (ms < 10 ? `${ms} ms` : `${(Math.floor(ms / 10) / 100).toFixed(2)} s`);

/** Return the margin of a photo finish in words. @param {PhotoFinish} photo @param {number} me this player's seat, or -1 */
export function photoBy({ first, second, ms }, me) {
  if (first.seat === me) return `${split(ms)} before ${second.name}`;
  if (second.seat === me) return `${split(ms)} behind ${first.name}`;
  return `${first.name}, ${split(ms)} before ${second.name}`;
}
