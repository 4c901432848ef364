// The board by keys. Single letters act only while the board has the focus.

import { listen } from './element.js';
import { longest, pileOf } from './hand.js';

/**
 * @import {TablePile, TableView} from './protocol.d.ts'
 * @import {Board} from './board.js'
 * @import {Hand} from './hand.js'
 * @import {Player} from './drag.js'
 * @typedef {object} Commands
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} remove
 * @property {() => void} exception
 * @property {() => void} escape
 * @property {(cursor: Hand | null) => void} moved
 */

/** Rows count for more than columns. @param {TablePile | undefined} a @param {TablePile} b */
const distance = (a, b) => (a ? 10 * Math.abs(a.y - b.y) + Math.abs(a.x - b.x) : 0);

/**
 * @param {Board} board
 * @param {Player} player
 * @param {Commands} commands
 * @returns {{cursor: () => Hand | null, unbind: () => void}}
 */
export function bindKeyboard(board, player, commands) {
  /** @type {Hand | null} */
  let cursor = null;
  let column = '';

  /** @param {Hand | null} next */
  function go(next) {
    cursor = next;
    for (const [id, button] of board.buttons)
      button.tabIndex = id === (next?.pile ?? column) ? 0 : -1;
    commands.moved(next);
  }

  /** Columns first, then the foundations if they can be played on, then the stock. */
  function stops() {
    const piles = player.table()?.piles ?? [];
    return [
      ...piles.filter((pile) => pile.role === 'tableau'),
      ...piles.filter((pile) => pile.direction !== null),
      ...piles.filter((pile) => pile.role === 'stock'),
    ].map((pile) => pile.id);
  }

  /** @param {string | undefined} id */
  function stand(id) {
    const table = player.table();
    if (!id || !table) return;
    column = id;
    const taken = pileOf(table, id)?.role === 'tableau';
    go({ pile: id, count: taken ? longest(table, id) : 0 });
    board.buttons.get(id)?.focus({ preventScroll: true });
  }

  /** @param {number} step */
  function side(step) {
    const ids = stops();
    const at = ids.indexOf(cursor?.pile ?? column);
    if (!cursor) stand(ids[Math.max(0, at)]);
    else stand(ids[(at + step + ids.length) % ids.length]);
  }

  /** Among stacks up and down lead to the next row. @param {TableView} table @param {string} from @param {number} step */
  function across(table, from, step) {
    const here = pileOf(table, from);
    if (!here) return;
    const [next] = stops()
      .map((id) => pileOf(table, id))
      .filter((pile) => pile && (pile.y - here.y) * step > 0)
      .sort((a, b) => distance(a, here) - distance(b, here));
    stand(next?.id);
  }

  /** @param {number} step */
  function size(step) {
    const table = player.table();
    if (!table) return;
    if (!cursor) {
      side(0);
      return;
    }
    if (pileOf(table, cursor.pile)?.fan === 'none') {
      across(table, cursor.pile, -step);
      return;
    }
    const most = Math.min(13, pileOf(table, cursor.pile)?.up.length ?? 0);
    if (most > 0)
      go({ pile: cursor.pile, count: Math.min(most, Math.max(1, cursor.count + step)) });
  }

  /** @param {boolean} auto */
  function enter(auto) {
    const table = player.table();
    if (!cursor || !table) side(0);
    else if (pileOf(table, cursor.pile)?.role === 'stock') player.deal();
    else if (auto) player.auto(cursor);
    else player.pick(cursor.pile, cursor.count);
  }

  /** Two digits move from one column to another; 0 is the tenth. @param {string} key */
  function digit(key) {
    const table = player.table();
    const columns = table?.piles.filter((pile) => pile.role === 'tableau') ?? [];
    const pile = columns[(Number(key) + 9) % 10];
    if (!table || !pile) return;
    player.pick(pile.id, longest(table, pile.id));
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actions(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {KeyboardEvent} event @returns {(() => void) | undefined} */
  function actions(event) {
    const { key } = event;
    if (/^[0-9]$/.test(key)) return () => digit(key);
    switch (key.length === 1 ? key.toLowerCase() : key) {
      case 'ArrowLeft':
        return () => side(-1);
      case 'ArrowRight':
        return () => side(1);
      case 'Home':
        return () => stand(stops()[0]);
      case 'End':
        return () => stand(stops().at(-2));
      case 'ArrowUp':
        return () => size(1);
      case 'ArrowDown':
        return () => size(-1);
      case 'Enter':
        return () => enter(event.shiftKey);
      case 'd':
      case ' ':
        return player.deal;
      case 'z':
        return event.shiftKey ? commands.redo : commands.undo;
      case 'y':
        return commands.redo;
      case 'r':
        return commands.remove;
      case 'x':
        return commands.exception;
      case 'Escape':
        return commands.escape;
      default:
        return undefined;
    }
  }

  const unbinders = [
    listen(board.root, 'keydown', press),
    // A pointer takes over: the cursor of the keys goes, its place is remembered.
    listen(board.root, 'pointerdown', () => cursor && go(null)),
  ];
  return {
    cursor: () => cursor,
    unbind() {
      for (const unbind of unbinders) unbind();
    },
  };
}
