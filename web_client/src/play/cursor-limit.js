// The limit of the cards that the cursor of the keyboard can surround, and the reason for it
// (`seeds/` 3, III: "Cursor Up and Cursor Down Keys"). Pure.

import { ErrorCode } from '../contract/protocol.js';
import { rank, suit } from '../game/cards.js';
import { pileOf } from '../game/hand.js';

/**
 * @import {ErrorCode as Code, RefusalDetails, Settings} from '../contract/messages.d.ts'
 * @import {TableView} from '../contract/notation.js'
 * @import {Hand} from '../game/hand.js'
 * @typedef {{code: Code, details: RefusalDetails}} Reason as of a refused move
 */

/** Make a reason. @param {Code} code @param {string[]} cards @param {string[]} piles @returns {Reason} */
const makeReason = (code, cards, piles) => ({
  code,
  details: { cards, piles, fields: [], reason: null },
});

/**
 * Return why these cards cannot be moved together; null if they can. The cards of a legal move
 * always can.
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
    return makeReason(down > 0 ? ErrorCode.FACE_DOWN : ErrorCode.NOT_ENOUGH_CARDS, [], [pile]);
  const cards = up.slice(-count);
  /** @type {Reason | null} */
  let mixed = null;
  for (let i = cards.length - 1; i > 0; i--) {
    const pair = cards.slice(i - 1, i + 1);
    const [above = '', below = ''] = pair;
    if (rank(above) !== rank(below) + 1) return makeReason(ErrorCode.NOT_A_RUN, pair, [pile]);
    if (suit(above) !== suit(below) && !free)
      mixed ??= makeReason(
        level === 'hard' ? ErrorCode.EXCEPTION_NOT_ASKED : ErrorCode.MIXED_SUITS,
        pair,
        [pile],
      );
  }
  return mixed;
}
