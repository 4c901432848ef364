// The board by keyboard: the cursor, and the keys that are pressed on the board. Keys that write a
// character act only while the board has the focus, and can be switched off.

import { uncover } from '../board/board.js';
import { preference } from '../browser/storage.js';
import { ErrorCode, MAX_MOVE_COUNT, RANKS, SUITS } from '../contract/protocol.js';
import { rank, suit } from '../game/cards.js';
import { mostMovable, pileOf } from '../game/hand.js';
import { strings } from '../strings/language.js';
import { listen } from '../widgets/element.js';
import { commandOf, isChord, isTyping, keyOf } from './commands.js';
import { autoMove, isFree, levelOf, pick, tableOf } from './player.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {ErrorCode as Code, RefusalDetails, Settings} from '../contract/messages.d.ts'
 * @import {TablePile, TableView} from '../contract/notation.js'
 * @import {Hand} from '../game/hand.js'
 * @import {Aids} from './aids.js'
 * @import {Command} from './commands.js'
 * @import {Player} from './player.js'
 * @typedef {{code: Code, details: RefusalDetails}} Reason as of a refused move
 * @typedef {object} Parts what the keys act on
 * @property {Board} board
 * @property {Player} player
 * @property {Aids} aids
 * @property {() => void} moved called when the cursor is elsewhere
 * @property {(command: Command) => ((key: string) => void) | undefined} actionOf the action of a command
 *   that does not concern the cursor; it gets what the key writes
 * @typedef {object} Cursor
 * @property {Hand | null} cursor
 * @property {string} stop the pile that the Tab key stops at
 * @property {ReturnType<typeof makeLocator>} locator
 * @property {() => void} unbind
 * @typedef {Parts & Cursor} Keyboard
 */

/** Make the reader of the two keys that name a card: its rank, then its suit. @param {{announce: (text: string) => void, found: (card: string) => void}} effects */
export function makeLocator(effects) {
  /** Null while no card is asked for, '' before the rank. @type {string | null} */
  let named = null;
  return {
    /** Ask for a card. */
    ask() {
      named = '';
      effects.announce(strings.PLAY.whichRank);
    },
    /** Read a key. @param {string} key @returns {boolean} whether a card is being named */
    receive(key) {
      if (named === null || key === 'Shift') return false;
      // The ten is typed as T, 1 or 0: a name has one key for the rank.
      const sign = key === '0' || key === '1' ? 'T' : key.toUpperCase();
      if (named === '' && sign.length === 1 && RANKS.includes(sign)) {
        named = sign;
        effects.announce(strings.PLAY.whichSuit);
      } else if (named && sign.length === 1 && SUITS.includes(sign)) {
        effects.found(named + sign);
        named = null;
      } else {
        named = null;
        effects.announce(strings.PLAY.notDone);
      }
      return true;
    },
  };
}

/** Return a distance in which rows weigh more than columns. @param {TablePile} a @param {TablePile} b */
const distance = (a, b) => 10 * Math.abs(a.y - b.y) + Math.abs(a.x - b.x);

/** Bind the keys of a board. @param {Parts} parts @returns {Keyboard} */
export function bindKeyboard(parts) {
  const { board, player, aids } = parts;
  /** @type {Keyboard} */
  const keyboard = {
    ...parts,
    cursor: null,
    stop: '',
    locator: makeLocator({ announce: player.app.announce, found: aids.find }),
    unbind() {
      for (const unbind of unbinders) unbind();
    },
  };
  const unbinders = [
    listen(board.root, 'keydown', (event) => press(keyboard, event)),
    listen(document, 'keydown', (event) => pressAnywhere(keyboard, event)),
    listen(board.root, 'focusin', (event) => focusIn(keyboard, event)),
    // A pointer hides the cursor of the keyboard; its place is remembered.
    listen(board.root, 'pointerdown', () => keyboard.cursor && setCursor(keyboard, null)),
  ];
  return keyboard;
}

/** Set or hide the cursor. @param {Keyboard} keyboard @param {Hand | null} cursor */
function setCursor(keyboard, cursor) {
  keyboard.cursor = cursor;
  updateStops(keyboard);
  keyboard.moved();
}

/** Return the pile of the cursor, or the one where it would appear. @param {Keyboard} keyboard */
const cursorPile = ({ cursor, stop }) => cursor?.pile ?? stop;

/** Return the row of the cursor, from left to right. @param {Keyboard} keyboard */
function cursorRow(keyboard) {
  const piles = tableOf(keyboard.player)?.piles ?? [];
  const at = piles.find(({ id }) => id === cursorPile(keyboard));
  return piles.filter(({ y }) => y === at?.y).sort((a, b) => a.x - b.x);
}

/** Put the cursor on a pile. @param {Keyboard} keyboard @param {string | undefined} id */
function goTo(keyboard, id) {
  const table = tableOf(keyboard.player);
  if (!id || !table) return;
  keyboard.stop = id;
  const isColumn = pileOf(table, id)?.role === 'tableau';
  setCursor(keyboard, { pile: id, count: isColumn ? mostMovable(table, id) : 0 });
  keyboard.board.buttons.get(id)?.focus({ preventScroll: true });
}

/** Move the cursor along its row, from the last pile to the first. @param {Keyboard} keyboard @param {number} step */
function goSideways(keyboard, step) {
  const ids = cursorRow(keyboard).map((pile) => pile.id);
  const index = ids.indexOf(cursorPile(keyboard));
  if (!keyboard.cursor) goTo(keyboard, ids[Math.max(0, index)]);
  else goTo(keyboard, ids[(index + step + ids.length) % ids.length]);
}

/** Move the cursor to the nearest pile of a row above or below. @param {Keyboard} keyboard @param {number} step */
function goAcross(keyboard, step) {
  const table = tableOf(keyboard.player);
  const from = table && pileOf(table, cursorPile(keyboard));
  if (!from) return;
  const [next] = table.piles
    .filter((pile) => (pile.y - from.y) * step > 0)
    .sort((a, b) => distance(a, from) - distance(b, from));
  goTo(keyboard, next?.id);
}

/**
 * Return why the cursor cannot surround these cards (`seeds/` 3, III: "Cursor Up and Cursor Down Keys");
 * null if it can. It always can surround the cards of a legal move. Pure.
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
  const reason = (/** @type {Code} */ code, /** @type {string[]} */ cards = []) => ({
    code,
    details: { cards, piles: [pile], fields: [], reason: null },
  });
  if (count > up.length) return reason(down > 0 ? ErrorCode.FACE_DOWN : ErrorCode.NOT_ENOUGH_CARDS);
  // The pairs of neighbours, from the end of the column on.
  const chosen = up.slice(-count);
  const pairs = chosen
    .slice(1)
    .map((below, i) => ({ above: chosen[i] ?? '', below }))
    .reverse();
  const gap = pairs.find(({ above, below }) => rank(above) !== rank(below) + 1);
  if (gap) return reason(ErrorCode.NOT_A_RUN, [gap.above, gap.below]);
  const mixed = !free && pairs.find(({ above, below }) => suit(above) !== suit(below));
  if (!mixed) return null;
  const isAskable = level === 'hard';
  return reason(isAskable ? ErrorCode.EXCEPTION_NOT_ASKED : ErrorCode.MIXED_SUITS, [
    mixed.above,
    mixed.below,
  ]);
}

/** Surround fewer or more cards; on a pile that is not spread, change the row. @param {Keyboard} keyboard @param {number} step */
function resize(keyboard, step) {
  const { board, player, cursor } = keyboard;
  const table = tableOf(player);
  if (!table) return;
  if (!cursor) {
    goSideways(keyboard, 0);
    return;
  }
  const { pile, count } = cursor;
  if (pileOf(table, pile)?.fan === 'none') {
    goAcross(keyboard, -step);
    return;
  }
  const up = pileOf(table, pile)?.up ?? [];
  const most = Math.min(MAX_MOVE_COUNT, up.length);
  if (most === 0) return;
  uncover(board, pile, 1); // the player has to see how many cards of a run are meant
  if (step > 0 && preference('keys') === 'classic') {
    const larger = { pile, count: count + step };
    const reason = cursorLimit(table, larger, levelOf(player), isFree(player));
    if (reason) {
      player.effects.refuse(strings.refusal(reason.code, reason.details), larger);
      return;
    }
  }
  const next = Math.min(most, Math.max(1, count + step));
  setCursor(keyboard, { pile, count: next });
  player.app.announce(strings.holding(up.slice(-next), pile));
}

/** Pick up or put down at the cursor. @param {Keyboard} keyboard */
function pickAtCursor(keyboard) {
  const { player, cursor, aids } = keyboard;
  const table = tableOf(player);
  const pile = table && cursor && pileOf(table, cursor.pile);
  if (!cursor || !pile) goSideways(keyboard, 0);
  else if (pile.role === 'stock') keyboard.actionOf('deal')?.('');
  else if (pile.role === 'foundation' && !player.hand) aids.announceContents(pile.id);
  else pickPile(player, pile, cursor.count);
}

/** Pick a column by its digit: two digits make a move; 0 is the tenth. @param {Keyboard} keyboard @param {string} key */
function pickColumn({ player }, key) {
  const table = tableOf(player);
  const columns = table?.piles.filter(({ role }) => role === 'tableau') ?? [];
  const pile = columns[(Number(key) + 9) % 10];
  if (table && pile) pickPile(player, pile, mostMovable(table, pile.id));
}

/** Pick a pile, and announce the cards that are in hand then. @param {Player} player @param {TablePile} pile @param {number} count */
function pickPile(player, { id, up }, count) {
  if (pick(player, id, count)) player.app.announce(strings.taken(up.slice(-count), id));
}

/** What the commands of the cursor do. @type {Partial<Record<Command, (keyboard: Keyboard, key: string) => void>>} */
const CURSOR_COMMANDS = {
  left: (keyboard) => goSideways(keyboard, -1),
  right: (keyboard) => goSideways(keyboard, 1),
  more: (keyboard) => resize(keyboard, 1),
  fewer: (keyboard) => resize(keyboard, -1),
  above: (keyboard) => goAcross(keyboard, -1),
  below: (keyboard) => goAcross(keyboard, 1),
  first: (keyboard) => goTo(keyboard, cursorRow(keyboard)[0]?.id),
  last: (keyboard) => goTo(keyboard, cursorRow(keyboard).at(-1)?.id),
  pick: pickAtCursor,
  auto: (keyboard) =>
    keyboard.cursor ? autoMove(keyboard.player, keyboard.cursor) : goSideways(keyboard, 0),
  column: pickColumn,
  locate: ({ locator }) => locator.ask(),
  peek: ({ cursor, aids }) => cursor && aids.announceContents(cursor.pile),
};

/** Return whether a command deals. @param {Keyboard} keyboard @param {Command} command */
const deals = ({ cursor }, command) =>
  command === 'deal' || (command === 'pick' && cursor?.pile === 'stock');

/** Perform the command of a key. @param {Keyboard} keyboard @param {KeyboardEvent} event @returns {boolean} whether it has one */
export function press(keyboard, event) {
  const command = commandOf(event, preference('keys'), preference('letterKeys'));
  const key = keyOf(event);
  if (isChord(event) && !command) return false;
  const isOfCard = !isChord(event) && keyboard.locator.receive(key);
  if (!isOfCard && !command) return false;
  event.preventDefault();
  if (isOfCard || !command) return true;
  if (event.repeat && deals(keyboard, command)) return true; // a key that is held down deals once
  const onCursor = CURSOR_COMMANDS[command];
  if (onCursor) onCursor(keyboard, key);
  else keyboard.actionOf(command)?.(key);
  return true;
}

/** Perform Ctrl+Z and the like, and the function keys of 1987, wherever the focus is. @param {Keyboard} keyboard @param {KeyboardEvent} event */
function pressAnywhere(keyboard, event) {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
  const isShortcut = (event.ctrlKey || event.metaKey) && !isTyping(event);
  if (isShortcut || (preference('keys') === 'classic' && /^F\d+$/.test(event.key)))
    press(keyboard, event);
}

/** Move the cursor to the pile that the Tab key has focused. @param {Keyboard} keyboard @param {FocusEvent} event */
function focusIn(keyboard, { target }) {
  if (!(target instanceof HTMLElement) || !target.matches('[data-pile]:focus-visible')) return;
  const id = target.dataset.pile;
  if (id && keyboard.cursor?.pile !== id) goTo(keyboard, id);
}

/** Make one button of the board the stop of the Tab key. @param {Keyboard} keyboard */
export function updateStops(keyboard) {
  const { board, player } = keyboard;
  const first = tableOf(player)?.piles.find((pile) => pile.role === 'tableau')?.id;
  if (!board.buttons.has(keyboard.stop)) keyboard.stop = first ?? '';
  for (const [id, button] of board.buttons) {
    const index = id === cursorPile(keyboard) ? 0 : -1;
    if (button.tabIndex !== index) button.tabIndex = index;
  }
}
