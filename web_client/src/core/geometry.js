// Where the piles and cards of a board lie, in pixels. Pure, from the server's grid and the size.

import { clamp, column, ROW } from './column.js';

/**
 * @import {TablePile} from './messages.d.ts'
 * @import {Fold, Spot} from './column.js'
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {object} Layout
 * @property {number} cardWidth
 * @property {number} cardHeight
 * @property {boolean} small whether cards are drawn with one big pip
 * @property {number} head the room above a column
 * @property {Map<string, Box>} slots the area of each pile
 * @property {Map<string, Spot[]>} offsets of each card from its slot
 * @property {Map<string, Fold[]>} folds of the columns that have some
 */

const ASPECT = 1.4;
const WIDEST = 132;
const SMALL = 56;
const NARROW_BOARD = 600;
/** The least room between the rows: a count of face-down cards fits in. */
const HEAD = 13;
/** The card heights that a board must hold: the upper row and a short column. */
const HEIGHTS = 4.4;

/** @type {ReadonlySet<string>} */
const NONE = new Set();
/** The part of a card's width that a badge covers: the first card of the run stays visible. */
const BADGE = 0.5;

/**
 * Return the layout of a board.
 *
 * @param {readonly TablePile[]} piles
 * @param {number} width
 * @param {number} height
 * @param {ReadonlySet<string>} [open] columns whose runs stay unfolded
 * @returns {Layout}
 */
export function layOut(piles, width, height, open = NONE) {
  const narrow = width < NARROW_BOARD;
  const columns = Math.max(1, ...piles.map((pile) => pile.x + 1));
  const gap = narrow ? 2 : clamp(4, Math.round(width / 100), 14);
  const margin = narrow ? 1 : gap + 2;
  const byWidth = (width - 2 * margin - gap * (columns - 1)) / columns;
  const byHeight = height / HEIGHTS / ASPECT;
  const cardWidth = Math.max(16, Math.floor(Math.min(byWidth, byHeight, WIDEST)));
  const cardHeight = Math.round(cardWidth * ASPECT);
  const left = Math.floor((width - columns * cardWidth - (columns - 1) * gap) / 2);
  const top = narrow ? 6 : 14;
  const rowGap = narrow ? HEAD : Math.round(clamp(HEAD, height / 40, 20));
  const dealt = Math.max(1, piles.filter((pile) => pile.role === 'tableau').length);

  /** @type {Layout} */
  const layout = {
    cardWidth,
    cardHeight,
    small: cardWidth < SMALL,
    head: rowGap,
    slots: new Map(),
    offsets: new Map(),
    folds: new Map(),
  };
  for (const pile of piles) {
    const x = left + Math.round(pile.x * (cardWidth + gap));
    const y = top + Math.round(pile.y * (cardHeight + rowGap));
    const tall = pile.fan === 'down' ? Math.max(cardHeight, height - y - 4) : cardHeight;
    layout.slots.set(pile.id, { x, y, width: cardWidth, height: tall });
    if (pile.fan !== 'down') {
      layout.offsets.set(pile.id, stack(pile, dealt, cardWidth));
      continue;
    }
    const { spots, folds } = column(pile, cardHeight, tall, open.has(pile.id));
    layout.offsets.set(pile.id, spots);
    if (folds.length > 0) layout.folds.set(pile.id, folds);
  }
  return layout;
}

/**
 * Return the offsets of a stack. The stock is stepped by deals, so that they can be counted.
 *
 * @param {TablePile} pile
 * @param {number} dealt cards in a row
 * @param {number} cardWidth
 */
function stack(pile, dealt, cardWidth) {
  const cards = pile.down + pile.up.length;
  const step = pile.role === 'stock' ? clamp(3, Math.round(cardWidth / 12), 9) : 0;
  return Array.from({ length: cards }, (_, i) => ({ dx: Math.floor(i / dealt) * step, dy: 0 }));
}

/**
 * Return the pile whose column a card at `box` covers most; null if it covers none.
 *
 * @param {Layout} layout
 * @param {Iterable<string>} among
 * @param {Box} box
 */
export function mostCovered(layout, among, box) {
  let best = null;
  let most = 0;
  for (const id of among) {
    const slot = layout.slots.get(id);
    if (!slot) continue;
    const wide = Math.min(slot.x + slot.width, box.x + box.width) - Math.max(slot.x, box.x);
    const high = Math.min(slot.y + slot.height, box.y + box.height) - Math.max(slot.y, box.y);
    if (wide > 0 && high > 0 && wide * high > most) {
      most = wide * high;
      best = id;
    }
  }
  return best;
}

/**
 * Return the box of a fold's badge.
 *
 * @param {Layout} layout
 * @param {string} pile
 * @param {Fold} fold
 * @returns {Box}
 */
export function badgeBox({ slots, cardWidth }, pile, { kind, dy }) {
  const { x, y } = slots.get(pile) ?? { x: 0, y: 0 };
  const width =
    kind === 'top' ? cardWidth : Math.max(Math.min(24, cardWidth), Math.round(cardWidth * BADGE));
  return { x: x + cardWidth - width, y: y + dy, width, height: ROW };
}

/**
 * Return the box of a column's count of face-down cards: in the middle above the column, and on no
 * card.
 *
 * @param {Layout} layout
 * @param {string} pile
 */
export function headBox({ slots, cardWidth, head }, pile) {
  const { x, y } = slots.get(pile) ?? { x: 0, y: 0 };
  const height = Math.min(16, head - 2);
  const width = Math.min(cardWidth, Math.round(height * 1.75));
  const left = x + Math.round((cardWidth - width) / 2);
  return { left, top: y - Math.ceil((head + height) / 2), width, height };
}

/** @param {Box} box @param {number} x @param {number} y */
const holds = (box, x, y) =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

/**
 * Return the pile and the card at a point, by where cards rest: a card that still glides or turns
 * can be taken where it will be. Below a column its last card counts; -1 is an empty pile.
 *
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {{pile: string, index: number, fold: Fold | null} | null}
 */
export function cardAt(layout, x, y) {
  for (const [pile, slot] of layout.slots) {
    const offsets = layout.offsets.get(pile) ?? [];
    const width = slot.width + (offsets.at(-1)?.dx ?? 0);
    if (!holds({ ...slot, width }, x, y)) continue;
    const covered = offsets.findLastIndex(
      ({ dx, dy, hidden }) =>
        !hidden &&
        x >= slot.x + dx &&
        x < slot.x + dx + layout.cardWidth &&
        y >= slot.y + dy &&
        y < slot.y + dy + layout.cardHeight,
    );
    const folds = layout.folds.get(pile) ?? [];
    const fold = folds.find((each) => holds(badgeBox(layout, pile, each), x, y)) ?? null;
    return { pile, index: covered < 0 ? offsets.length - 1 : covered, fold };
  }
  return null;
}
