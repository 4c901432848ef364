// Positions in the project's notation, for pictures: `t0: [5H 6C] KS-9S 8H; t1: 2D`. Pure.
//
// The cards of a pile go from bottom to top; those in brackets lie face down; `KS-9S` is a run.

import { RANKS } from '../contract/protocol.js';

/**
 * @typedef {{cards: readonly string[], down: number}} Pile the first `down` cards lie face down
 * @typedef {ReadonlyMap<string, Pile>} Position by the name of the pile
 */

/** @type {Pile} */
export const EMPTY = { cards: [], down: 0 };

/** Return the cards of a word. @param {string} word a card, or the first and the last of a run */
function cardsOf(word) {
  const [first = '', last = first] = word.split('-');
  const [from, to] = [RANKS.indexOf(first.charAt(0)), RANKS.indexOf(last.charAt(0))];
  const step = Math.sign(to - from);
  return Array.from(
    { length: Math.abs(to - from) + 1 },
    (_, i) => RANKS.charAt(from + i * step) + first.charAt(1),
  );
}

/** Return the cards of words. @param {string} words */
const allCardsOf = (words) => words.split(' ').filter(Boolean).flatMap(cardsOf);

/**
 * Parse a position. Piles that the text omits are as in `base`.
 * @param {string} text
 * @param {Position} [base]
 * @returns {Position}
 */
export function parsePosition(text, base) {
  const piles = new Map(base);
  for (const part of text.split(';')) {
    const [, name = '', hidden = '', open = ''] =
      /^ *(\w+): *(?:\[([^\]]*)\])?(.*)$/.exec(part) ?? [];
    const down = allCardsOf(hidden);
    piles.set(name, { cards: [...down, ...allCardsOf(open)], down: down.length });
  }
  return piles;
}

/** Return how many cards at the beginning of a pile are the same as in the other one. @param {Pile} one @param {Pile} other */
export function sameCards(one, other) {
  const index = one.cards.findIndex((card, i) => card !== other.cards[i]);
  return index < 0 ? one.cards.length : index;
}
