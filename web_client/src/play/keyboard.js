// The board by keyboard: the cursor, which surrounds cards, and the keys pressed on the board. Keys that write a
// character act only while the board has the focus, and can be switched off.

import { uncover } from '../board/board.js';
import { clamp } from '../board/geometry.js';
import { preference } from '../browser/storage.js';
import { ErrorCode, MAX_MOVE_COUNT, RANKS, SUITS } from '../contract/protocol.js';
import { mostMovable, pileOf, rank, runLength, suit } from '../game/cards.js';
import { strings } from '../strings/language.js';
import { callAll, listen, set } from '../widgets/element.js';
import { commandOf, isChord, isTyping, keyOf } from './commands.js';
import { autoMove, levelOf, mayMoveMixed, pick, tableOf } from './player.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {ErrorCode as Code, Settings} from '../contract/messages.d.ts'
 * @import {TablePile, TableView} from '../contract/notation.js'
 * @import {Hand} from '../game/cards.js'
 * @import {Aids} from './aids.js'
 * @import {ActionOf, Command} from './commands.js'
 * @import {Player} from './player.js'
 * @typedef {ReturnType<typeof bindKeyboard>} Keyboard
 */

/**
 * Bind the keys of a board, and the cursor, which the board shows as a mark.
 * @param {{board: Board, player: Player, aids: Aids, drawMarks: () => void, actionOf: ActionOf}} parts
 */
export function bindKeyboard(parts) {
  const { root } = parts.board;
  const keyboard = {
    ...parts,
    cursor: /** @type {Hand | null} */ (null), // null while it is hidden
    tabStop: '', // the pile of the cursor, even while it is hidden: the Tab key stops there
    /** Null unless the player searches for a card: then its rank, or '' until that is typed. @type {string | null} */
    soughtRank: null,
    unbind: callAll(
      listen(root, 'keydown', (event) => press(keyboard, event)),
      // Keys that the board has handled are marked with `preventDefault`.
      listen(document, 'keydown', (event) => pressAnywhere(keyboard, event)),
      listen(root, 'focusin', (event) => focusIn(keyboard, event)),
      // A pointer hides the cursor; the next key shows it in the same place.
      listen(root, 'pointerdown', () => {
        if (keyboard.cursor) setCursor(keyboard, null);
      }),
    ),
  };
  return keyboard;
}

/** Set the cursor, or hide it (null). The Tab stop follows. @param {Keyboard} keyboard @param {Hand | null} cursor */
function setCursor(keyboard, cursor) {
  keyboard.cursor = cursor;
  updateTabStop(keyboard);
  keyboard.drawMarks();
}

/** Return the ids of the piles in the cursor's row, from left to right. @param {Keyboard} keyboard */
function rowOf({ player, tabStop }) {
  const piles = tableOf(player)?.piles ?? [];
  const y = piles.find(({ id }) => id === tabStop)?.y;
  const row = piles.filter((pile) => pile.y === y).sort((a, b) => a.x - b.x);
  return row.map(({ id }) => id);
}

/**
 * Put the cursor on a pile. In a column it surrounds the cards that can move. With the classic keys, as in 1987, it
 * surrounds the whole run at the end of the column, even if it fits nowhere.
 * @param {Keyboard} keyboard @param {string | undefined} id
 */
function goTo(keyboard, id) {
  const table = tableOf(keyboard.player);
  if (!id || !table) return;
  keyboard.tabStop = id;
  const isColumn = pileOf(table, id)?.role === 'tableau';
  const run = preference('keys') === 'classic' ? Math.min(runLength(table, id), MAX_MOVE_COUNT) : 0;
  setCursor(keyboard, { pile: id, count: isColumn ? Math.max(run, mostMovable(table, id)) : 0 });
  keyboard.board.buttons.get(id)?.focus({ preventScroll: true });
}

/** Show the cursor where it was last, at first on the leftmost column. @param {Keyboard} keyboard */
export function showCursor(keyboard) {
  updateTabStop(keyboard);
  goTo(keyboard, keyboard.tabStop);
}

/** Move the cursor along its row, wrapping at the ends. @param {Keyboard} keyboard @param {number} step 1 is right */
function goSideways(keyboard, step) {
  const row = rowOf(keyboard);
  goTo(keyboard, row.at((row.indexOf(keyboard.tabStop) + step) % row.length)); // at(-1) is the last
}

/** Return a distance that counts rows more than columns. @param {TablePile} a @param {TablePile} b */
const distance = (a, b) => 10 * Math.abs(a.y - b.y) + Math.abs(a.x - b.x);

/** Move the cursor to the nearest pile above or below. @param {Keyboard} keyboard @param {number} step 1 down, -1 up */
function goUpOrDown(keyboard, step) {
  const table = tableOf(keyboard.player);
  const from = table && pileOf(table, keyboard.tabStop);
  if (!from) return;
  const piles = table.piles.filter((pile) => (pile.y - from.y) * step > 0);
  const [next] = piles.sort((a, b) => distance(a, from) - distance(b, from));
  goTo(keyboard, next?.id);
}

/**
 * Return why the cursor of the classic keys cannot surround these cards (manual of 1987: "Cursor Up and Cursor Down
 * Keys"), or null if it can: if they can be moved, or are a run that fits nowhere. Pure.
 * @param {TableView} table with the exceptions that can be made now, and no others
 * @param {Hand} hand @param {Settings['exceptions']} level
 * @param {boolean} movesMixed whether a run of mixed suits can be moved now: at the level `easy`, at `hard` after an
 *   exception was asked for, and never at `off`
 */
export function cursorLimit(table, { pile, count }, level, movesMixed) {
  const isLegal = table.legal.some(
    (action) => action.type === 'move' && action.from === pile && action.count >= count,
  );
  if (isLegal || count < 1) return null;
  const { up = [], down = 0 } = pileOf(table, pile) ?? {};
  const reason = (/** @type {Code} */ code, /** @type {string[]} */ cards = []) => ({
    code,
    details: { cards, piles: [pile], fields: [], reason: null },
  });
  if (count > up.length) return reason(down > 0 ? ErrorCode.FACE_DOWN : ErrorCode.NOT_ENOUGH_CARDS);
  const chosen = up.slice(-count);
  // Give as the reason the pair that is nearest to the end of the column.
  const pairs = chosen.slice(1).map((below, i) => [chosen[i] ?? '', below]);
  const gap = pairs.findLast(([above = '', below = '']) => rank(above) !== rank(below) + 1);
  if (gap) return reason(ErrorCode.NOT_A_RUN, gap);
  const mixed = pairs.findLast(([above = '', below = '']) => suit(above) !== suit(below));
  if (!mixed || movesMixed) return null;
  return reason(level === 'hard' ? ErrorCode.EXCEPTION_NOT_ASKED : ErrorCode.MIXED_SUITS, mixed);
}

/**
 * Put the cursor around more or fewer cards. If its pile shows only the top card, move the cursor to another row.
 * @param {Keyboard} keyboard @param {number} step 1 for more (↑), -1 for fewer (↓)
 */
function resize(keyboard, step) {
  const { board, player, cursor } = keyboard;
  const table = tableOf(player);
  const pile = table && cursor && pileOf(table, cursor.pile);
  if (!pile) return;
  if (pile.fan === 'none') return goUpOrDown(keyboard, -step); // ↑ goes to the row above
  const { id, up } = pile;
  if (up.length === 0) return;
  uncover(board, id, 1); // unfold the run, so that the player sees how many cards the cursor surrounds
  const wanted = { pile: id, count: cursor.count + step };
  // As in 1987, the classic keys refuse to surround too many cards. With the modern keys, the move is refused later.
  const isLimited = step > 0 && preference('keys') === 'classic';
  const reason = isLimited && cursorLimit(table, wanted, levelOf(player), mayMoveMixed(player));
  if (reason) return player.effects.refuse(strings.refusal(reason.code, reason.details), wanted);
  const count = clamp(1, wanted.count, Math.min(MAX_MOVE_COUNT, up.length));
  setCursor(keyboard, { pile: id, count });
  player.app.announce(strings.holding(up.slice(-count), id));
}

/** Deal from a stock, read out a foundation, or pick the cards, wherever the cursor is. @param {Keyboard} keyboard */
function pickAtCursor({ player, cursor, aids, actionOf }) {
  const table = tableOf(player);
  const pile = table && cursor && pileOf(table, cursor.pile);
  if (!pile) return;
  if (pile.role === 'stock') actionOf('deal')?.('');
  else if (pile.role === 'foundation' && !player.hand) aids.announceContents(pile.id);
  else pickPile(player, pile, cursor.count);
}

/** Pick a column by digit (0: the tenth); a second pick makes a move. @param {Keyboard} keyboard @param {string} key */
function pickColumn({ player }, key) {
  const table = tableOf(player);
  const columns = table?.piles.filter(({ role }) => role === 'tableau') ?? [];
  const pile = columns[(Number(key) + 9) % 10]; // 1 is the first
  if (table && pile) pickPile(player, pile, mostMovable(table, pile.id));
}

/** Pick a pile, and announce the cards taken. @param {Player} player @param {TablePile} pile @param {number} count */
function pickPile(player, { id, up }, count) {
  if (pick(player, id, count)) player.app.announce(strings.taken(up.slice(-count), id));
}

/** Start a search for a card: the next two keys are its rank and its suit. @param {Keyboard} keyboard */
function locate(keyboard) {
  keyboard.soughtRank = '';
  keyboard.player.app.announce(strings.PLAY.whichRank);
}

/**
 * Handle a key while the player searches for a card by typing its rank and its suit.
 * @param {Keyboard} keyboard @param {string} key @returns {boolean} whether the key belonged to a search
 */
function readCardName(keyboard, key) {
  const { soughtRank, aids, player } = keyboard;
  if (soughtRank === null) return false; // no search is on
  if (key === 'Shift') return false; // it comes before a capital
  // The rank is a single key, so the ten is typed as T, 1 or 0.
  const sign = key === '0' || key === '1' ? 'T' : key.toUpperCase();
  const signs = soughtRank === '' ? RANKS : SUITS; // the rank comes first
  const isSign = sign.length === 1 && signs.includes(sign);
  keyboard.soughtRank = null; // the search is over, unless this key was the rank
  if (!isSign) player.app.announce(strings.PLAY.notDone);
  else if (soughtRank) aids.find(soughtRank + sign);
  else {
    keyboard.soughtRank = sign;
    player.app.announce(strings.PLAY.whichSuit);
  }
  return true;
}

/** What the cursor's commands do. @type {Partial<Record<Command, (keyboard: Keyboard, key: string) => void>>} */
const CURSOR_COMMANDS = {
  left: (keyboard) => goSideways(keyboard, -1),
  right: (keyboard) => goSideways(keyboard, 1),
  more: (keyboard) => resize(keyboard, 1),
  fewer: (keyboard) => resize(keyboard, -1),
  above: (keyboard) => goUpOrDown(keyboard, -1),
  below: (keyboard) => goUpOrDown(keyboard, 1),
  first: (keyboard) => goTo(keyboard, rowOf(keyboard)[0]),
  last: (keyboard) => goTo(keyboard, rowOf(keyboard).at(-1)),
  pick: pickAtCursor,
  auto({ player, cursor }) {
    if (cursor) autoMove(player, cursor);
  },
  column: pickColumn,
  locate,
  peek({ cursor, aids }) {
    if (cursor) aids.announceContents(cursor.pile);
  },
};

/** The cursor commands that work while it is hidden. The others only show it. @type {ReadonlySet<Command>} */
const WITHOUT_CURSOR = new Set(['above', 'below', 'first', 'last', 'column', 'locate', 'peek']);

/**
 * Perform the command of a key, or use the key in a search for a card.
 * @param {Keyboard} keyboard @param {KeyboardEvent} event @returns {boolean} false if the key does nothing here
 */
export function press(keyboard, event) {
  const key = keyOf(event);
  if (!isChord(event) && readCardName(keyboard, key)) {
    event.preventDefault();
    return true;
  }
  const command = commandOf(event, preference('keys'), preference('letterKeys'));
  if (!command) return false;
  event.preventDefault();
  const { cursor, tabStop, actionOf } = keyboard;
  const isDeal = command === 'deal' || (command === 'pick' && cursor?.pile === 'stock');
  if (event.repeat && isDeal) return true; // a key that is held down deals only once
  const onCursor = CURSOR_COMMANDS[command];
  if (!onCursor) actionOf(command)?.(key);
  else if (cursor || WITHOUT_CURSOR.has(command)) onCursor(keyboard, key);
  else goTo(keyboard, tabStop); // the cursor appears
  return true;
}

/** Handle shortcuts and function keys wherever the focus is. @param {Keyboard} keyboard @param {KeyboardEvent} event */
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
  if (id && keyboard.cursor?.pile !== id) goTo(keyboard, id); // or else `goTo` has just focused it
}

/** Let Tab stop at one button of the board: the cursor's, or at first the first column's. @param {Keyboard} keyboard */
export function updateTabStop(keyboard) {
  const { buttons } = keyboard.board;
  const first = tableOf(keyboard.player)?.piles.find((pile) => pile.role === 'tableau')?.id;
  if (!buttons.has(keyboard.tabStop)) keyboard.tabStop = first ?? '';
  for (const [id, button] of buttons) set(button, { tabIndex: id === keyboard.tabStop ? 0 : -1 });
}
