// Pointers on the board: drag, click-click, double click, right click. Acts on the up-event.

import { listen } from './element.js';
import { mostCovered } from './geometry.js';
import { pileOf, targets } from './hand.js';

/**
 * @import {TableView} from './protocol.d.ts'
 * @import {Board} from './board.js'
 * @import {Hand} from './hand.js'
 * @typedef {object} Player what the pointer and the keys can do
 * @property {() => TableView | null} table the one that is shown; null if none can be played
 * @property {(pile: string, count: number) => boolean} pick whether these cards are in hand now
 * @property {(hand: Hand, to: string) => void} put
 * @property {(hand: Hand) => void} auto
 * @property {(hand: Hand | null) => void} grab shows where cards in the air may go
 * @property {() => void} deal
 */

const MOUSE_THRESHOLD = 4;
const TOUCH_THRESHOLD = 10;
const DOUBLE = 350;

/**
 * @param {Board} board
 * @param {Player} player
 * @returns {{cancel: () => void, unbind: () => void}}
 */
export function bindDrag(board, player) {
  const { root } = board;
  /** @type {{id: number, x: number, y: number, hand: Hand, index: number, far: number, dragging: boolean, movable: boolean} | null} */
  let press = null;
  let last = { pile: '', index: -1, time: 0 };

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
    const movable = hand.count > 0 && pileOf(view, hit.pile)?.role === 'tableau';
    const far = event.pointerType === 'mouse' ? MOUSE_THRESHOLD : TOUCH_THRESHOLD;
    const { pointerId: id, clientX: x, clientY: y } = event;
    press = { id, x, y, hand, index: hit.index, far, dragging: false, movable };
    root.setPointerCapture(id);
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (!press || event.pointerId !== press.id) return;
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    if (!press.dragging) {
      if (!press.movable || Math.hypot(dx, dy) < press.far) return;
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
    const { dragging, hand, index } = press;
    press = null;
    if (dragging) fall(hand);
    else click(hand, index, event.timeStamp);
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
    const role = (() => {
      const view = player.table();
      return view && pileOf(view, hand.pile)?.role;
    })();
    if (role === 'stock') {
      player.deal();
      return;
    }
    const twice = last.pile === hand.pile && last.index === index && time - last.time < DOUBLE;
    last = { pile: '', index: -1, time: 0 };
    if (twice && hand.count > 0) player.auto(hand);
    else if (player.pick(hand.pile, hand.count)) last = { pile: hand.pile, index, time };
  }

  function cancel() {
    if (!press) return;
    const { dragging } = press;
    press = null;
    player.grab(null);
    if (dragging) board.drop();
  }

  /** @param {MouseEvent} event */
  function menu(event) {
    event.preventDefault();
    const touch = 'pointerType' in event && event.pointerType !== 'mouse';
    const hit = board.hit(event);
    if (touch || press?.dragging || !hit) return;
    press = null;
    const hand = handAt(hit);
    if (hand.count > 0) player.auto(hand);
  }

  /** Assistive technology clicks without a pointer. @param {MouseEvent} event */
  function bareClick(event) {
    const button = event.target instanceof Element ? event.target.closest('.slot') : null;
    const id = button instanceof HTMLElement ? button.dataset.pile : undefined;
    const view = player.table();
    if (event.detail !== 0 || !id || !view) return;
    if (pileOf(view, id)?.role === 'stock') player.deal();
    else player.pick(id, -1);
  }

  const unbinders = [
    listen(root, 'pointerdown', down),
    listen(root, 'pointermove', move),
    listen(root, 'pointerup', up),
    listen(root, 'pointercancel', cancel),
    listen(root, 'contextmenu', menu),
    listen(root, 'click', bareClick),
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
