// The names of cards and piles, for the sentences of the race.

import { rank, sign, suit } from '../../game/cards.js';

/** @type {Record<string, string>} */
export const SUIT_NAMES = { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs' };

export const RANK_NAMES = [
  'ace',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '10',
  'jack',
  'queen',
  'king',
];

export const short = sign;

/** Return the rank of a card in words. @param {string} card */
export const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;

/** Return a card in words. @param {string} card e.g. `9 of spades` */
export const spoken = (card) => `${rankName(card)} of ${SUIT_NAMES[suit(card)]}`;

/** @type {Record<string, string>} */
const PILES = { t: 'column', u: 'upper pile', l: 'lower pile', f: 'foundation' };

/** Return the name of a pile in a sentence. @param {string} id */
export function pileName(id) {
  const kind = PILES[id.charAt(0)];
  if (id === 'stock' || !kind) return 'the stock';
  return `${kind} ${Number(id.slice(1)) + 1}`;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
