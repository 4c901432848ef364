// Finding a card: it is named by its rank and then its suit, and marked wherever it lies face up.

import { RANKS, SUITS } from '../contract/protocol.js';
import { strings } from '../strings/language.js';

/** @import {TableView} from '../contract/notation.js' */

/**
 * Return where a card lies face up.
 * @param {TableView} table
 * @param {string} card
 * @returns {{pile: string, above: number, home: boolean}[]} `above` is the number of cards on it, `home`
 *   whether it is on a foundation
 */
export function placesOf(table, card) {
  return table.piles.flatMap(({ id, role, up }) =>
    up.flatMap((each, i) =>
      each === card ? [{ pile: id, above: up.length - i - 1, home: role === 'foundation' }] : [],
    ),
  );
}

/** Make the reader of the two keys that name a card. @param {{announce: (text: string) => void, found: (card: string) => void}} effects */
export function makeLocator(effects) {
  /** Null while no card is asked for, '' before the rank. @type {string | null} */
  let named = null;
  return {
    /** Ask for a card. */
    ask() {
      named = '';
      effects.announce(strings.PLAY.whichRank);
    },
    /** Read a key. @param {string} key @returns {boolean} whether a card is being named */
    receive(key) {
      if (named === null || key === 'Shift') return false;
      // The ten is typed as T, 1 or 0: a name has one key for the rank.
      const sign = key === '0' || key === '1' ? 'T' : key.toUpperCase();
      if (named === '' && sign.length === 1 && RANKS.includes(sign)) {
        named = sign;
        effects.announce(strings.PLAY.whichSuit);
      } else if (named && sign.length === 1 && SUITS.includes(sign)) {
        effects.found(named + sign);
        named = null;
      } else {
        named = null;
        effects.announce(strings.PLAY.notDone);
      }
      return true;
    },
  };
}
