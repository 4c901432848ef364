// The board: piles, cards in hand, typed moves and exceptions.

import { runs } from '../../core/cards.js';
import { capital, count, describe, list, pileName, several, short } from './start.js';

/**
 * @import {Settings} from '../../core/messages.d.ts'
 * @import {TablePile} from '../../core/notation.js'
 */

export const EXCEPTION_ASKED = 'Exception: your next move can take a run of mixed suits.';

export const EXCEPTION_DROPPED = 'Exception cancelled.';

export const EXCEPTION_FREE = 'You don’t have to ask for exceptions here: just move a mixed run.';

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
  suits > 0 ? `${count(suits, 'suit')} removed.` : 'No suits removed yet.';

/** Return the cards that the cursor surrounds. @param {readonly string[]} cards @param {string} pile */
export const holding = (cards, pile) =>
  `${count(cards.length, 'card')} from ${pileName(pile)}: ${several(cards)}.`;

/** Return the cards in hand. @param {readonly string[]} cards @param {string} pile */
export const taken = (cards, pile) =>
  cards.length > 0 ? `${several(cards)} selected.` : `Move which cards to ${pileName(pile)}?`;

/** Return what was marked, or that the marks are removed. @param {boolean} on @param {number} columns */
export const marked = (on, columns) =>
  on ? `${count(columns, 'column')} can move.` : 'Marks are off.';

/** Return where a card was found. @param {string} card @param {readonly {pile: string, above: number, home: boolean}[]} places */
export function located(card, places) {
  if (places.length === 0) return `${short(card)} isn’t face up.`;
  const where = places.map(({ pile, above, home }) => {
    if (home) return 'on a foundation';
    return `${pileName(pile)}${above > 0 ? ` under ${count(above, 'card')}` : ' at its end'}`;
  });
  return `${short(card)}: ${list(where)}.`;
}

export const PLAY = {
  noSuit: 'No column ends in a complete suit.',
  noPlace: 'These cards don’t fit anywhere.',
  onlySpace: 'These cards only fit on an empty column.',
  dealAgain: 'Deal a row? Deal again to confirm, Escape to cancel.',
  notDone: 'Cancelled.',
  whichRank: 'Find a card. Which rank: A, 2 to 9, 0 for a 10, J, Q or K?',
  whichSuit: 'Which suit: S, H, D or C?',
  nothingRefused: 'No move was refused.',
  suitsHome: 'Suits removed',
  none: 'None yet',
  box: 'Type a move',
  boxHow: '3 5 · 3x2 5 · d deals · u undoes · r 3 removes',
  boxGo: 'Go',
};

/** @type {Record<Settings['exceptions'], string>} */
export const LEVELS = {
  off: 'Exceptions are off in this room.',
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
  column: (text) => `There’s no column ${text}.`,
  /** @param {string} text */
  words: (text) => `“${text}” is not a move. Type 3 5, 3x2 5, d, u or r 3.`,
};
