// The table on the screen: a button for each pile and an element for each card, under any rules.

import { onPreference, preference } from '../browser/storage.js';
import { holdsSame, SUIT_LENGTH } from '../game/cards.js';
import { strings } from '../strings/language.js';
import { h, restartAnimation, set } from '../widgets/element.js';
import { cardAt, hasTopFold, layOut } from './geometry.js';
import * as cards from './sprites.js';

/**
 * @import {TableView, TablePile} from '../contract/notation.js'
 * @import {Glide, Marks, Sprite} from './sprites.js'
 * @import {Layout} from './geometry.js'
 * @typedef {ReturnType<typeof bindBoard>} Board
 */

/** The preferences that change what a board shows. */
const PREFERENCES_SHOWN = new Set(['removed', 'faceDown', 'keys']);
const DRAWN_WIDTH_PX = 520; // a miniature is drawn at least this wide, and scaled down
export const MINIATURE_RATIO = 0.78; // the height of a miniature divided by its width

/** Bind an empty board. @param {HTMLElement} root @param {boolean} [isReadOnly] whether nobody plays on it */
export function bindBoard(root, isReadOnly = false) {
  // From bottom to top: the pile buttons, the cards with the badges over them, and the carried cards.
  const slots = h('div');
  const badges = h('div');
  const layer = h('div', { 'aria-hidden': 'true' }, badges);
  const lift = h('div', { class: 'board-lift', 'data-part': 'lift', 'aria-hidden': 'true' });
  root.replaceChildren(slots, layer, lift);
  const board = {
    ...{ root, isReadOnly, slots, layer, badges, lift },
    buttons: /** @type {Map<string, HTMLButtonElement>} */ (new Map()), // by pile
    sprites: /** @type {Map<string, Sprite[]>} */ (new Map()), // by pile, bottom to top
    table: /** @type {TableView | null} */ (null),
    marks: /** @type {Marks | null} */ (null),
    /** Columns that the player unfolded; a column folds again when it changes. @type {Set<string>} */
    unfolded: new Set(),
    /** The carried cards, and how far they are from their places. @type {Sprite[]} */
    lifted: [],
    carried: { dx: 0, dy: 0 },
    /** @type {Layout} */
    layout: emptyLayout(root),
    unbind() {
      watcher.disconnect();
      unbindPreference();
      root.replaceChildren();
    },
  };
  const watcher = new ResizeObserver(() => {
    const { width, height } = board.layout;
    if (root.clientWidth === width && root.clientHeight === height) return;
    board.layout = emptyLayout(root);
    drawAgain(board);
  });
  watcher.observe(root);
  const unbindPreference = onPreference((name) => {
    if (PREFERENCES_SHOWN.has(name)) drawAgain(board);
  });
  return board;
}

/** Return the layout of an empty board as large as `root`. @param {HTMLElement} root */
const emptyLayout = ({ clientWidth, clientHeight }) => layOut([], clientWidth, clientHeight);

/** Draw all piles of a board again, unless it has no table yet. @param {Board} board @param {Glide} [glide] */
function drawAgain(board, glide = false) {
  if (board.table) drawBoard(board, board.table, { glide, all: true });
}

/**
 * Draw a table. If it has the same piles as the last table, only piles whose cards have changed are drawn.
 * @param {Board} board @param {TableView} next
 * @param {{glide: Glide, all?: boolean}} how `all`: draw unchanged piles too
 */
export function drawBoard(board, next, { glide, all = false }) {
  const { root, buttons, unfolded } = board;
  const { piles } = next;
  const old = new Map(board.table?.piles.map((pile) => [pile.id, pile])); // as last drawn
  const changed = piles.filter((pile) => !holdsSame(old.get(pile.id), pile));
  for (const { id } of changed) unfolded.delete(id);
  const hasSamePiles = board.table?.game === next.game && old.size === piles.length;
  const drawn = all || !hasSamePiles ? piles : changed;
  board.table = next;
  // A board is made before it is on the page, so its first layout may be empty.
  const { width, height } = board.layout.width > 0 ? board.layout : emptyLayout(root);
  const closesUp = preference('keys') === 'classic'; // as in the program of 1987
  board.layout = layOut(piles, width, height, unfolded, closesUp);
  const { cardWidth, cardHeight, isSmall } = board.layout;
  const sizes = { '--card-width': `${cardWidth}px`, '--card-height': `${cardHeight}px` };
  set(root, { ...sizes, 'data-small': isSmall });
  for (const pile of drawn) drawSlot(board, pile);
  for (const [id, button] of buttons) {
    if (board.layout.areas.has(id)) continue;
    button.remove();
    buttons.delete(id);
  }
  assignCards(board, piles);
  for (const pile of drawn) {
    // A suit that goes home at once flies card by card; other foundations are built from single cards.
    const isNewSuit = isSuitHome(pile) && old.get(pile.id)?.up.length === 0;
    const goesHome = glide === true && !board.isReadOnly && isNewSuit;
    drawCards(board, pile, goesHome ? 'home' : glide);
  }
  if (drawn.length > 0) cards.drawBadges(board.badges, board.layout, piles, unfolded);
  if (board.marks) cards.drawMarks(buttons, board.sprites, board.marks);
}

/** Assign the cards to the places of a table. If a carried card gets another place, release all carried cards. @param {Board} board @param {readonly TablePile[]} piles */
function assignCards(board, piles) {
  const { sprites, spare } = cards.assignSprites(board.sprites, piles, cards.makeSprite);
  for (const { el } of spare) el.remove();
  board.sprites = sprites;
  const isAtPlace = (/** @type {Sprite} */ each) => sprites.get(each.pile)?.[each.index] === each;
  if (!board.lifted.every(isAtPlace)) release(board);
}

/** Return whether a pile is a complete suit on a foundation. @param {TablePile} pile */
const isSuitHome = ({ role, up }) => role === 'foundation' && up.length === SUIT_LENGTH;

/** Draw a pile's button, which outlines the pile when it is empty. If piles share a place, only the first is visible. @param {Board} board @param {TablePile} pile */
function drawSlot({ slots, buttons, layout }, pile) {
  const { id, role, direction } = pile;
  const button =
    buttons.get(id) ??
    h('button', { class: 'board-slot', tabindex: '-1', 'aria-pressed': 'false', 'data-pile': id });
  if (!buttons.has(id)) slots.append(button);
  buttons.set(id, button);
  const area = layout.areas.get(id);
  if (!area) return;
  // A stock is wider than a card: its deals lie side by side.
  cards.setBox(button, { ...area, width: area.width + (area.spots.at(-1)?.dx ?? 0) });
  const firstHere = [...layout.areas.values()].find(({ x, y }) => x === area.x && y === area.y);
  set(button, {
    'data-role': role,
    'data-shared': firstHere !== area,
    'data-direction': direction ?? '',
    'aria-label': strings.pileLabel(pile),
  });
}

/** Draw a pile's cards at their places. @param {Board} board @param {TablePile} pile @param {Glide} glide */
function drawCards({ table, layer, sprites, lifted, layout, isReadOnly }, pile, glide) {
  const { x = 0, y = 0, spots = [] } = layout.areas.get(pile.id) ?? {};
  const last = spots.length - 1;
  // Foundations without a direction take only complete suits. Such a suit shows its number, counted from 1.
  const number = isSuitHome(pile) && !pile.direction ? Number(pile.id.slice(1)) + 1 : null;
  const stock = table?.piles.find(({ role }) => role === 'stock')?.id;
  for (const [index, face] of cards.faces(pile).entries()) {
    const sprite = sprites.get(pile.id)?.[index];
    const spot = spots[index];
    if (!sprite || !spot) continue;
    const { el } = sprite;
    const isNew = sprite.index < 0; // it was made for this table
    const home = index === last ? number : null;
    // A suit that is home shows its king or a back, as the player prefers.
    const shown = home !== null && preference('removed') === 'down' ? '' : face;
    // A card from the stock shows its face at once, without turning.
    const isTurned = !isNew && sprite.face === '' && shown !== '' && sprite.pile !== stock;
    if (sprite.index !== index) el.style.zIndex = String(index);
    Object.assign(sprite, { pile: pile.id, index, face: shown });
    set(el, { 'data-in': pile.id, 'data-index': index, 'data-home': home });
    set(el, { 'data-card': shown || null, 'data-back': shown === '' });
    // On a read-only board, hide a card that the next one covers completely, unless it glides there.
    const above = spots[index + 1];
    const isCovered = above?.dx === spot.dx && above.dy === spot.dy;
    if (isReadOnly) set(el, { hidden: isCovered && !glide });
    if (isNew) layer.append(el);
    if (lifted.includes(sprite)) continue;
    const cardsAhead = last - index; // a suit goes home from its last card to its first
    cards.place(sprite, x + spot.dx, y + spot.dy, !isNew && glide, cardsAhead);
    if (isTurned && glide) cards.turnUp(sprite);
  }
}

/** At the start of a game, let the columns' cards fly from the stock to their places. @param {Board} board */
export function dealBoard({ table, sprites, layout, isReadOnly }) {
  const columns = table?.piles.filter(({ role }) => role === 'tableau') ?? [];
  const order = columns.flatMap(({ id }) => sprites.get(id) ?? []);
  order.sort((a, b) => a.index - b.index); // row by row
  const stock = table?.piles.find(({ role }) => role === 'stock');
  const from = stock && layout.areas.get(stock.id);
  if (from && !isReadOnly) cards.dealOut(order, from);
}

/** Return what `cardAt` finds under a pointer. @param {Board} board @param {MouseEvent} event */
export function pileAt({ root, layout }, { clientX, clientY }) {
  const { left, top } = root.getBoundingClientRect();
  return cardAt(layout, clientX - left, clientY - top);
}

/**
 * Lift a card and all cards on top of it. Their layer is no larger than the cards, because browsers without a
 * graphics processor redraw the whole layer in each frame of a drag.
 * @param {Board} board @param {string} pile @param {number} index
 */
export function liftCards(board, pile, index) {
  const { lift, layout } = board;
  board.lifted = board.sprites.get(pile)?.slice(index) ?? [];
  const { x, y } = board.lifted[0] ?? { x: 0, y: 0 };
  const last = board.lifted.at(-1)?.y ?? y;
  for (const sprite of board.lifted) {
    cards.stop(sprite);
    sprite.el.style.left = '0';
    sprite.el.style.top = `${sprite.y - y}px`;
    lift.append(sprite.el);
  }
  cards.setBox(lift, { x, y, width: layout.cardWidth, height: last - y + layout.cardHeight });
  set(lift, { 'data-flying': true });
}

/** Move the lifted cards. @param {Board} board @param {number} dx px from their places @param {number} dy */
export function carry(board, dx, dy) {
  board.carried = { dx, dy };
  board.lift.style.transform = `translate3d(${dx}px,${dy}px,0)`;
}

/** Return the box of the first lifted card. It is computed, since measuring the element would force a layout. @param {Board} board */
export function carriedBox({ lifted: [first], carried, layout }) {
  const { cardWidth: width, cardHeight: height } = layout;
  return first && { x: first.x + carried.dx, y: first.y + carried.dy, width, height };
}

/**
 * Let go of the lifted cards, which glide to their places in a table.
 * @param {Board} board
 * @param {TableView | null} [next] that table; by default the drawn one, so they glide back; null draws nothing
 */
export function drop(board, next = board.table) {
  release(board);
  if (next) drawBoard(board, next, { glide: 'back', all: true });
}

/** Put the lifted cards back into the layer of the others, but leave them where they are on the screen. @param {Board} board */
function release(board) {
  const { lifted, carried, lift, layer } = board;
  for (const sprite of lifted) {
    layer.append(sprite.el);
    cards.lay(sprite, sprite.x + carried.dx, sprite.y + carried.dy);
  }
  board.lifted = [];
  board.carried = { dx: 0, dy: 0 };
  lift.style.transform = '';
  set(lift, { 'data-flying': false });
}

/**
 * Unfold a column, or fold it again.
 * @param {Board} board @param {string} pile
 * @returns {'unfolded' | 'folded' | 'short' | 'top'} `short` if the column has no folds, `top` if only its top is
 *   folded: there is no room to unfold it
 */
export function toggleFold(board, pile) {
  const { unfolded, layout } = board;
  const area = layout.areas.get(pile);
  const isUnfolded = unfolded.has(pile);
  const hasFoldedRun = area?.folds.some(({ kind }) => kind === 'run');
  // With the keys of 1987 the rows of an unfolded column move closer together, which shows some cards of its top.
  const showsMore = hasFoldedRun || (preference('keys') === 'classic' && hasTopFold(area));
  if (!isUnfolded && !showsMore) return hasTopFold(area) ? 'top' : 'short';
  if (isUnfolded) unfolded.delete(pile);
  else unfolded.add(pile);
  drawAgain(board, true);
  return isUnfolded ? 'folded' : 'unfolded';
}

/** Unfold a column if a card in it is hidden. @param {Board} board @param {string} pile @param {number} above how many cards lie on that card */
export function uncover(board, pile, above) {
  const spot = board.layout.areas.get(pile)?.spots.at(-above - 1);
  if (spot?.hidden && !board.unfolded.has(pile)) toggleFold(board, pile);
}

/** Shake a pile's last cards. @param {Board} board @param {string} pile @param {number} count how many */
export function shakeCards({ sprites }, pile, count) {
  const shaken = Math.max(1, count); // if no card can be taken, the last one shakes
  for (const sprite of sprites.get(pile)?.slice(-shaken) ?? []) cards.shake(sprite);
}

/** Highlight a pile for a moment. @param {Board} board @param {string} pile */
export function highlight({ buttons }, pile) {
  const button = buttons.get(pile);
  if (button) restartAnimation(button, 'data-highlight');
}

/** Set the marks of all piles and cards. @param {Board} board @param {Marks} marks */
export function markBoard(board, marks) {
  board.marks = marks;
  cards.drawMarks(board.buttons, board.sprites, marks);
}

/** Bind an empty miniature: a board that only shows a game, scaled to fit its element. */
export function bindMiniature() {
  const felt = h('div', { class: 'board miniature-board', inert: true, 'aria-hidden': 'true' });
  const element = h('div', { class: 'miniature' }, felt);
  const board = bindBoard(felt, true);
  const watcher = new ResizeObserver(() => {
    const width = element.clientWidth;
    if (width === 0) return; // it is hidden
    const drawn = Math.max(DRAWN_WIDTH_PX, width);
    cards.setBox(felt, { x: 0, y: 0, width: drawn, height: Math.round(drawn * MINIATURE_RATIO) });
    felt.style.transform = `scale(${width / drawn})`;
    element.style.height = `${Math.round(width * MINIATURE_RATIO)}px`;
  });
  watcher.observe(element);

  return {
    element,
    /** Show a table. @param {TableView | undefined} table @param {boolean} glide whether cards glide from an earlier table of the same player */
    update(table, glide) {
      if (!table || table === board.table) return;
      drawBoard(board, table, { glide: glide && board.table?.seat === table.seat });
    },
    unbind() {
      watcher.disconnect();
      board.unbind();
    },
  };
}
