// Pointers on the board: drag, click and click, double click, right click, middle click, long press. A
// press acts when it ends.

import { carriedBox, carry, drop, liftCards, pileAt } from '../board/board.js';
import { mostCovered } from '../board/geometry.js';
import { pileOf, targets } from '../game/hand.js';
import { listen } from '../widgets/element.js';
import { autoMove, deal, grab, isOfCompleteSuit, pick, put, tableOf, tap } from './player.js';

/**
 * @import {Fold} from '../board/column.js'
 * @import {Hand} from '../game/hand.js'
 * @import {Board} from '../board/board.js'
 * @import {Player} from './player.js'
 * @typedef {object} Contents the list of a pile's cards
 * @property {(pile: string) => void} show
 * @property {() => void} hide
 * @property {(pile: string) => void} unfold
 * @typedef {object} Press a pointer that is down
 * @property {number} id of the pointer
 * @property {number} x
 * @property {number} y
 * @property {Hand} hand the cards under it
 * @property {number} index of the first of them
 * @property {Fold | null} fold the badge under it
 * @property {number} threshold the distance in px from which it is a drag
 * @property {boolean} movable whether the cards can be dragged
 * @property {boolean} touch whether it is a finger
 * @property {boolean} middle whether it is the middle button
 * @property {boolean} dragging
 * @property {boolean} shown whether it lasted so long that the pile's contents are shown
 * @property {number} time at which it began
 * @typedef {object} Drag
 * @property {Board} board
 * @property {Player} player
 * @property {Contents} contents
 * @property {Press | null} press
 * @property {{pile: string, index: number, time: number}} last click, which may become a double one
 * @property {ReturnType<typeof setTimeout> | undefined} longPress
 * @property {{pile: string, until: number}} ignored clicks on this pile before this time: they
 *   belong to a double click whose first click has made a move
 * @property {() => void} unbind
 */

const MOUSE_THRESHOLD_PX = 4;
const TOUCH_THRESHOLD_PX = 10;
const DOUBLE_MS = 350;
const LONG_MS = 500;
const [LEFT_BUTTON, MIDDLE_BUTTON] = [0, 1];
const NO_CLICK = { pile: '', index: -1, time: 0 };

/** Bind pointers to a board. @param {Board} board @param {Player} player @param {Contents} contents @returns {Drag} */
export function bindDrag(board, player, contents) {
  const { root } = board;
  /** @type {Drag} */
  const drag = {
    board,
    player,
    contents,
    press: null,
    last: NO_CLICK,
    longPress: undefined,
    ignored: { pile: '', until: 0 },
    unbind() {
      cancel(drag);
      for (const unbind of unbinders) unbind();
    },
  };
  const unbinders = [
    listen(root, 'pointerdown', (event) => start(drag, event)),
    listen(root, 'pointermove', (event) => move(drag, event)),
    listen(root, 'pointerup', (event) => end(drag, event)),
    listen(root, 'pointercancel', () => cancel(drag)),
    listen(root, 'contextmenu', (event) => contextMenu(drag, event)),
    listen(root, 'click', (event) => clickWithoutPointer(drag, event)),
    // The middle button must not scroll.
    listen(root, 'mousedown', (event) => event.button === MIDDLE_BUTTON && event.preventDefault()),
    listen(root, 'dragstart', (event) => event.preventDefault()),
  ];
  return drag;
}

/** Return the cards from the hit one to the end of its pile. @param {Drag} drag @param {{pile: string, index: number}} hit @returns {Hand} */
function handAt({ player }, { pile, index }) {
  const view = tableOf(player);
  const { down = 0, up = [] } = (view && pileOf(view, pile)) ?? {};
  return { pile, count: index >= down ? down + up.length - index : 0 };
}

/** Begin a press. @param {Drag} drag @param {PointerEvent} event */
function start(drag, event) {
  const middle = event.button === MIDDLE_BUTTON;
  if (drag.press || !(middle || event.button === LEFT_BUTTON) || !event.isPrimary) return;
  const hit = pileAt(drag.board, event);
  const view = tableOf(drag.player);
  if (!hit || !view) return;
  const hand = handAt(drag, hit);
  const { fold, index } = hit;
  const movable =
    hand.count > 0 && fold?.kind !== 'top' && pileOf(view, hit.pile)?.role === 'tableau';
  const threshold = event.pointerType === 'mouse' ? MOUSE_THRESHOLD_PX : TOUCH_THRESHOLD_PX;
  const touch = event.pointerType === 'touch';
  const { pointerId: id, clientX: x, clientY: y, timeStamp: time } = event;
  drag.press = {
    ...{ id, x, y, hand, index, fold, threshold, movable, touch, middle, time },
    dragging: false,
    shown: false,
  };
  drag.board.root.setPointerCapture(id);
  drag.contents.hide();
  clearTimeout(drag.longPress);
  drag.longPress = setTimeout(() => showContents(drag), LONG_MS);
}

/** Move the dragged cards; a press that has moved far enough becomes a drag. @param {Drag} drag @param {PointerEvent} event */
function move(drag, event) {
  const { press, board } = drag;
  if (!press || event.pointerId !== press.id) return;
  const dx = event.clientX - press.x;
  const dy = event.clientY - press.y;
  if (!press.dragging) {
    if (Math.hypot(dx, dy) < press.threshold) return;
    clearTimeout(drag.longPress);
    if (!press.movable) return;
    drag.contents.hide();
    press.dragging = true;
    liftCards(board, press.hand.pile, press.index);
    grab(drag.player, press.hand);
  }
  if (board.lifted.length > 0) carry(board, dx, dy, event.timeStamp);
  else cancel(drag); // the table changed under the cards
}

/** End a press with its act: a drop, a click, or none after a long press. @param {Drag} drag @param {PointerEvent} event */
function end(drag, event) {
  const { press } = drag;
  if (!press || event.pointerId !== press.id) return;
  drag.press = null;
  clearTimeout(drag.longPress);
  const { dragging, hand, fold, shown, time } = press;
  const { ignored } = drag;
  // On a busy device the event of a short press comes late, but its time stamp is right.
  const long = shown && event.timeStamp - time >= LONG_MS;
  if (shown && !long && !dragging) drag.contents.hide();
  if (dragging) release(drag, hand);
  else if (long) return;
  else if (fold) openFold(drag, hand.pile, fold);
  else if (press.middle) takePart(drag, hand);
  else if (hand.pile !== ignored.pile || event.timeStamp >= ignored.until)
    click(drag, press, event.timeStamp);
}

/** End a press without an act; dragged cards go back. @param {Drag} drag */
export function cancel(drag) {
  const { press } = drag;
  if (!press) return;
  drag.press = null;
  clearTimeout(drag.longPress);
  if (!press.dragging) return;
  grab(drag.player, null);
  drop(drag.board);
}

/** Show the contents of a pile after a long press, which may still become a drag. @param {Drag} drag */
function showContents({ press, contents }) {
  if (!press || press.dragging) return;
  press.shown = true;
  contents.show(press.hand.pile);
}

/** Unfold a run; a folded top is shown as a list, since there is no room for it. @param {Drag} drag @param {string} pile @param {Fold} fold */
function openFold({ contents }, pile, fold) {
  if (fold.kind === 'run') contents.unfold(pile);
  else contents.show(pile);
}

/** Put dragged cards on the pile that they cover most, a legal one first. @param {Drag} drag @param {Hand} hand */
function release({ board, player }, hand) {
  const view = tableOf(player);
  const box = carriedBox(board);
  grab(player, null);
  if (view && box) {
    const others = view.piles.filter((pile) => pile.role !== 'stock').map((pile) => pile.id);
    const legal = mostCovered(board.layout, targets(view, hand), box);
    const to = legal ?? mostCovered(board.layout, others, box);
    if (to && to !== hand.pile) put(player, hand, to);
  }
  drop(board);
}

/** Act on a click, by the role of its pile and the click before. @param {Drag} drag @param {Press} press @param {number} time */
function click(drag, { hand, index, touch }, time) {
  const { player, contents, last } = drag;
  const view = tableOf(player);
  const pile = view && pileOf(view, hand.pile);
  if (pile?.role === 'stock') {
    deal(player);
    return;
  }
  if (pile?.role === 'foundation' && !player.hand) {
    contents.show(pile.id);
    return;
  }
  // A double click anywhere on a complete suit removes it, so the two clicks may hit different cards.
  const sameCard = last.index === index || isOfCompleteSuit(player, hand);
  const isDouble = last.pile === hand.pile && sameCard && time - last.time < DOUBLE_MS;
  drag.last = NO_CLICK;
  if (isDouble && hand.count > 0) autoMove(player, hand);
  else if (hand.count > 0 && tap(player, hand, touch))
    drag.ignored = { pile: hand.pile, until: time + DOUBLE_MS }; // it may be a double click
  else if (pick(player, hand.pile, hand.count)) drag.last = { pile: hand.pile, index, time };
}

/**
 * Make the best move by a right click. A long press of a finger, which is no right click, has its own timer.
 * @param {Drag} drag
 * @param {MouseEvent} event
 */
function contextMenu(drag, event) {
  event.preventDefault();
  const touch = 'pointerType' in event && event.pointerType !== 'mouse';
  const hit = pileAt(drag.board, event);
  if (touch || drag.press?.dragging || !hit) return;
  drag.press = null;
  clearTimeout(drag.longPress);
  const hand = handAt(drag, hit);
  if (hand.count > 0) autoMove(drag.player, hand);
}

/**
 * Take the cards from the clicked one on, without choosing a move for them; or put the cards in
 * hand down there. A run is divided in this way (`seeds/` 1).
 * @param {Drag} drag
 * @param {Hand} hand
 */
function takePart(drag, hand) {
  const view = tableOf(drag.player);
  const role = view && pileOf(view, hand.pile)?.role;
  drag.last = NO_CLICK;
  if (role === 'tableau') pick(drag.player, hand.pile, hand.count);
}

/** Act on a click that assistive technology makes on a button. @param {Drag} drag @param {MouseEvent} event */
function clickWithoutPointer({ player, contents }, event) {
  const button = event.target instanceof Element ? event.target.closest('[data-pile]') : null;
  const id = button instanceof HTMLElement ? button.dataset.pile : undefined;
  const view = tableOf(player);
  const hasPointer = event.detail !== 0;
  if (hasPointer || !id || !view) return;
  const role = pileOf(view, id)?.role;
  if (role === 'stock') deal(player);
  else if (role === 'foundation' && !player.hand) contents.show(id);
  else pick(player, id, -1);
}
