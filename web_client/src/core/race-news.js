// What has happened in a race between two standings: finishes, and suits that rivals have completed.
// Pure.

import { isPlaying } from './reducer.js';

/**
 * @import {Standing} from './messages.d.ts'
 * @typedef {object} RaceNews
 * @property {'finish' | 'end' | 'suit'} kind a game was won, has ended otherwise, or has one suit more
 * @property {Standing} standing
 */

/** @type {readonly RaceNews['kind'][]} */
const GREATEST_FIRST = ['finish', 'end', 'suit'];

/** @param {Standing} before @param {Standing} after @returns {RaceNews['kind'] | null} */
function kindOf(before, after) {
  if (after.won && !before.won) return 'finish';
  if (isPlaying(before) && !isPlaying(after)) return 'end';
  return after.suits > before.suits ? 'suit' : null;
}

/**
 * Return the news of the other players, the greatest first; none of a race that is seen for the
 * first time.
 *
 * @param {readonly Standing[]} before
 * @param {readonly Standing[]} after
 * @param {number} me this player's seat, or -1
 * @returns {RaceNews[]}
 */
export function raceNews(before, after, me) {
  const known = new Map(before.map((standing) => [standing.seat, standing]));
  const news = after.flatMap((standing) => {
    const old = standing.seat === me ? undefined : known.get(standing.seat);
    const kind = old && old !== standing ? kindOf(old, standing) : null;
    return kind ? [{ kind, standing }] : [];
  });
  const rank = (/** @type {RaceNews} */ { kind }) => GREATEST_FIRST.indexOf(kind);
  return news.sort((a, b) => rank(a) - rank(b));
}
