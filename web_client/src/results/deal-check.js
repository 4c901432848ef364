// The check of a deal: both the hash that was shown before the race and the deck must be those of the
// seed. Both are computed in the browser. Pure.

import { deckOf, keepsCommitment } from '../game/deals.js';
import { strings } from '../strings/language.js';

/**
 * @import {Reveal} from '../contract/messages.d.ts'
 * @typedef {{good: boolean, title: string, text: string}} Verdict
 */

/**
 * Check a deal.
 * @param {string} game
 * @param {string | null | undefined} promised the hash as it was shown before the race
 * @param {Reveal} reveal
 * @returns {Verdict}
 */
export function verdict(game, promised, { deal, number, seed, salt, commitment, deck }) {
  const hash = promised ?? commitment;
  const keepsHash = Boolean(seed && salt && hash && keepsCommitment(seed, salt, hash));
  const hasDeck = Boolean(seed && deckOf(game, seed).join() === deck.join());
  const title = number === null ? strings.PROOF.open : `${strings.PROOF.open} ${number}`;
  if (deal === 'numbered') return { good: true, title, text: strings.PROOF.numbered };
  if (deal === 'seed')
    return hasDeck
      ? { good: true, title, text: strings.PROOF.seeded }
      : { good: false, title: strings.PROOF.bad, text: strings.PROOF.otherDeck };
  if (!keepsHash) return { good: false, title: strings.PROOF.bad, text: strings.PROOF.otherSeal };
  return hasDeck
    ? { good: true, title: strings.PROOF.good, text: strings.PROOF.sealed }
    : { good: false, title: strings.PROOF.bad, text: strings.PROOF.otherDeck };
}
