// The best results of a player who practises alone, kept in this browser.

import { storeBest, storedBest } from '../browser/storage.js';
import { bestOf, dealId, isBetter, resultOf } from '../state/next-game.js';
import { isForOne } from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {RoundOver} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 */

/**
 * Keep the result of a practice game that is over, and return a sentence about it; '' for a race, and
 * while nothing has been reached.
 * @param {State} state
 * @param {RoundOver} over
 */
export function keepBest({ room, me }, over) {
  const own = over.ranking.find(({ seat }) => seat === me?.seat);
  if (!room || !own || !isForOne(room)) return '';
  const { game } = room.settings;
  const now = resultOf(own);
  const deal = dealId(game, over.reveal);
  if (deal) storeBest('deal', deal, bestOf(storedBest('deal', deal), now));
  const before = storedBest('game', game);
  const best = bestOf(before, now);
  storeBest('game', game, best);
  if (isBetter(before, now)) return strings.newBest(best);
  return best.score > 0 || best.ms !== null ? strings.yourBest(best) : '';
}
