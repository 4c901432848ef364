// Pointers on the board: dragging, clicks, double clicks, right clicks, middle clicks and long presses. A press acts
// when it ends. Any finger can play while others rest elsewhere, but only one at a time on the cards. A second finger
// there, or a second button, cancels the press, and nothing happens until all of them are up.

import { carriedBox, carry, drop, liftCards, pileAt } from '../board/board.js';
import { mostCovered } from '../board/geometry.js';
import { isMixed, runLength, targets } from '../game/cards.js';
import { callAll, listen, set } from '../widgets/element.js';
import * as acts from './player.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {Hand} from '../game/cards.js'
 * @import {Aids} from './aids.js'
 * @import {Player} from './player.js'
 * @typedef {object} Press a pointer that is down
 * @property {PointerEvent} firstEvent
 * @property {NonNullable<ReturnType<typeof pileAt>>} hit the pile, the card and the badge under the pointer. There is
 *   no card below a column, where a finger may rest while another one plays
 * @property {Hand} hand the cards from there to the end of the pile
 * @property {boolean} isMovable whether they can be dragged
 * @property {number} clicks as the system counts them: 2 for the second click of a double click
 * @property {boolean} isDrag
 * @property {boolean} isLong whether it has become a long press, which shows the pile's contents
 * @typedef {object} Click the latest click, which may be repeated
 * @property {string} pile
 * @property {number} index
 * @property {number} time
 * @property {number} count 2 for a double click
 * @property {'taken' | 'put' | 'moved' | undefined} [result] `taken`: the cards were taken in hand, or put back.
 *   `moved`: they were moved away. `put`: the cards in hand were put down there. Absent after anything else
 * @typedef {ReturnType<typeof bindDrag>} Drag
 */

const MOUSE_THRESHOLD_PX = 4;
const TOUCH_THRESHOLD_PX = 10;
/** The longest time between the taps of a double tap. The page counts taps itself: many systems count only clicks. */
const DOUBLE_TAP_MS = 350;
const LONG_MS = 500;
const LEFT_BUTTON = 0;
const MIDDLE_BUTTON = 1;
const MIDDLE_BIT = 4; // the bit of the middle button in `event.buttons`
/** @type {Click} */
const NO_CLICK = { pile: '', index: -1, time: -Infinity, count: 0 };

/**
 * Bind pointers to a board; a press may end outside it.
 * @param {Board} board @param {Player} player @param {Aids} aids
 */
export function bindDrag(board, player, aids) {
  const { root } = board;
  const { visualViewport: viewport } = window;
  // While the page is zoomed in, the style sheet lets two fingers on the table zoom it out again.
  const showZoom = () => set(root, { 'data-zoomed': (viewport?.scale ?? 1) > 1 });
  showZoom();
  const drag = {
    ...{ board, player, aids },
    lastClick: NO_CLICK,
    longPressTimer: 0,
    press: /** @type {Press | null} */ (null),
    /** The ids of the pointers that are down on the piles. @type {Set<number>} */
    pointers: new Set(),
    isCancelled: false, // whether a press was cancelled, so that nothing happens until all pointers are up
    unbind: callAll(
      () => cancel(drag),
      listen(viewport ?? root, 'resize', showZoom),
      listen(root, 'pointerdown', (event) => start(drag, event)),
      listen(root, 'pointermove', (event) => move(drag, event)),
      listen(document, 'pointerup', (event) => end(drag, event)),
      listen(document, 'pointercancel', (event) => lose(drag, event)),
      listen(root, 'contextmenu', (event) => contextMenu(drag, event)),
      listen(root, 'click', (event) => clickWithoutPointer(drag, event)),
      listen(root, 'mousedown', (event) => mouseDown(drag, event)),
      listen(root, 'dragstart', (event) => event.preventDefault()),
    ),
  };
  return drag;
}

/**
 * Return the cards from the one that was hit to the end of its pile, or none if that card lies face down.
 * @param {Drag} drag @param {{pile: string, index: number}} hit @returns {Hand}
 */
function handAt({ player }, { pile, index }) {
  const { down = 0, up = [] } = pileIn(player, pile) ?? {};
  return { pile, count: index >= down ? down + up.length - index : 0 };
}

/** Return a pile of the table, or undefined if nothing can be played. @param {Player} player @param {string} pile */
const pileIn = (player, pile) => acts.tableOf(player)?.piles.find(({ id }) => id === pile);

/** Return whether a press was made with a finger. @param {Press} press */
const isTouch = ({ firstEvent }) => firstEvent.pointerType === 'touch';

/** Start a press, and cancel an earlier one. @param {Drag} drag @param {PointerEvent} firstEvent */
function start(drag, firstEvent) {
  const { board, pointers, press, player, aids } = drag;
  if (pointers.size === 0) drag.isCancelled = false;
  if (firstEvent.button !== LEFT_BUTTON && firstEvent.button !== MIDDLE_BUTTON) return; // see `contextMenu`
  const hit = pileAt(board, firstEvent);
  if (!hit || !acts.tableOf(player)) return;
  // An earlier finger that rests below the cards does not disturb this press.
  if (press && !press.hit.onCards && !press.isDrag) pointers.delete(press.firstEvent.pointerId);
  cancel(drag);
  pointers.add(firstEvent.pointerId);
  board.root.setPointerCapture(firstEvent.pointerId); // so that the board gets its events wherever it goes
  if (pointers.size > 1) drag.isCancelled = true;
  if (drag.isCancelled) return; // until all fingers are up
  const hand = handAt(drag, hit);
  // The folded top of a column cannot be dragged, since its cards cannot be seen.
  const isMovable =
    hand.count > 0 && hit.fold?.kind !== 'top' && pileIn(player, hit.pile)?.role === 'tableau';
  drag.press = { firstEvent, hit, hand, isMovable, clicks: 1, isDrag: false, isLong: false };
  aids.hide();
  // A long press shows the contents of its pile, and may still become a drag.
  drag.longPressTimer = setTimeout(() => {
    if (!drag.press || drag.press.isDrag) return;
    drag.press.isLong = true;
    aids.show(hit.pile);
  }, LONG_MS);
}

/** Store the system's count of clicks, which only `mousedown` has. @param {Drag} drag @param {MouseEvent} event */
function mouseDown({ press }, event) {
  if (event.button === MIDDLE_BUTTON) event.preventDefault(); // or the browser scrolls
  if (press && !isTouch(press)) press.clicks = event.detail;
}

/** Move dragged cards. A press that moves far enough becomes a drag. @param {Drag} drag @param {PointerEvent} event */
function move(drag, event) {
  const { press, board } = drag;
  if (!press || event.pointerId !== press.firstEvent.pointerId) return;
  const { firstEvent, hand, hit } = press;
  const otherButtons = event.buttons & ~firstEvent.buttons; // a bit for each
  if (otherButtons) {
    drag.isCancelled = true;
    return cancel(drag);
  }
  const dx = event.clientX - firstEvent.clientX;
  const dy = event.clientY - firstEvent.clientY;
  if (!press.isDrag) {
    const isMouse = firstEvent.pointerType === 'mouse';
    if (Math.hypot(dx, dy) < (isMouse ? MOUSE_THRESHOLD_PX : TOUCH_THRESHOLD_PX)) return;
    clearTimeout(drag.longPressTimer);
    if (!press.isMovable) return;
    drag.aids.hide();
    press.isDrag = true;
    // A selection may be left from a removed text field: the browser would lay out its caret again in each frame.
    if (!document.activeElement?.matches('input, textarea')) getSelection()?.removeAllRanges();
    liftCards(board, hit.pile, hit.index);
    acts.grab(drag.player, hand);
  }
  if (board.lifted.length > 0) carry(board, dx, dy);
  else cancel(drag); // the table changed under the cards
}

/** End a press: drop cards, or click, unless it was a long press. @param {Drag} drag @param {PointerEvent} event */
function end(drag, event) {
  const { press, aids } = drag;
  drag.pointers.delete(event.pointerId);
  if (!press || event.pointerId !== press.firstEvent.pointerId) return;
  drag.press = null;
  clearTimeout(drag.longPressTimer);
  const { firstEvent, hand, hit } = press;
  // On a busy device the event that ends a short press may come late, but its time stamp is right.
  const isLong = press.isLong && event.timeStamp - firstEvent.timeStamp >= LONG_MS;
  if (press.isDrag) release(drag, hand);
  if (press.isDrag || isLong) return;
  aids.hide(); // the timer may have shown the contents before a late event
  if (hit.fold?.kind === 'run') aids.unfold(hand.pile);
  else if (hit.fold)
    aids.show(hand.pile); // there is no room to unfold the top of a column
  else if (firstEvent.buttons & MIDDLE_BIT) takePart(drag, hand);
  else click(drag, press, event.timeStamp);
}

/** Drop a press that the browser takes over, for example to scroll. @param {Drag} drag @param {PointerEvent} event */
function lose(drag, { pointerId }) {
  drag.pointers.delete(pointerId);
  if (drag.press?.firstEvent.pointerId === pointerId) cancel(drag);
}

/** Drop a press; dragged cards go back. @param {Drag} drag */
export function cancel(drag) {
  const { press } = drag;
  if (!press) return;
  drag.press = null;
  clearTimeout(drag.longPressTimer);
  if (!press.isDrag) return;
  acts.grab(drag.player, null);
  drop(drag.board);
}

/** Put dragged cards on the pile that they cover most, preferably a legal one. @param {Drag} drag @param {Hand} hand */
function release({ board, player }, hand) {
  const table = acts.tableOf(player);
  const box = carriedBox(board);
  acts.grab(player, null);
  if (table && box) {
    const all = table.piles.filter((pile) => pile.role !== 'stock').map((pile) => pile.id);
    const legal = mostCovered(board.layout, targets(table, hand), box);
    const to = legal ?? mostCovered(board.layout, all, box); // if none is legal, the server says why
    if (to && to !== hand.pile) acts.moveCards(player, { from: hand.pile, count: hand.count, to });
  }
  drop(board, player.app.state().play?.shown); // this table includes the move
}

/**
 * Handle a click: deal from the stock, show the suits of a foundation, or act on the clicked cards.
 * @param {Drag} drag @param {Press} press @param {number} time of the event, in ms
 */
function click(drag, press, time) {
  const { player, aids, lastClick: before } = drag;
  const { hand, hit } = press;
  const count = countClicks(before, press, time);
  drag.lastClick = { pile: hand.pile, index: hit.index, time, count };
  const isRepeated = count > 1 && before.pile === hand.pile; // two quick clicks may hit different piles
  // Ignore a third click, and a second one after the first has moved the cards away.
  if (count > 2 || (isRepeated && before.result === 'moved')) return;
  const pile = pileIn(player, hand.pile);
  if (pile?.role === 'stock') {
    // A double click deals only once, unless its second click confirms a deal that has to be requested twice.
    if (!isRepeated || player.awaited === 'deal') acts.deal(player);
  } else if (pile?.role === 'foundation' && !player.hand) aids.show(pile.id);
  else drag.lastClick.result = clickCards(player, press, isRepeated ? before : NO_CLICK);
}

/**
 * Return the number of clicks in a row: 2 for a double click. The system counts mouse clicks. A finger's tap counts if
 * it hits the same pile soon after the click before.
 * @param {Click} before @param {Press} press @param {number} time of the event, in ms
 */
function countClicks(before, press, time) {
  const isSoon = before.pile === press.hand.pile && time - before.time < DOUBLE_TAP_MS;
  return isTouch(press) && isSoon ? before.count + 1 : press.clicks;
}

/**
 * Handle a click on cards: a double click or a tap moves them, and any other click picks their pile.
 * @param {Player} player @param {Press} press
 * @param {Click} first the first click of a double click, or `NO_CLICK`
 * @returns {Click['result']} what became of the cards (see `Click`); a second click moves them if they were only `taken`
 */
function clickCards(player, press, first) {
  const { hand, hit } = press;
  // For a mouse, the system only counts clicks in the same place. A double tap has to hit the same card twice, unless
  // it hits a complete suit, which it removes.
  const isSameCard =
    !isTouch(press) || first.index === hit.index || acts.isOfCompleteSuit(player, hand);
  if (first.result === 'taken' && isSameCard && hand.count > 0) {
    acts.autoMove(player, hand);
    return undefined;
  }
  if (hand.count > 0 && acts.tap(player, hand, isTouch(press))) return 'moved';
  const isPutDown = player.hand !== null && player.hand.pile !== hand.pile;
  const isTaken = acts.pick(player, hand.pile, hand.count);
  return isPutDown && !isTaken ? 'put' : 'taken';
}

/**
 * Make the best move on a right click, or with Arachnid's rules pick up part of a run. A long press of a finger sends
 * the same event, which is ignored: `start` has a timer for it.
 * @param {Drag} drag @param {MouseEvent} event
 */
function contextMenu(drag, event) {
  event.preventDefault();
  const isMouse = !('pointerType' in event) || event.pointerType === 'mouse'; // some browsers don't say
  const hit = pileAt(drag.board, event);
  if (!isMouse || drag.isCancelled || drag.press?.isDrag || !hit) return;
  cancel(drag);
  const hand = handAt(drag, hit);
  const table = acts.tableOf(drag.player);
  if (!table || hand.count < 1) return;
  const isInRun = runLength(table, hand.pile) > 1 && !isMixed(table, hand);
  if (isInRun && acts.isArachnid(drag.player)) takePart(drag, hand);
  else acts.autoMove(drag.player, hand);
}

/**
 * Pick up the clicked card and all those after it, even if that splits a run; or put down the cards in hand there.
 * @param {Drag} drag @param {Hand} hand
 */
function takePart(drag, hand) {
  drag.lastClick = NO_CLICK; // the next click is not a double click
  if (pileIn(drag.player, hand.pile)?.role === 'tableau')
    acts.pick(drag.player, hand.pile, hand.count);
}

/** Handle a click on a pile's button by assistive technology. @param {Drag} drag @param {MouseEvent} event */
function clickWithoutPointer({ player, aids }, { target, detail }) {
  const button = target instanceof Element ? target.closest('[data-pile]') : null;
  const id = button?.getAttribute('data-pile');
  const pile = id && pileIn(player, id);
  const hasPointer = detail !== 0; // `keyboard.js` prevents the clicks of keys
  if (hasPointer || !pile) return;
  if (pile.role === 'stock') acts.deal(player);
  else if (pile.role === 'foundation' && !player.hand) aids.show(pile.id);
  else acts.pick(player, pile.id, -1); // as many as can move
}
