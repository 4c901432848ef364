// The layout of a board: where its piles and cards lie, in pixels. Pure, from the server's grid and
// the size of the board.

import { clamp, column, ROW } from './column.js';

/**
 * @import {TablePile} from '../contract/notation.js'
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

/** The height of a card for each pixel of its width. */
const ASPECT = 1.4;
const LEAST_CARD_WIDTH_PX = 16;
/** Narrower cards are drawn with one big pip; on wider ones the next row would cut its index. */
const SMALL_CARD_WIDTH_PX = 51;
const NARROW_BOARD_PX = 600;
/** A wider board has wider gaps between its columns. */
const WIDE_BOARD_PX = 900;
/** The least room between the rows: a count of face-down cards fits in. */
const HEAD_PX = 13;
/** The card heights that a column must hold, besides the row above it. */
const COLUMN_HEIGHTS = 3.4;
/** The rows of face-up cards that a column must hold before it folds, if there is another way. */
const LEAST_ROWS = 9;
/** The factor by which cards must get larger for the stock and the foundations to go to the side. */
const LEAST_GAIN = 1.05;
/** The least part of a card's height between two rows, and of a covered foundation that is visible. */
const LEAST_STEP = 0.15;

/** The room below the piles. */
const MARGIN_BELOW_PX = 4;

/** @type {ReadonlySet<string>} */
const NONE = new Set();
/** The part of a card's width that a badge covers: the first card of the run stays visible. */
const BADGE_WIDTH = 0.5;

/**
 * @typedef {object} Frame what all piles of a board share
 * @property {number} width of the board
 * @property {number} height
 * @property {number} cardWidth
 * @property {number} cardHeight
 * @property {number} gap between columns
 * @property {number} left
 * @property {number} top
 * @property {number} rowGap
 * @property {boolean} beside whether the stock and the foundations are at the side of the columns
 */

/**
 * Return the layout of a board.
 * @param {readonly TablePile[]} piles
 * @param {number} width
 * @param {number} height
 * @param {ReadonlySet<string>} [unfolded] columns whose runs stay unfolded
 * @returns {Layout}
 */
export function layOut(piles, width, height, unfolded = NONE) {
  const frame = frameOf(piles, width, height);
  const { cardWidth, cardHeight, rowGap } = frame;
  const perDeal = Math.max(1, piles.filter((pile) => pile.role === 'tableau').length);

  /** @type {Layout} */
  const layout = {
    cardWidth,
    cardHeight,
    small: cardWidth < SMALL_CARD_WIDTH_PX,
    head: rowGap,
    slots: frame.beside ? slotsBeside(piles, frame) : gridSlots(piles, frame),
    offsets: new Map(),
    folds: new Map(),
  };
  for (const pile of piles) {
    const slotHeight = layout.slots.get(pile.id)?.height ?? cardHeight;
    if (pile.fan !== 'down') {
      layout.offsets.set(
        pile.id,
        stackOffsets(pile, perDeal, frame, foundationOffset(pile, piles, frame)),
      );
      continue;
    }
    const { spots, folds } = column(pile, cardHeight, slotHeight, unfolded.has(pile.id));
    layout.offsets.set(pile.id, spots);
    if (folds.length > 0) layout.folds.set(pile.id, folds);
  }
  return layout;
}

/**
 * Return the width of a card if `columns` of them share a board.
 * @param {number} width
 * @param {number} columns
 * @param {number} gap
 * @param {number} margin
 */
const sharedWidth = (width, columns, gap, margin) =>
  (width - 2 * margin - gap * (columns - 1)) / Math.max(1, columns);

/**
 * Return the size of the cards and the room between them. On a low board a row of stock and
 * foundations would leave the columns too little room, so they go to the side.
 * @param {readonly TablePile[]} piles
 * @param {number} width
 * @param {number} height
 * @returns {Frame}
 */
function frameOf(piles, width, height) {
  const narrow = width < NARROW_BOARD_PX;
  const gap = narrow ? 2 : width < WIDE_BOARD_PX ? 4 : clamp(4, Math.round(width / 100), 14);
  const margin = narrow ? 1 : gap + 2;
  const fans = piles.some((pile) => pile.fan === 'down');
  const columns = Math.max(1, ...piles.map((pile) => pile.x + 1));
  const rows = Math.max(1, ...piles.map((pile) => pile.y + 1));
  const heights = fans ? rows - 1 + COLUMN_HEIGHTS : rows + (rows + 1) * LEAST_STEP;
  const widthFor = (/** @type {number} */ cardsAcross, /** @type {number} */ cardsDown) =>
    Math.max(
      LEAST_CARD_WIDTH_PX,
      Math.floor(
        Math.min(sharedWidth(width, cardsAcross, gap, margin), height / cardsDown / ASPECT),
      ),
    );
  const widthAbove = widthFor(columns, heights);
  const widthBeside = widthFor(columns + 1, COLUMN_HEIGHTS);
  const room = height - HEAD_PX - rows * widthAbove * ASPECT;
  const beside =
    fans &&
    width > height &&
    (room < LEAST_ROWS * ROW || widthBeside > widthAbove * LEAST_GAIN) &&
    rows > 1;
  const cardWidth = beside ? widthBeside : widthAbove;
  const cardHeight = Math.round(cardWidth * ASPECT);
  const across = beside ? columns + 1 : columns;
  const left = Math.floor((width - across * cardWidth - (across - 1) * gap) / 2);
  const frame = { width, height, cardWidth, cardHeight, gap, left, beside };
  if (beside) return { ...frame, top: HEAD_PX + 1, rowGap: HEAD_PX };
  if (fans)
    return {
      ...frame,
      top: narrow ? 6 : 14,
      rowGap: narrow ? HEAD_PX : Math.round(clamp(HEAD_PX, height / 40, 20)),
    };
  // Where there are no columns, the rows share the height.
  const free = (height - rows * cardHeight) / (rows + 1);
  const rowGap = Math.round(clamp(2, free, cardHeight / 2));
  const top = Math.floor((height - rows * cardHeight - (rows - 1) * rowGap) / 2);
  return { ...frame, rowGap, top: Math.max(2, top) };
}

/**
 * Return the areas of the piles on the server's grid.
 * @param {readonly TablePile[]} piles
 * @param {Frame} frame
 * @returns {Map<string, Box>}
 */
function gridSlots(piles, { height, cardWidth, cardHeight, gap, left, top, rowGap }) {
  return new Map(
    piles.map((pile) => {
      const x = left + Math.round(pile.x * (cardWidth + gap));
      const y = top + Math.round(pile.y * (cardHeight + rowGap));
      const slotHeight =
        pile.fan === 'down' ? Math.max(cardHeight, height - y - MARGIN_BELOW_PX) : cardHeight;
      return [pile.id, { x, y, width: cardWidth, height: slotHeight }];
    }),
  );
}

/** Return the height of a stock at the side. @param {Frame} frame */
const stockHeight = ({ cardWidth, cardHeight }) =>
  cardHeight + stockStep(cardWidth) * (MOST_STOCK_DEALS - 1);

/**
 * Return how far the cards of a foundation lie below the top of its area. At the side of the columns
 * all foundations share an area, and each lies a step below the one before.
 * @param {TablePile} pile
 * @param {readonly TablePile[]} piles
 * @param {Frame} frame
 */
function foundationOffset(pile, piles, frame) {
  if (!frame.beside || pile.role !== 'foundation') return 0;
  const foundations = piles.filter(({ role }) => role === 'foundation');
  const { height, cardHeight, gap, top } = frame;
  const free = height - MARGIN_BELOW_PX - stockHeight(frame) - gap - top - cardHeight;
  const step = Math.floor(free / Math.max(1, foundations.length - 1));
  return (
    foundations.indexOf(pile) * clamp(Math.round(cardHeight * LEAST_STEP), step, cardHeight + gap)
  );
}

/**
 * Return the areas of the piles with the stock and the foundations at the right: the stock at the
 * bottom, and above it one area for all foundations, since a finger could not hit each of them.
 * @param {readonly TablePile[]} piles
 * @param {Frame} frame
 * @returns {Map<string, Box>}
 */
function slotsBeside(piles, frame) {
  const { cardWidth: width, gap, left, top } = frame;
  const columns = Math.max(1, ...piles.map((pile) => pile.x + 1));
  const sideX = left + Math.round(columns * (width + gap));
  const bottom = frame.height - MARGIN_BELOW_PX;
  const stock = stockHeight(frame);
  return new Map(
    piles.map((pile) => {
      if (pile.role === 'stock')
        return [pile.id, { x: sideX, y: bottom - stock, width, height: stock }];
      if (pile.role === 'foundation')
        return [pile.id, { x: sideX, y: top, width, height: bottom - stock - gap - top }];
      const x = left + Math.round(pile.x * (width + gap));
      return [pile.id, { x, y: top, width, height: bottom - top }];
    }),
  );
}

/** The most deals that are left in a stock. */
const MOST_STOCK_DEALS = 5;

/** Return the distance between two deals of a stock. @param {number} cardWidth */
const stockStep = (cardWidth) => clamp(3, Math.round(cardWidth / 12), 9);

/**
 * Return the offsets of the cards of a stack. Players can count the deals of the stock: each lies
 * a step to the right of the one before, or below it at the side of the columns.
 * @param {TablePile} pile
 * @param {number} perDeal the number of cards of a deal
 * @param {Frame} frame
 * @param {number} dy of all cards
 */
function stackOffsets(pile, perDeal, { cardWidth, beside }, dy) {
  const cards = pile.down + pile.up.length;
  const step = pile.role === 'stock' ? stockStep(cardWidth) : 0;
  return Array.from({ length: cards }, (_, i) => {
    const offset = Math.floor(i / perDeal) * step;
    return beside ? { dx: 0, dy: dy + offset } : { dx: offset, dy: 0 };
  });
}

/**
 * Return the pile whose column a card at `box` covers most; null if it covers none.
 * @param {Layout} layout
 * @param {Iterable<string>} candidates
 * @param {Box} box
 */
export function mostCovered(layout, candidates, box) {
  let best = null;
  let bestArea = 0;
  for (const id of candidates) {
    const slot = layout.slots.get(id);
    if (!slot) continue;
    const width = Math.min(slot.x + slot.width, box.x + box.width) - Math.max(slot.x, box.x);
    const height = Math.min(slot.y + slot.height, box.y + box.height) - Math.max(slot.y, box.y);
    if (width > 0 && height > 0 && width * height > bestArea) {
      bestArea = width * height;
      best = id;
    }
  }
  return best;
}

/** Return the box of a fold's badge. @param {Layout} layout @param {string} pile @param {Fold} fold @returns {Box} */
export function badgeBox({ slots, cardWidth }, pile, { kind, dy }) {
  const { x, y } = slots.get(pile) ?? { x: 0, y: 0 };
  const width =
    kind === 'top'
      ? cardWidth
      : Math.max(Math.min(24, cardWidth), Math.round(cardWidth * BADGE_WIDTH));
  return { x: x + cardWidth - width, y: y + dy, width, height: ROW };
}

/** The height of the mark at the end of a column. */
const MARK_PX = 8;

/**
 * Return the box of the mark at the end of a column: on the lower edge of its last card, since a column
 * that is folded leaves no room below it.
 * @param {Layout} layout
 * @param {string} pile
 * @returns {Box}
 */
export function markBox({ slots, offsets, cardWidth, cardHeight }, pile) {
  const { x, y } = slots.get(pile) ?? { x: 0, y: 0 };
  const width = Math.round(cardWidth / 2);
  const bottom = y + (offsets.get(pile)?.at(-1)?.dy ?? 0) + cardHeight;
  return {
    x: x + Math.round((cardWidth - width) / 2),
    y: bottom - MARK_PX,
    width,
    height: MARK_PX,
  };
}

/** The most room above a pile that its count uses, so that it stays near the pile. */
const MOST_HEAD_PX = 20;

/** Return the box of a pile's count: in the middle above the pile, and on no card. @param {Layout} layout @param {string} pile */
export function headBox({ slots, cardWidth, head: room }, pile) {
  const { x, y } = slots.get(pile) ?? { x: 0, y: 0 };
  const head = Math.min(room, MOST_HEAD_PX);
  const height = Math.min(16, head - 2);
  const width = Math.min(cardWidth, Math.round(height * 1.75));
  const left = x + Math.round((cardWidth - width) / 2);
  return { left, top: y - Math.ceil((head + height) / 2), width, height };
}

/** Return whether a point is in a box. @param {Box} box @param {number} x @param {number} y */
const contains = (box, x, y) =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

/** Return the index of the uppermost card of a pile at a point, or -1. @param {Layout} layout @param {string} pile @param {number} x @param {number} y */
function lastCardAt(layout, pile, x, y) {
  const { slots, offsets, cardWidth: width, cardHeight: height } = layout;
  const slot = slots.get(pile);
  return (offsets.get(pile) ?? []).findLastIndex(
    ({ dx, dy, hidden }) =>
      !hidden && slot && contains({ x: slot.x + dx, y: slot.y + dy, width, height }, x, y),
  );
}

/** Return whether a card lies at a point. @param {Layout} layout @param {number} x @param {number} y */
export const isCardAt = (layout, x, y) =>
  [...layout.slots.keys()].some((pile) => lastCardAt(layout, pile, x, y) >= 0);

/**
 * Return the pile and the card at a point. Cards count at their places of rest, even while they still
 * glide there. Below a column its last card counts; the index of an empty pile is -1.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {{pile: string, index: number, fold: Fold | null} | null}
 */
export function cardAt(layout, x, y) {
  for (const [pile, slot] of layout.slots) {
    const offsets = layout.offsets.get(pile) ?? [];
    const width = slot.width + (offsets.at(-1)?.dx ?? 0);
    if (!contains({ ...slot, width }, x, y)) continue;
    const hit = lastCardAt(layout, pile, x, y);
    const folds = layout.folds.get(pile) ?? [];
    const fold = folds.find((each) => contains(badgeBox(layout, pile, each), x, y)) ?? null;
    return { pile, index: hit < 0 ? offsets.length - 1 : hit, fold };
  }
  return null;
}
