// How many cards the cursor of the manual can surround, and why no more (`seeds/` 3, III: "Cursor
// Up and Cursor Down Keys"). Pure.

import { rank, suit } from '../core/cards.js';
import { pileOf } from '../core/hand.js';
import { ErrorCode } from '../core/protocol.js';

/**
 * @import {ErrorCode as Code, RefusalDetails, Settings} from '../core/messages.d.ts'
 * @import {TableView} from '../core/notation.js'
 * @import {Hand} from '../core/hand.js'
 * @typedef {{code: Code, details: RefusalDetails}} Reason as of a refused move
 */

/** @param {Code} code @param {string[]} cards @param {string[]} piles @returns {Reason} */
const because = (code, cards, piles) => ({
  code,
  details: { cards, piles, fields: [], reason: null },
});

/**
 * Return the reason for which these cards cannot be moved together; null if they can. A legal move
 * of the server never exceeds the limit.
 *
 * @param {TableView} table with the exceptions that can be made now, and no others
 * @param {Hand} hand
 * @param {Settings['exceptions']} level
 * @param {boolean} free whether a run of mixed suits can be moved now
 * @returns {Reason | null}
 */
export function cursorLimit(table, { pile, count }, level, free) {
  const legal = table.legal.some(
    (action) => action.type === 'move' && action.from === pile && action.count >= count,
  );
  const { up = [], down = 0 } = pileOf(table, pile) ?? {};
  if (legal || count < 1) return null;
  if (count > up.length)
    return because(down > 0 ? ErrorCode.FACE_DOWN : ErrorCode.NOT_ENOUGH_CARDS, [], [pile]);
  const cards = up.slice(-count);
  /** @type {Reason | null} */
  let mixed = null;
  for (let i = cards.length - 1; i > 0; i--) {
    const pair = cards.slice(i - 1, i + 1);
    const [above = '', below = ''] = pair;
    if (rank(above) !== rank(below) + 1) return because(ErrorCode.NOT_A_RUN, pair, [pile]);
    if (suit(above) !== suit(below) && !free)
      mixed ??= because(
        level === 'hard' ? ErrorCode.EXCEPTION_NOT_ASKED : ErrorCode.MIXED_SUITS,
        pair,
        [pile],
      );
  }
  return mixed;
}
