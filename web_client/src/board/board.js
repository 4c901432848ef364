// The table on the screen: one button for each pile, one element for each card, no rules.

import { preference } from '../browser/storage.js';
import { MAX_MOVE_COUNT } from '../contract/protocol.js';
import { holdsSame } from '../game/hand.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { bindFaceDownCounts } from './face-down-counts.js';
import { bindFoldBadges } from './fold-badges.js';
import { cardAt, isCardAt, layOut } from './geometry.js';
import { drawMarks, NO_MARKS } from './marks.js';
import { makeSprite, NO_FACE, place, shake, stop, turnUp } from './motion.js';
import { faces, rematch } from './sprites.js';
import { makeTilt } from './tilt.js';

/**
 * @import {TableView, TablePile} from '../contract/notation.js'
 * @import {Layout} from './geometry.js'
 * @import {Marks} from './marks.js'
 * @import {Sprite} from './motion.js'
 * @typedef {object} Board
 * @property {HTMLElement} root
 * @property {boolean} still whether it is only looked at
 * @property {HTMLElement} slots the layer of the piles' buttons
 * @property {HTMLElement} layer of the cards
 * @property {HTMLElement} lift the layer of the cards that are carried
 * @property {Map<string, HTMLButtonElement>} buttons by pile
 * @property {Map<string, Sprite[]>} sprites by pile, bottom to top
 * @property {TableView | null} table
 * @property {Marks} marks
 * @property {Set<string>} unfolded columns that the player unfolded; a change of a column folds it
 * @property {ReturnType<typeof bindFoldBadges>} badges
 * @property {ReturnType<typeof bindFaceDownCounts>} faceDown
 * @property {Sprite[]} lifted the cards that are carried
 * @property {{dx: number, dy: number}} carried how far
 * @property {ReturnType<typeof makeTilt>} tilt of the cards that are carried
 * @property {{width: number, height: number}} size
 * @property {Layout} layout
 * @property {() => void} unbind
 */

/** Return the inner size of a board in pixels. @param {HTMLElement} root */
const sizeOf = ({ clientWidth: width, clientHeight: height }) => ({ width, height });

/** Bind an empty board. @param {HTMLElement} root @param {boolean} [still] whether it is only looked at @returns {Board} */
export function bindBoard(root, still = false) {
  const slots = h('div');
  const layer = h('div', { 'aria-hidden': 'true' });
  const lifting = h(
    'div',
    { class: 'board-lift', 'data-part': 'lift', 'aria-hidden': 'true' },
    h('div', { class: 'board-shadow' }),
  );
  root.replaceChildren(slots, layer, lifting);
  const size = sizeOf(root);
  const faceDown = bindFaceDownCounts(layer);
  /** @type {Board} */
  const board = {
    root,
    still,
    slots,
    layer,
    lift: lifting,
    buttons: new Map(),
    sprites: new Map(),
    table: null,
    marks: NO_MARKS,
    unfolded: new Set(),
    badges: bindFoldBadges(layer),
    faceDown,
    lifted: [],
    carried: { dx: 0, dy: 0 },
    tilt: makeTilt(lifting),
    size,
    layout: layOut([], size.width, size.height),
    unbind() {
      watcher.disconnect();
      faceDown.unbind();
      root.replaceChildren();
    },
  };
  const watcher = new ResizeObserver(() => {
    const before = board.size;
    board.size = sizeOf(root);
    if (before.width === board.size.width && before.height === board.size.height) return;
    if (board.table) drawBoard(board, board.table, false, true);
  });
  watcher.observe(root);
  return board;
}

/**
 * Draw a table. If its piles are those of the table before, only those with other cards are drawn.
 * @param {Board} board
 * @param {TableView} next
 * @param {boolean | 'back'} glide whether and how cards move to their new places, as in `place`
 * @param {boolean} [all] whether all piles are drawn, although their cards are the same
 */
export function drawBoard(board, next, glide, all = false) {
  const { root, unfolded } = board;
  // A board is made before it is on the page.
  if (board.size.width === 0) board.size = sizeOf(root);
  const { size } = board;
  const oldLayout = board.table && board.layout;
  const old = new Map(board.table?.piles.map((pile) => [pile.id, pile]));
  const changed = next.piles.filter((pile) => !holdsSame(old.get(pile.id), pile));
  for (const pile of changed) unfolded.delete(pile.id);
  const samePiles = oldLayout && board.table?.game === next.game && old.size === next.piles.length;
  board.table = next;
  const layout = layOut(next.piles, size.width, size.height, unfolded);
  board.layout = layout;
  if (oldLayout?.cardWidth !== layout.cardWidth) {
    root.style.setProperty('--card-width', `${layout.cardWidth}px`);
    root.style.setProperty('--card-height', `${layout.cardHeight}px`);
  }
  root.toggleAttribute('data-small', layout.small);
  const drawn = all || !samePiles ? next.piles : changed;
  for (const pile of drawn) drawSlot(board, pile);
  if (drawn === next.piles) removeSlots(board, next);
  const match = rematch(board.sprites, next.piles, makeSprite);
  for (const sprite of match.spare) sprite.el.remove();
  board.sprites = match.held;
  if (board.lifted.some((sprite) => board.sprites.get(sprite.pile)?.[sprite.index] !== sprite))
    release(board);
  const stock = next.piles.find(({ role }) => role === 'stock')?.id;
  for (const pile of drawn) {
    const wholeSuit = glide === true && !board.still && isWholeSuit(old.get(pile.id), pile);
    drawCards(board, pile, stock, wholeSuit ? 'home' : glide);
  }
  board.badges.draw(layout, unfolded);
  board.faceDown.draw(next.piles, layout);
  if (board.marks !== NO_MARKS) drawMarks(board.buttons, board.sprites, board.marks);
}

/** Return whether a complete suit has come to a foundation. @param {TablePile | undefined} before @param {TablePile} pile */
const isWholeSuit = (before, { role, up }) =>
  role === 'foundation' && before?.up.length === 0 && up.length === MAX_MOVE_COUNT;

/** Draw the button of a pile; of piles at one place only the first one is visible. @param {Board} board @param {TablePile} pile */
function drawSlot({ slots, buttons, layout }, pile) {
  let button = buttons.get(pile.id);
  if (!button) {
    button = h('button', { class: 'board-slot', tabindex: '-1', 'aria-pressed': 'false' });
    button.dataset.pile = pile.id;
    button.dataset.role = pile.role;
    buttons.set(pile.id, button);
    slots.append(button);
  }
  const box = layout.slots.get(pile.id);
  if (box) {
    button.style.left = `${box.x}px`;
    button.style.top = `${box.y}px`;
    button.style.height = `${box.height}px`;
    const last = layout.offsets.get(pile.id)?.at(-1);
    button.style.width = `${box.width + (last?.dx ?? 0)}px`;
    const [first] = [...layout.slots].find(([, { x, y }]) => x === box.x && y === box.y) ?? [];
    button.toggleAttribute('data-shared', first !== pile.id);
  }
  button.dataset.direction = pile.direction ?? '';
  const label = strings.pileLabel(pile);
  if (button.getAttribute('aria-label') !== label) button.setAttribute('aria-label', label);
}

/** Remove the buttons of piles that are gone. @param {Board} board @param {TableView} next */
function removeSlots({ buttons }, next) {
  for (const [id, button] of buttons) {
    if (next.piles.some((pile) => pile.id === id)) continue;
    button.remove();
    buttons.delete(id);
  }
}

/**
 * Draw the cards of a pile. A card that comes from the stock is not turned: it shows its face at once.
 * @param {Board} board
 * @param {TablePile} pile
 * @param {string | undefined} stock the name of the stock, if the table has one
 * @param {boolean | 'back' | 'home'} glide as in `place`
 */
function drawCards({ layer, sprites, lifted, layout, still }, pile, stock, glide) {
  const box = layout.slots.get(pile.id);
  const offsets = layout.offsets.get(pile.id) ?? [];
  faces(pile).forEach((face, index) => {
    const sprite = sprites.get(pile.id)?.[index];
    const offset = offsets[index];
    if (!sprite || !box || !offset) return;
    const isNew = sprite.face === NO_FACE;
    const fromStock = stock !== undefined && sprite.pile === stock;
    const number = index === offsets.length - 1 ? suitNumber(pile) : 0;
    const shown = number && preference('removed') === 'down' ? '' : face;
    const turned = sprite.face === '' && shown !== '';
    identify(sprite, pile.id, index, shown);
    markHome(sprite.el, number);
    // On a still board a card that lies exactly under the next one need not be drawn.
    const above = offsets[index + 1];
    if (still) sprite.el.hidden = !glide && above?.dx === offset.dx && above.dy === offset.dy;
    if (isNew) layer.append(sprite.el);
    if (lifted.includes(sprite)) return;
    const turn = offsets.length - 1 - index;
    place(sprite, box.x + offset.dx, box.y + offset.dy, isNew ? false : glide, turn);
    if (turned && glide && !fromStock) turnUp(sprite);
  });
}

/** Return the number of a complete suit that is home, from 1, or 0. @param {TablePile} pile */
const suitNumber = ({ id, role, direction, up }) =>
  role === 'foundation' && !direction && up.length === MAX_MOVE_COUNT ? Number(id.slice(1)) + 1 : 0;

/** Mark the top card of a complete suit, which shows its number and its king, or its back (`seeds/` 5). @param {HTMLElement} element @param {number} number 0 for all others */
function markHome({ dataset }, number) {
  if (number) dataset.home = String(number);
  else if (dataset.home) delete dataset.home;
}

/** Give a sprite its pile, index and face. @param {Sprite} sprite @param {string} pile @param {number} index @param {string} face */
function identify(sprite, pile, index, face) {
  sprite.pile = pile;
  sprite.el.dataset.in = pile;
  if (sprite.index !== index) {
    sprite.index = index;
    sprite.el.style.zIndex = String(index);
    sprite.el.dataset.index = String(index);
  }
  if (sprite.face === face) return;
  sprite.face = face;
  sprite.el.toggleAttribute('data-back', face === '');
  if (face) sprite.el.dataset.card = face;
  else delete sprite.el.dataset.card;
}

/** Return the pile and the card under a pointer. @param {Board} board @param {MouseEvent} event */
export function pileAt({ root, layout }, event) {
  const { left, top } = root.getBoundingClientRect();
  const [x, y] = [event.clientX - left, event.clientY - top];
  const hit = cardAt(layout, x, y);
  return hit && { ...hit, onCards: isCardAt(layout, x, y) };
}

/**
 * Take a card and all cards on it off the board. Their layer is as large as they are: browsers
 * without a graphics processor draw all of it in each frame of a drag.
 * @param {Board} board @param {string} pile @param {number} index
 */
export function liftCards(board, pile, index) {
  const { lift, layout } = board;
  board.lifted = board.sprites.get(pile)?.slice(index) ?? [];
  for (const sprite of board.lifted) stop(sprite);
  const left = Math.min(...board.lifted.map((sprite) => sprite.x));
  const top = Math.min(...board.lifted.map((sprite) => sprite.y));
  for (const sprite of board.lifted) {
    sprite.el.style.left = `${sprite.x - left}px`;
    sprite.el.style.top = `${sprite.y - top}px`;
    lift.append(sprite.el);
  }
  const width = Math.max(...board.lifted.map((sprite) => sprite.x - left)) + layout.cardWidth;
  const height = Math.max(...board.lifted.map((sprite) => sprite.y - top)) + layout.cardHeight;
  setBox(lift, { left, top, width, height });
  lift.toggleAttribute('data-flying', true);
}

/**
 * Give an element its place and size in pixels.
 * @param {HTMLElement} element
 * @param {{left: number, top: number, width: number, height: number}} box
 */
function setBox({ style }, { left, top, width, height }) {
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
}

/** Move the lifted cards. @param {Board} board @param {number} dx @param {number} dy @param {number} time of the pointer, in ms */
export function carry(board, dx, dy, time) {
  board.carried = { dx, dy };
  board.tilt.move(dx, dy, time);
}

/** Return where the first lifted card is; asking the browser would compute its layout. @param {Board} board */
export function carriedBox({ lifted, carried, layout }) {
  const first = lifted[0];
  if (!first) return null;
  const { cardWidth: width, cardHeight: height } = layout;
  return { x: first.x + carried.dx, y: first.y + carried.dy, width, height };
}

/** Let the lifted cards go; all glide to where the table has them. @param {Board} board */
export function drop(board) {
  release(board);
  if (board.table) drawBoard(board, board.table, 'back', true);
}

/** Put the lifted cards on the board where they are now; the next drawing moves them to their places. @param {Board} board */
function release(board) {
  const { lifted, carried, lift, layer } = board;
  const tilt = board.tilt.end();
  for (const sprite of lifted) {
    layer.append(sprite.el);
    sprite.tilt = tilt;
    sprite.x += carried.dx;
    sprite.y += carried.dy;
    sprite.el.style.left = `${sprite.x}px`;
    sprite.el.style.top = `${sprite.y}px`;
  }
  board.lifted = [];
  board.carried = { dx: 0, dy: 0 };
  lift.removeAttribute('data-flying');
}

/**
 * Unfold a column, or fold it again.
 * @param {Board} board
 * @param {string} pile
 * @returns {'unfolded' | 'folded' | 'short'} `short` if there is nothing to fold
 */
export function toggleFold(board, pile) {
  const wasUnfolded = board.unfolded.delete(pile);
  if (!wasUnfolded) {
    if (!board.layout.folds.get(pile)?.some(({ kind }) => kind === 'run')) return 'short';
    board.unfolded.add(pile);
  }
  if (board.table) drawBoard(board, board.table, true, true);
  return wasUnfolded ? 'folded' : 'unfolded';
}

/** Unfold a column if a fold hides its card that lies under `above` others. @param {Board} board @param {string} pile @param {number} above */
export function uncover(board, pile, above) {
  const spots = board.layout.offsets.get(pile) ?? [];
  if (spots.at(-above - 1)?.hidden && !board.unfolded.has(pile)) toggleFold(board, pile);
}

/** Return whether the top of a column is folded behind a badge. @param {Board} board @param {string} pile */
export const hasFoldedTop = ({ layout }, pile) => layout.folds.get(pile)?.[0]?.kind === 'top';

/** Return whether the last cards of a column are a folded run. @param {Board} board @param {string} pile */
export function endsInFoldedRun({ layout }, pile) {
  const cards = layout.offsets.get(pile)?.length ?? 0;
  const last = layout.folds.get(pile)?.at(-1);
  return last?.kind === 'run' && last.from + last.count === cards;
}

/** Shake the last cards of a pile. @param {Board} board @param {string} pile @param {number} count */
export function shakeCards({ sprites }, pile, count) {
  for (const sprite of sprites.get(pile)?.slice(-Math.max(1, count)) ?? []) shake(sprite);
}

/** Highlight a pile for a moment. @param {Board} board @param {string} pile */
export function highlight({ buttons }, pile) {
  const button = buttons.get(pile);
  button?.removeAttribute('data-highlight');
  void button?.offsetWidth; // computes the layout, so that the animation starts again
  button?.setAttribute('data-highlight', '');
}

/** Set the marks of all piles and cards. @param {Board} board @param {Marks} marks */
export function markBoard(board, marks) {
  board.marks = marks;
  drawMarks(board.buttons, board.sprites, marks);
}
