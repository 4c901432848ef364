// A card is asked for by its rank and then its suit, and pointed out wherever it lies face up.

import { RANKS, SUITS } from '../core/cards.js';
import { strings } from '../core/language.js';

/** @import {TableView} from '../core/messages.d.ts' */

/**
 * Where a card lies face up.
 *
 * @param {TableView} table
 * @param {string} card
 * @returns {{pile: string, above: number, home: boolean}[]} `above` cards lie on it
 */
export function placesOf(table, card) {
  return table.piles.flatMap(({ id, role, up }) =>
    up.flatMap((each, i) =>
      each === card ? [{ pile: id, above: up.length - i - 1, home: role === 'foundation' }] : [],
    ),
  );
}

/**
 * The two keys after the one that asks.
 *
 * @param {{announce: (text: string) => void, found: (card: string) => void}} says
 */
export function bindLocator(says) {
  /** @type {string | null} null while nothing is asked, '' before the rank */
  let asked = null;
  return {
    ask() {
      asked = '';
      says.announce(strings.PLAY.whichRank);
    },
    /** @param {string} key @returns {boolean} whether it was for this */
    hear(key) {
      if (asked === null || key === 'Shift') return false;
      const sign = key === '0' || key === '1' ? 'T' : key.toUpperCase();
      if (asked === '' && sign.length === 1 && RANKS.includes(sign)) {
        asked = sign;
        says.announce(strings.PLAY.whichSuit);
      } else if (asked && sign.length === 1 && SUITS.includes(sign)) {
        says.found(asked + sign);
        asked = null;
      } else {
        asked = null;
        says.announce(strings.PLAY.notDone);
      }
      return true;
    },
  };
}
