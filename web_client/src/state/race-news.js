// The news of a race between two standings: games that have ended, and suits that other players have
// completed. The banner, the status line and the sounds all take their news from here. Pure.

import { isPlaying } from './state.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @typedef {object} RaceNews
 * @property {'finish' | 'end' | 'suit'} kind a game was won, has ended otherwise, or has one suit more
 * @property {Standing} standing
 */

/** @type {readonly RaceNews['kind'][]} */
const MOST_IMPORTANT_FIRST = ['finish', 'end', 'suit'];

/**
 * Return whether the game of a standing has ended, and how it ended is known. The stats and the
 * state of a seat can come one after the other, in any order: the stats end a game that is still
 * `RACING`, and a game that is `FINISHED` has its time together with its win.
 * @param {Standing} standing
 */
export function hasEnded({ state, won, finished_ms }) {
  if (won) return true;
  if (isPlaying({ state })) return Number.isFinite(finished_ms);
  return state !== 'FINISHED' || finished_ms !== null;
}

/** Return the most important change of a standing. @param {Standing} before @param {Standing} after @returns {RaceNews['kind'] | null} */
function kindOf(before, after) {
  if (after.won && !before.won) return 'finish';
  if (hasEnded(after) && !hasEnded(before)) return 'end';
  return after.suits > before.suits ? 'suit' : null;
}

/**
 * Return the news of the other players, the most important first; none of players that `before` does
 * not have.
 * @param {readonly Standing[]} before
 * @param {readonly Standing[]} after
 * @param {number} me this player's seat, or -1
 * @returns {RaceNews[]}
 */
export function raceNews(before, after, me) {
  const oldStandings = new Map(before.map((standing) => [standing.seat, standing]));
  const news = after.flatMap((standing) => {
    const old = standing.seat === me ? undefined : oldStandings.get(standing.seat);
    const kind = old && old !== standing ? kindOf(old, standing) : null;
    return kind ? [{ kind, standing }] : [];
  });
  const rank = (/** @type {RaceNews} */ { kind }) => MOST_IMPORTANT_FIRST.indexOf(kind);
  return news.sort((a, b) => rank(a) - rank(b));
}
