// How many cards the cursor of the manual may surround, and why no more (`seeds/` 3, III: "Cursor
// Up and Cursor Down Keys"). Pure.

import { rank, suit } from '../core/cards.js';
import { pileOf } from '../core/hand.js';

/**
 * @import {ErrorCode, RefusalDetails, Settings, TableView} from '../core/messages.d.ts'
 * @import {Hand} from '../core/hand.js'
 * @typedef {{code: ErrorCode, details: RefusalDetails}} Reason in the words of a refused move
 */

/** @param {ErrorCode} code @param {string[]} cards @param {string[]} piles @returns {Reason} */
const because = (code, cards, piles) => ({
  code,
  details: { cards, piles, fields: [], reason: null },
});

/**
 * Why so many cards are more than may be moved together; null if they are not. What the server
 * lists as legal is never too much.
 *
 * @param {TableView} table with the exceptions that can be made now and no others
 * @param {Hand} hand
 * @param {Settings['exceptions']} level
 * @param {boolean} free whether a run of mixed suits can be moved now
 * @returns {Reason | null}
 */
export function tooMany(table, { pile, count }, level, free) {
  const legal = table.legal.some(
    (action) => action.type === 'move' && action.from === pile && action.count >= count,
  );
  const { up = [], down = 0 } = pileOf(table, pile) ?? {};
  if (legal || count < 1) return null;
  if (count > up.length) return because(down > 0 ? 'face_down' : 'not_enough_cards', [], [pile]);
  const cards = up.slice(-count);
  /** @type {Reason | null} */
  let mixed = null;
  for (let i = cards.length - 1; i > 0; i--) {
    const pair = cards.slice(i - 1, i + 1);
    const [above = '', below = ''] = pair;
    if (rank(above) !== rank(below) + 1) return because('not_a_run', pair, [pile]);
    if (suit(above) !== suit(below) && !free)
      mixed ??= because(level === 'hard' ? 'exception_not_asked' : 'mixed_suits', pair, [pile]);
  }
  return mixed;
}
