// Pointers on the board: drag, click-click, double click, right click. Acts on the up-event.

import { mostCovered } from '../core/geometry.js';
import { pileOf, targets } from '../core/hand.js';
import { listen } from '../shared/element.js';

/**
 * @import {Board} from './board.js'
 * @import {Fold} from '../core/column.js'
 * @import {Hand} from '../core/hand.js'
 * @import {Player} from './player.js'
 * @typedef {object} Looks
 * @property {(pile: string) => void} show what a pile holds
 * @property {() => void} hide
 * @property {(pile: string) => void} unfold
 */

const MOUSE_THRESHOLD = 4;
const TOUCH_THRESHOLD = 10;
const DOUBLE = 350;
const LONG = 500;

/**
 * @param {Board} board
 * @param {Player} player
 * @param {Looks} looks
 * @returns {{cancel: () => void, unbind: () => void}}
 */
export function bindDrag(board, player, looks) {
  const { root } = board;
  /** @type {{id: number, x: number, y: number, hand: Hand, index: number, fold: Fold | null, far: number, dragging: boolean, movable: boolean, looked: boolean} | null} */
  let press = null;
  let last = { pile: '', index: -1, time: 0 };
  let longPress = 0;
  let quietUntil = 0;

  /** @param {{pile: string, index: number}} hit @returns {Hand} */
  function handAt({ pile, index }) {
    const view = player.table();
    const { down = 0, up = [] } = (view && pileOf(view, pile)) ?? {};
    return { pile, count: index >= down ? down + up.length - index : 0 };
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (press || event.button !== 0 || !event.isPrimary) return;
    const hit = board.hit(event);
    const view = player.table();
    if (!hit || !view) return;
    const hand = handAt(hit);
    const { fold, index } = hit;
    const movable =
      hand.count > 0 && fold?.kind !== 'top' && pileOf(view, hit.pile)?.role === 'tableau';
    const far = event.pointerType === 'mouse' ? MOUSE_THRESHOLD : TOUCH_THRESHOLD;
    const { pointerId: id, clientX: x, clientY: y } = event;
    press = { id, x, y, hand, index, fold, far, dragging: false, movable, looked: false };
    root.setPointerCapture(id);
    looks.hide();
    clearTimeout(longPress);
    longPress = setTimeout(() => look(hand.pile), LONG);
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (!press || event.pointerId !== press.id) return;
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    if (!press.dragging) {
      if (Math.hypot(dx, dy) < press.far) return;
      clearTimeout(longPress);
      if (!press.movable) return;
      looks.hide();
      press.dragging = true;
      board.lift(press.hand.pile, press.index);
      player.grab(press.hand);
    }
    if (board.carrying()) board.carry(dx, dy);
    else cancel(); // the table changed under the cards
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (!press || event.pointerId !== press.id) return;
    const { dragging, hand, index, fold, looked } = press;
    press = null;
    clearTimeout(longPress);
    if (looked && !dragging) return;
    if (dragging) fall(hand);
    else if (fold) open(hand.pile, fold);
    else if (event.timeStamp >= quietUntil) click(hand, index, event.timeStamp);
  }

  /** A long press looks at a column and is then no click, but may still become a drag. @param {string} pile */
  function look(pile) {
    if (!press || press.dragging) return;
    press.looked = true;
    looks.show(pile);
  }

  /** Behind the badge of a top there is no room: what it hides is read. @param {string} pile @param {Fold} fold */
  function open(pile, fold) {
    if (fold.kind === 'run') looks.unfold(pile);
    else looks.show(pile);
  }

  /** @param {Hand} hand */
  function fall(hand) {
    const view = player.table();
    const box = board.carriedBox();
    player.grab(null);
    if (view && box) {
      const others = view.piles.filter((pile) => pile.role !== 'stock').map((pile) => pile.id);
      const legal = mostCovered(board.layout(), targets(view, hand), box);
      const to = legal ?? mostCovered(board.layout(), others, box);
      if (to && to !== hand.pile) player.put(hand, to);
    }
    board.drop();
  }

  /** @param {Hand} hand @param {number} index @param {number} time */
  function click(hand, index, time) {
    const view = player.table();
    const pile = view && pileOf(view, hand.pile);
    if (pile?.role === 'stock') {
      player.deal();
      return;
    }
    if (pile?.role === 'foundation' && !player.hand()) {
      looks.show(pile.id);
      return;
    }
    const twice = last.pile === hand.pile && last.index === index && time - last.time < DOUBLE;
    last = { pile: '', index: -1, time: 0 };
    if (twice && hand.count > 0) player.auto(hand);
    else if (hand.count > 0 && player.tap(hand))
      quietUntil = time + DOUBLE; // it may be a double click
    else if (player.pick(hand.pile, hand.count)) last = { pile: hand.pile, index, time };
  }

  function cancel() {
    if (!press) return;
    const { dragging } = press;
    press = null;
    clearTimeout(longPress);
    if (!dragging) return;
    player.grab(null);
    board.drop();
  }

  /** @param {MouseEvent} event */
  function menu(event) {
    event.preventDefault();
    const touch = 'pointerType' in event && event.pointerType !== 'mouse';
    const hit = board.hit(event);
    if (touch || press?.dragging || !hit) return;
    press = null;
    clearTimeout(longPress);
    const hand = handAt(hit);
    if (hand.count > 0) player.auto(hand);
  }

  /** @param {MouseEvent} event */
  function middle(event) {
    const hit = event.button === 1 ? board.hit(event) : null;
    if (hit) looks.show(hit.pile);
  }

  /** Assistive technology clicks without a pointer. @param {MouseEvent} event */
  function bareClick(event) {
    const button = event.target instanceof Element ? event.target.closest('.slot') : null;
    const id = button instanceof HTMLElement ? button.dataset.pile : undefined;
    const view = player.table();
    if (event.detail !== 0 || !id || !view) return;
    const role = pileOf(view, id)?.role;
    if (role === 'stock') player.deal();
    else if (role === 'foundation' && !player.hand()) looks.show(id);
    else player.pick(id, -1);
  }

  const unbinders = [
    listen(root, 'pointerdown', down),
    listen(root, 'pointermove', move),
    listen(root, 'pointerup', up),
    listen(root, 'pointercancel', cancel),
    listen(root, 'contextmenu', menu),
    listen(root, 'click', bareClick),
    listen(root, 'auxclick', middle),
    // No scrolling by the middle button.
    listen(root, 'mousedown', (event) => event.button === 1 && event.preventDefault()),
    listen(root, 'dragstart', (event) => event.preventDefault()),
  ];
  return {
    cancel,
    unbind() {
      cancel();
      for (const unbind of unbinders) unbind();
    },
  };
}
