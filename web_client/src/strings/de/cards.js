// The names of cards and piles, for the sentences of the race.

import { rank, suit } from '../../game/cards.js';

/** @type {Record<string, string>} */
export const SUIT_NAMES = { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' };

export const RANK_NAMES = [
  'Ass',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '10',
  'Bube',
  'Dame',
  'König',
];

/** Return the rank of a card in words. @param {string} card */
export const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;

/** Return a card in words. @param {string} card */
export function spoken(card) {
  const name = rankName(card);
  return `${SUIT_NAMES[suit(card)]}${/\d/.test(name) ? ' ' : '-'}${name}`;
}

/** Cards are spelled out, since their faces have J and Q. @param {string} card */
export const short = spoken;

/** @type {Record<string, string>} */
const PILES = { t: 'Stapel', u: 'Stapel oben', l: 'Stapel unten', f: 'Ablage' };

/** Return the name of a pile in a sentence. @param {string} id */
export function pileName(id) {
  const kind = PILES[id.charAt(0)];
  if (id === 'stock' || !kind) return 'Talon';
  return `${kind} ${Number(id.slice(1)) + 1}`;
}
