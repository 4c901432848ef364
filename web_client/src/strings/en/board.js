// The board: piles, cards in hand, typed moves and exceptions.

import { runs } from '../../core/cards.js';
import { capital, count, describe, list, pileName, several, short } from './start.js';

/**
 * @import {Settings, TablePile} from '../../core/messages.d.ts'
 */

export const EXCEPTION_ASKED = 'Exception: the next move may take a run of mixed suits.';

export const EXCEPTION_DROPPED = 'No exception after all.';

export const EXCEPTION_FREE = 'Exceptions need not be asked for here: just take a mixed run.';

/** @param {string} id */
export const pileTitle = (id) => capital(pileName(id));

/**
 * Return a pile and its contents; for a column also the length of its last run.
 *
 * @param {TablePile} pile
 */
export function pileLabel(pile) {
  const all = pile.down + pile.up.length;
  const last = pile.fan === 'down' && all > 1 ? runs(pile.up).at(-1)?.length : 0;
  const part = last ? `, ${last} of ${all}` : '';
  return `${pileTitle(pile.id)}: ${describe(pile)}${part}`;
}

/** @param {number} n */
export const faceDown = (n) => `${n} face down`;

/** Return the contents of Spider's foundations. @param {number} suits */
export const homeLabel = (suits) =>
  suits > 0 ? `${count(suits, 'suit')} home.` : 'No suit is home yet.';

/** Return the cards that the cursor surrounds. @param {readonly string[]} cards @param {string} pile */
export const holding = (cards, pile) =>
  `${count(cards.length, 'card')} of ${pileName(pile)}: ${several(cards)}.`;

/** Return the cards in hand. @param {readonly string[]} cards @param {string} pile */
export const taken = (cards, pile) =>
  cards.length > 0 ? `${several(cards)} in hand.` : `To ${pileName(pile)}: what?`;

/** @param {boolean} on @param {number} columns */
export const marked = (on, columns) =>
  on ? `What can move is marked: ${count(columns, 'column')}.` : 'Nothing is marked.';

/** @param {string} card @param {readonly {pile: string, above: number, home: boolean}[]} places */
export function located(card, places) {
  if (places.length === 0) return `${short(card)} does not lie face up.`;
  const where = places.map(({ pile, above, home }) => {
    if (home) return 'home';
    return `${pileName(pile)}${above > 0 ? ` under ${count(above, 'card')}` : ' at its end'}`;
  });
  return `${short(card)}: ${list(where)}.`;
}

export const PLAY = {
  noSuit: 'No complete suit stands at the end of a column.',
  noPlace: 'There is no place for these cards.',
  onlySpace: 'There is no place for these cards but a space.',
  dealAgain: 'Deal a row? Deal again to do it, Escape to play on.',
  notDone: 'Nothing is done.',
  whichRank: 'Find a card. Its rank: A, 2 to 9, 0 for a 10, J, Q or K?',
  whichSuit: 'Its suit: S, H, D or C?',
  nothingRefused: 'Nothing was refused.',
  suitsHome: 'Home',
  none: 'Nothing yet',
  box: 'Type a move',
  boxHow: '3 5 · 3x2 5 · d deals · u undoes · r 3 removes',
  boxGo: 'Go',
};

/** @type {Record<Settings['exceptions'], string>} */
export const LEVELS = {
  off: 'This room allows no exceptions.',
  easy: 'Level 1, easy: exceptions at any time.',
  hard: 'Level 2, hard: press X before an exception.',
};

export const UNFOLDED = {
  unfolded: 'Unfolded.',
  folded: 'Folded.',
  short: 'Nothing is folded here.',
};

export const TYPED = {
  /** @param {string} text */
  column: (text) => `There is no column ${text}.`,
  /** @param {string} text */
  words: (text) => `“${text}” is not a move. Type 3 5, 3x2 5, d, u or r 3.`,
};
