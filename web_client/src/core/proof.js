// Whether a deal is what was promised: the seal is that of the seed, and the deck that of the
// seed. Both are worked out here, from what was heard before the race and after it. Pure.

import { deckOf } from './deals.js';
import { strings } from './language.js';
import { keepsPromise } from './sha256.js';

/**
 * @import {Reveal} from './messages.d.ts'
 * @typedef {{good: boolean, title: string, text: string}} Verdict
 */

/**
 * @param {string} game
 * @param {string | null | undefined} promised the seal as it was shown before the race
 * @param {Reveal} reveal
 * @returns {Verdict}
 */
export function verdict(game, promised, { deal, number, seed, salt, commitment, deck }) {
  const seal = promised ?? commitment;
  const sealed = Boolean(seed && salt && seal && keepsPromise(seed, salt, seal));
  const dealt = Boolean(seed && deckOf(game, seed).join() === deck.join());
  const title = number === null ? strings.PROOF.open : `${strings.PROOF.open} ${number}`;
  if (deal === 'numbered') return { good: true, title, text: strings.PROOF.numbered };
  if (deal === 'seed')
    return dealt
      ? { good: true, title, text: strings.PROOF.seeded }
      : { good: false, title: strings.PROOF.bad, text: strings.PROOF.otherDeck };
  if (!sealed) return { good: false, title: strings.PROOF.bad, text: strings.PROOF.otherSeal };
  return dealt
    ? { good: true, title: strings.PROOF.good, text: strings.PROOF.sealed }
    : { good: false, title: strings.PROOF.bad, text: strings.PROOF.otherDeck };
}
