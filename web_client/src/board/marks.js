// The marks on the board: of cards in hand, of piles on which they fit, of complete suits, of hints.

import { MAX_MOVE_COUNT } from '../contract/protocol.js';

/**
 * @import {Hand} from '../game/hand.js'
 * @import {Sprite} from './motion.js'
 * @typedef {{from: string, count: number, to: string}} HintMarks the last `count` cards of the pile `from`,
 *   and the pile `to`; '' is no pile
 * @typedef {object} Marks
 * @property {Hand | null} hand
 * @property {Hand | null} cursor of the keyboard
 * @property {ReadonlySet<string>} fitting piles on which the cards in hand fit; if there are none,
 *   those whose cards fit on the picked pile
 * @property {ReadonlySet<string>} complete piles that end in a complete suit
 * @property {ReadonlyMap<string, number>} movable how many cards of each pile can move, if marked
 * @property {HintMarks | null} hint
 * @property {string} found a card that is marked wherever it lies face up, or ''
 */

/** @type {Marks} */
export const NO_MARKS = {
  hand: null,
  cursor: null,
  fitting: new Set(),
  complete: new Set(),
  movable: new Map(),
  hint: null,
  found: '',
};

/**
 * Draw the marks of all piles and cards.
 * @param {ReadonlyMap<string, HTMLButtonElement>} buttons by pile
 * @param {ReadonlyMap<string, Sprite[]>} sprites by pile
 * @param {Marks} marks
 */
export function drawMarks(buttons, sprites, marks) {
  const { hand, cursor, hint, fitting, complete } = marks;
  for (const [id, button] of buttons) {
    button.setAttribute('aria-pressed', String(hand?.pile === id));
    setMarks(button, [
      fitting.has(id) && 'open',
      complete.has(id) && 'complete',
      hand?.pile === id && hand.count === 0 && 'chosen',
      cursor?.pile === id && 'cursor',
      hint?.to === id && 'hinted',
    ]);
    const row = sprites.get(id) ?? [];
    for (const sprite of row) markCard(sprite, id, row.length - sprite.index, marks);
  }
}

/** Set the marks of a card. @param {Sprite} sprite @param {string} pile @param {number} fromEnd 1 for the last card @param {Marks} marks */
function markCard(
  sprite,
  pile,
  fromEnd,
  { hand, cursor, fitting, complete, movable, hint, found },
) {
  setMarks(sprite.el, [
    hand?.pile === pile && fromEnd <= hand.count && 'held',
    cursor?.pile === pile && fromEnd <= cursor.count && 'cursor',
    fitting.has(pile) && fromEnd === 1 && 'target',
    complete.has(pile) && fromEnd <= MAX_MOVE_COUNT && 'complete',
    fromEnd <= (movable.get(pile) ?? 0) && 'movable',
    hint?.from === pile && fromEnd <= hint.count && 'hinted',
    hint?.to === pile && fromEnd === 1 && 'hinted',
    found !== '' && found === sprite.face && 'found',
  ]);
}

/** Set `data-marks`, which style sheets and tests read. @param {HTMLElement} element @param {(string | false)[]} all */
function setMarks(element, all) {
  const marks = all.filter(Boolean).join(' ');
  if ((element.dataset.marks ?? '') !== marks) element.dataset.marks = marks;
}
