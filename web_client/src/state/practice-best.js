// The best results of a player who practises alone: the highest score, and the shortest time of a win.
// Pure.

/**
 * @import {Reveal, Settings, Standing} from '../contract/messages.d.ts'
 * @typedef {{score: number, ms: number | null}} Best `ms` is null without a win
 */

/** Return the id of a deal that can be dealt again, or null. @param {string} game @param {Pick<Reveal | Settings, 'number' | 'seed'>} deal */
export function dealId(game, { number, seed }) {
  const id = seed ?? number;
  return id === null || id === undefined ? null : `${game} ${id}`;
}

/** Return the result of a game. @param {Pick<Standing, 'score' | 'won' | 'finished_ms'>} standing @returns {Best} */
export const resultOf = ({ score, won, finished_ms }) => ({ score, ms: won ? finished_ms : null });

/** Return the better of two scores, and of two times. @param {Best | null} old @param {Best} now @returns {Best} */
export function bestOf(old, now) {
  if (!old) return now;
  const times = [old.ms, now.ms].filter((ms) => ms !== null);
  return {
    score: Math.max(old.score, now.score),
    ms: times.length > 0 ? Math.min(...times) : null,
  };
}

/** Return whether a result is better than the best one before, in score or in time. @param {Best | null} old @param {Best} now */
export function isBetter(old, now) {
  const best = bestOf(old, now);
  return old !== null && (best.score > old.score || best.ms !== old.ms);
}
