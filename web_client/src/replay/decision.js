// The moment at which a race was decided. Pure.
//
// The moment is the last change of the lead, if the new leader is the only winner. As in `leads()`, points
// alone give the lead; players who have won are above all others, and players who gave up below. A tie
// is no change. Where the score counts moves there is no lead, and the win decides.

import { lastLeader, leads } from './scores-over-time.js';

/**
 * @import {RoundCourse, Standing} from '../contract/messages.d.ts'
 * @typedef {object} Decision
 * @property {number} ms
 * @property {'led' | 'lead' | 'home' | 'quit'} kind `led`: the winner was the only leader; `lead`: the
 *   winner took the lead; `home`: the winner finished from behind; `quit`: the leader gave up
 * @property {number} seat of the winner, or of the player who gave up
 */

/** Return the players on a ranking, best first. @param {readonly Standing[]} ranking */
export const ranked = (ranking) => ranking.filter(({ place }) => place !== null);

/** Return whether a round was won by one player against others. @param {{ranking: readonly Standing[], winners?: readonly number[]}} round */
export const hasOneWinner = ({ ranking, winners = [] }) =>
  winners.length === 1 && ranked(ranking).length > 1;

/** Return the moment at which a round was decided; null if there is none. @param {RoundCourse} round @returns {Decision | null} */
export function decisionOf(round) {
  const { ranking, winners = [], settings } = round;
  const winner = ranking.find((each) => each.seat === winners[0]);
  if (!hasOneWinner(round) || !winner) return null;
  const { seat, won, finished_ms: finishedMs } = winner;
  if (settings.score === 'moves')
    return won && finishedMs !== null ? { ms: finishedMs, kind: 'home', seat } : null;
  if (lastLeader(round) !== seat) return null;
  const changes = leads(round);
  const last = changes.at(-1);
  const before = changes.at(-2);
  if (!last) return null;
  const { ms } = last;
  if (!before) return { ms, kind: 'led', seat };
  if (won && ms === finishedMs) return { ms, kind: 'home', seat };
  const leader = ranking.find((each) => each.seat === before.seat);
  const hasQuit = leader?.state === 'FORFEIT' && !leader.won && leader.finished_ms === ms;
  return hasQuit ? { ms, kind: 'quit', seat: before.seat } : { ms, kind: 'lead', seat };
}
