// The board by keys. Keys that write something act only while the board has the focus, and can
// be switched off; `keys.js` knows which key does what.

import { longest, pileOf } from '../core/hand.js';
import { strings } from '../core/language.js';
import { preference } from '../core/preferences.js';
import { listen } from '../shared/element.js';
import { tooMany } from './cursor-limit.js';
import { commandOf } from './keys.js';
import { bindLocator } from './locator.js';

/**
 * @import {TablePile} from '../core/messages.d.ts'
 * @import {Board} from './board.js'
 * @import {Hand} from '../core/hand.js'
 * @import {Command} from './keys.js'
 * @import {Player} from './player.js'
 * @typedef {object} Says
 * @property {(text: string) => void} announce
 * @property {() => void} moved the cursor is elsewhere
 * @property {(pile: string) => void} show what a pile holds
 * @property {(card: string) => void} found a card was asked for; '' if none is any more
 * @property {(words: string, hand: Hand) => void} refuse more cards than move together
 */

/** Rows count for more than columns. @param {TablePile} a @param {TablePile} b */
const distance = (a, b) => 10 * Math.abs(a.y - b.y) + Math.abs(a.x - b.x);

/**
 * @param {Board} board
 * @param {Player} player
 * @param {Says} says
 * @param {(command: Command) => ((key: string) => void) | undefined} commandFor what is not the
 *   cursor's own business; it is told what the key writes
 */
export function bindKeyboard(board, player, says, commandFor) {
  /** @type {Hand | null} */
  let cursor = null;
  /** The one stop of the Tab key. */
  let stop = '';
  const locator = bindLocator(says);

  /** @param {Hand | null} next */
  function go(next) {
    cursor = next;
    update();
    says.moved();
  }

  /** All piles but those that are only looked at, in rows. */
  function rows() {
    /** @type {Map<number, TablePile[]>} */
    const found = new Map();
    for (const pile of player.table()?.piles ?? [])
      found.set(pile.y, [...(found.get(pile.y) ?? []), pile]);
    return [...found.values()].map((row) => row.toSorted((a, b) => a.x - b.x));
  }

  function row() {
    const at = cursor?.pile ?? stop;
    return rows().find((piles) => piles.some(({ id }) => id === at)) ?? [];
  }

  /** @param {string | undefined} id */
  function stand(id) {
    const table = player.table();
    if (!id || !table) return;
    stop = id;
    const taken = pileOf(table, id)?.role === 'tableau';
    go({ pile: id, count: taken ? longest(table, id) : 0 });
    board.buttons.get(id)?.focus({ preventScroll: true });
  }

  /** @param {number} step */
  function side(step) {
    const ids = row().map((pile) => pile.id);
    const at = ids.indexOf(cursor?.pile ?? stop);
    if (!cursor) stand(ids[Math.max(0, at)]);
    else stand(ids[(at + step + ids.length) % ids.length]);
  }

  /** To the nearest pile of a row above or below. @param {number} step */
  function across(step) {
    const table = player.table();
    const here = table && pileOf(table, cursor?.pile ?? stop);
    if (!here) return;
    const [next] = rows()
      .flat()
      .filter((pile) => (pile.y - here.y) * step > 0)
      .sort((a, b) => distance(a, here) - distance(b, here));
    stand(next?.id);
  }

  /** Fewer or more cards; where there are no columns the rows above and below. @param {number} step */
  function size(step) {
    const table = player.table();
    if (!table) return;
    if (!cursor) {
      side(0);
      return;
    }
    const { pile, count } = cursor;
    if (pileOf(table, pile)?.fan === 'none') {
      across(-step);
      return;
    }
    const up = pileOf(table, pile)?.up ?? [];
    const most = Math.min(13, up.length);
    if (most === 0) return;
    if (board.isFolded(pile)) board.unfold(pile); // or nobody sees how many are meant
    if (step > 0 && preference('keys') === 'classic') {
      const more = { pile, count: count + step };
      const why = tooMany(table, more, player.level(), player.free());
      if (why) {
        says.refuse(strings.refusal(why.code, why.details), more);
        return;
      }
    }
    const next = Math.min(most, Math.max(1, count + step));
    go({ pile, count: next });
    says.announce(strings.holding(up.slice(-next), pile));
  }

  function enter() {
    const table = player.table();
    const pile = table && cursor && pileOf(table, cursor.pile);
    if (!cursor || !pile) side(0);
    else if (pile.role === 'stock') commandFor('deal')?.('');
    else if (pile.role === 'foundation' && !player.hand()) says.show(pile.id);
    else if (player.pick(cursor.pile, cursor.count))
      says.announce(strings.taken(pile.up.slice(-cursor.count), pile.id));
  }

  /** Two digits move from one column to another; 0 is the tenth. @param {string} key */
  function digit(key) {
    const table = player.table();
    const columns = table?.piles.filter((pile) => pile.role === 'tableau') ?? [];
    const pile = columns[(Number(key) + 9) % 10];
    if (!table || !pile) return;
    const count = longest(table, pile.id);
    if (player.pick(pile.id, count)) says.announce(strings.taken(pile.up.slice(-count), pile.id));
  }

  /** @type {Partial<Record<Command, (key: string) => void>>} */
  const own = {
    left: () => side(-1),
    right: () => side(1),
    more: () => size(1),
    fewer: () => size(-1),
    above: () => across(-1),
    below: () => across(1),
    first: () => stand(row()[0]?.id),
    last: () => stand(row().at(-1)?.id),
    pick: enter,
    auto: () => (cursor ? player.auto(cursor) : side(0)),
    column: digit,
    locate: locator.ask,
    peek: () => cursor && says.show(cursor.pile),
  };

  /** @param {KeyboardEvent} event @returns {boolean} whether the key does something */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const taken = locator.hear(event.key);
    const meant = taken ? null : commandOf(event, preference('keys'), preference('letterKeys'));
    if (!taken && !meant) return false;
    event.preventDefault();
    if (meant) (own[meant.command] ?? commandFor(meant.command))?.(meant.key);
    return true;
  }

  /** The keys of the manual that write nothing act wherever the focus is. @param {KeyboardEvent} event */
  function anywhere(event) {
    const free = !event.defaultPrevented && !document.querySelector('dialog[open]');
    if (free && preference('keys') === 'classic' && /^F\d+$/.test(event.key)) press(event);
  }

  /** @param {FocusEvent} event */
  function arrive({ target }) {
    if (!(target instanceof HTMLElement) || !target.matches('.slot:focus-visible')) return;
    const id = target.dataset.pile;
    if (id && cursor?.pile !== id) stand(id);
  }

  /** One button of the board is a stop of the Tab key. */
  function update() {
    const first = player.table()?.piles.find((pile) => pile.role === 'tableau')?.id;
    if (!board.buttons.has(stop)) stop = first ?? '';
    for (const [id, button] of board.buttons) {
      const index = id === (cursor?.pile ?? stop) ? 0 : -1;
      if (button.tabIndex !== index) button.tabIndex = index;
    }
  }

  const unbinders = [
    listen(board.root, 'keydown', press),
    listen(document, 'keydown', anywhere),
    listen(board.root, 'focusin', arrive),
    // A pointer takes over: the cursor of the keys goes, its place is remembered.
    listen(board.root, 'pointerdown', () => cursor && go(null)),
  ];
  return {
    cursor: () => cursor,
    press,
    update,
    unbind() {
      for (const unbind of unbinders) unbind();
    },
  };
}
