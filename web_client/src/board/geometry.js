// The layout of a board: where its piles and cards lie, in pixels, and what lies at a point. Pure, from
// the server's grid and the size of the board.

import { clamp, column, ROW } from './column.js';

/**
 * @import {TablePile} from '../contract/notation.js'
 * @import {Fold, Spot} from './column.js'
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {object} Frame what all piles of a board share
 * @property {number} width of the board
 * @property {number} height
 * @property {number} cardWidth
 * @property {number} cardHeight
 * @property {number} columns of the grid
 * @property {number} gap between columns
 * @property {number} left
 * @property {number} top
 * @property {number} rowGap the room above a column
 * @property {boolean} beside whether the stock and the foundations are at the side of the columns
 * @property {boolean} small whether cards are drawn with one big pip
 * @typedef {Box & {spots: Spot[], folds: Fold[]}} Area of a pile: `spots` is where its cards lie in it
 * @typedef {Frame & {areas: ReadonlyMap<string, Area>}} Layout
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
/** The most deals that are left in a stock. */
const MOST_STOCK_DEALS = 5;
/** The part of a card's width that a badge covers: the first card of the run stays visible. */
const BADGE_WIDTH = 0.5;
/** The height of the mark at the end of a column. */
const MARK_PX = 8;
/** The most room above a pile that its count uses, so that it stays near the pile. */
const MOST_HEAD_PX = 20;

/**
 * Return the layout of a board.
 * @param {readonly TablePile[]} piles
 * @param {number} width
 * @param {number} height
 * @param {ReadonlySet<string>} [unfolded] columns whose runs stay unfolded
 */
export function layOut(piles, width, height, unfolded = new Set()) {
  const frame = frameOf(piles, width, height);
  const areas = new Map(
    piles.map((pile) => {
      const box = boxOf(pile, frame);
      const isColumn = pile.fan === 'down';
      const { spots, folds } = isColumn
        ? column(pile, frame.cardHeight, box.height, unfolded.has(pile.id))
        : { spots: stackSpots(pile, piles, frame), folds: [] };
      return [pile.id, { ...box, spots, folds }];
    }),
  );
  return { ...frame, areas };
}

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
  const widthFor = (/** @type {number} */ inRow, /** @type {number} */ inColumn) => {
    const shared = (width - 2 * margin - gap * (inRow - 1)) / inRow;
    const most = Math.min(shared, height / inColumn / ASPECT);
    return Math.max(LEAST_CARD_WIDTH_PX, Math.floor(most));
  };
  const widthAbove = widthFor(columns, heights);
  const widthBeside = widthFor(columns + 1, COLUMN_HEIGHTS);
  const room = height - HEAD_PX - rows * widthAbove * ASPECT;
  const isBetterBeside = room < LEAST_ROWS * ROW || widthBeside > widthAbove * LEAST_GAIN;
  const beside = fans && rows > 1 && width > height && isBetterBeside;
  const cardWidth = beside ? widthBeside : widthAbove;
  const cardHeight = Math.round(cardWidth * ASPECT);
  const across = beside ? columns + 1 : columns;
  const left = Math.floor((width - across * cardWidth - (across - 1) * gap) / 2);
  const small = cardWidth < SMALL_CARD_WIDTH_PX;
  const frame = { width, height, cardWidth, cardHeight, columns, gap, left, beside, small };
  if (beside) return { ...frame, top: HEAD_PX + 1, rowGap: HEAD_PX };
  if (fans) {
    const rowGap = narrow ? HEAD_PX : Math.round(clamp(HEAD_PX, height / 40, 20));
    return { ...frame, top: narrow ? 6 : 14, rowGap };
  }
  // Where there are no columns, the rows share the height.
  const free = (height - rows * cardHeight) / (rows + 1);
  const rowGap = Math.round(clamp(2, free, cardHeight / 2));
  const top = Math.floor((height - rows * cardHeight - (rows - 1) * rowGap) / 2);
  return { ...frame, rowGap, top: Math.max(2, top) };
}

/** Return the distance between two deals of a stock. @param {Frame} frame */
const stockStep = ({ cardWidth }) => clamp(3, Math.round(cardWidth / 12), 9);

/** Return the top of a stock at the side. @param {Frame} frame */
const stockTop = (frame) =>
  frame.height - MARGIN_BELOW_PX - frame.cardHeight - stockStep(frame) * (MOST_STOCK_DEALS - 1);

/**
 * Return the box of a pile: on the server's grid, or at the right of the columns. There the stock is
 * at the bottom, and above it is one area for all foundations, since a finger could not hit each of
 * them.
 * @param {TablePile} pile
 * @param {Frame} frame
 */
function boxOf({ role, fan, x: across, y: down }, frame) {
  const { cardWidth: width, cardHeight, columns, gap, left, top, rowGap, beside } = frame;
  const bottom = frame.height - MARGIN_BELOW_PX;
  if (beside && role !== 'tableau') {
    const x = left + Math.round(columns * (width + gap));
    const y = stockTop(frame);
    if (role === 'stock') return { x, y, width, height: bottom - y };
    return { x, y: top, width, height: y - gap - top };
  }
  const x = left + Math.round(across * (width + gap));
  const y = beside ? top : top + Math.round(down * (cardHeight + rowGap));
  return { x, y, width, height: fan === 'down' ? Math.max(cardHeight, bottom - y) : cardHeight };
}

/**
 * Return where the cards of a stack lie. Players can count the deals of the stock: each lies a
 * step to the right of the one before, or below it at the side of the columns. There all foundations
 * share an area, and each lies a step below the one before.
 * @param {TablePile} pile
 * @param {readonly TablePile[]} piles
 * @param {Frame} frame
 */
function stackSpots(pile, piles, frame) {
  const { cardHeight, gap, top, beside } = frame;
  const perDeal = Math.max(1, piles.filter(({ role }) => role === 'tableau').length);
  const foundations = piles.filter(({ role }) => role === 'foundation');
  const free = stockTop(frame) - gap - top - cardHeight;
  const shared = Math.floor(free / Math.max(1, foundations.length - 1));
  const step = clamp(Math.round(cardHeight * LEAST_STEP), shared, cardHeight + gap);
  const first = pile.role === 'foundation' ? foundations.indexOf(pile) * step : 0;
  return Array.from({ length: pile.down + pile.up.length }, (_, i) => {
    const offset = pile.role === 'stock' ? Math.floor(i / perDeal) * stockStep(frame) : 0;
    return beside ? { dx: 0, dy: first + offset } : { dx: offset, dy: 0 };
  });
}

/** Return the lower edge of the cards of a pile. @param {Layout} layout @param {Area} area */
export const lowerEdge = ({ cardHeight }, { y, spots }) => y + (spots.at(-1)?.dy ?? 0) + cardHeight;

/** Return whether the top of a column is folded behind a badge. @param {Area | undefined} area */
export const hasTopFold = (area) => area?.folds[0]?.kind === 'top';

/** Return the box of a fold's badge. @param {Layout} layout @param {Area} area @param {Fold} fold @returns {Box} */
export function badgeBox({ cardWidth }, { x, y }, { kind, dy }) {
  const part = Math.max(Math.min(24, cardWidth), Math.round(cardWidth * BADGE_WIDTH));
  const width = kind === 'top' ? cardWidth : part;
  return { x: x + cardWidth - width, y: y + dy, width, height: ROW };
}

/**
 * Return the box of the mark at the end of a column: on the lower edge of its last card, since a column
 * that is folded leaves no room below it.
 * @param {Layout} layout
 * @param {Area} area
 */
export function markBox(layout, area) {
  const width = Math.round(layout.cardWidth / 2);
  const x = area.x + Math.round((layout.cardWidth - width) / 2);
  return { x, y: lowerEdge(layout, area) - MARK_PX, width, height: MARK_PX };
}

/** Return the box of a pile's count: in the middle above the pile, and on no card. @param {Layout} layout @param {Area} area @returns {Box} */
export function headBox({ cardWidth, rowGap }, { x, y }) {
  const head = Math.min(rowGap, MOST_HEAD_PX);
  const height = Math.min(16, head - 2);
  const width = Math.min(cardWidth, Math.round(height * 1.75));
  const left = x + Math.round((cardWidth - width) / 2);
  return { x: left, y: y - Math.ceil((head + height) / 2), width, height };
}

/**
 * Return the pile whose column a card at `box` covers most; null if it covers none.
 * @param {Layout} layout
 * @param {Iterable<string>} candidates
 * @param {Box} box
 */
export function mostCovered({ areas }, candidates, box) {
  const covered = (/** @type {string} */ id) => {
    const area = areas.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
    const width = Math.min(area.x + area.width, box.x + box.width) - Math.max(area.x, box.x);
    const height = Math.min(area.y + area.height, box.y + box.height) - Math.max(area.y, box.y);
    return Math.max(0, width) * Math.max(0, height);
  };
  const [best] = [...candidates].sort((a, b) => covered(b) - covered(a));
  return best !== undefined && covered(best) > 0 ? best : null;
}

/** Return whether a point is in a box. @param {Box} box @param {number} x @param {number} y */
const contains = (box, x, y) =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

/** Return the index of the uppermost card of a pile at a point, or -1. @param {Layout} layout @param {Area} area @param {number} x @param {number} y */
const lastCardAt = ({ cardWidth: width, cardHeight: height }, area, x, y) =>
  area.spots.findLastIndex(
    ({ dx, dy, hidden }) =>
      !hidden && contains({ x: area.x + dx, y: area.y + dy, width, height }, x, y),
  );

/**
 * Return the pile and the card at a point. Cards count at their places of rest, even while they still
 * glide there. Below a column its last card counts; the index of an empty pile is -1.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {{pile: string, index: number, fold: Fold | null, onCards: boolean} | null} `onCards` is
 *   whether any card lies there
 */
export function cardAt(layout, x, y) {
  for (const [pile, area] of layout.areas) {
    const { spots, folds } = area;
    const width = area.width + (spots.at(-1)?.dx ?? 0);
    if (!contains({ ...area, width }, x, y)) continue;
    const hit = lastCardAt(layout, area, x, y);
    const fold = folds.find((each) => contains(badgeBox(layout, area, each), x, y)) ?? null;
    const onCards = [...layout.areas.values()].some((each) => lastCardAt(layout, each, x, y) >= 0);
    return { pile, index: hit < 0 ? spots.length - 1 : hit, fold, onCards };
  }
  return null;
}
