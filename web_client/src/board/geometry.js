// The layout of a board in pixels: where its piles and cards lie, and which of them is at a point. Computed from
// the server's grid and the size of the board. Pure.
//
// If a column is too long, its face-down cards move closer together, then the others, down to `LEAST_ROW_PX`. Then its
// runs of one suit fold to their first and last card, the longest run first. Finally its top folds behind a badge. If
// the player unfolds a column (F4 in the DOS program of 1987), only its top folds.

import { runs } from '../game/cards.js';

/**
 * @import {TablePile} from '../contract/notation.js'
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{dx: number, dy: number, hidden?: boolean}} Spot the place of a card relative to its
 *   pile; a hidden card is covered and cannot be taken
 * @typedef {object} Fold
 * @property {'run' | 'top'} kind
 * @property {number} from the index of its first card
 * @property {number} count of its cards, or of the hidden cards at the top
 * @property {number} dy where its badge is, relative to the pile
 * @typedef {ReturnType<typeof frameOf>} Frame the measures that all piles of a board share
 * @typedef {Box & {spots: Spot[], folds: Fold[]}} Area the box of a pile, and the places of its cards
 * @typedef {Frame & {areas: ReadonlyMap<string, Area>}} Layout
 */

const CARD_HEIGHT_PER_WIDTH = 1.4;
const LEAST_CARD_WIDTH_PX = 16;
/** Narrower cards have one big pip, since the next row would cover the usual rank and suit in the corner. */
const SMALL_CARD_WIDTH_PX = 51;
const NARROW_BOARD_PX = 600;
const WIDE_BOARD_PX = 900; // a wider board has wider gaps between its columns
const LEAST_HEAD_PX = 13; // the least room above the columns, for the count of face-down cards
const MOST_HEAD_PX = 20; // a number uses at most this much room above its pile, to stay near it
const COLUMN_HEIGHTS = 3.4; // a column must hold this many card heights, besides the row above it
const LEAST_ROWS = 9; // a column should hold this many rows of face-up cards before it folds
const LEAST_GAIN = 1.05; // the stock goes to the side if that makes the cards larger by this factor
/** The least room between two rows, and the least visible part of a covered foundation, in heights of a card. */
const LEAST_STEP = 0.15;
export const MARGIN_PX = 4; // the room below the piles, and the least room around a bubble
const MOST_STOCK_DEALS = 5; // a stock has at most this many deals
/** A run's badge can be pressed on this fraction of a card's width, but at least this many px. It may look narrower. */
const BADGE_WIDTH = 0.5;
const LEAST_BADGE_PX = 24;
const MARK_HEIGHT_PX = 8;
const BUBBLE_TIP_PX = 10;

/** The least distance between rows of face-up cards in px, so that a finger can hit each of them. */
export const LEAST_ROW_PX = 24;
/** An unfolded column shows this many cards, as in the DOS program of 1987, if their ranks stay visible. */
const UNFOLDED_CARDS = 13;
/** The fraction of a card's height that its printed rank takes up, on small cards and on usual ones. */
const RANK_HEIGHT = { small: 0.35, usual: 0.2 };
const LEAST_DOWN_STEP_PX = 3;
/** The usual distance between face-down cards: a fraction of a card's height, and at least this many px. */
const USUAL_DOWN_PX = 5;
const USUAL_DOWN = 0.11;
/** The smallest and largest distances between rows if there is enough room, as fractions of a card's height. */
const LEAST_USUAL_ROW = 0.27;
const MOST_USUAL_ROW = 0.5;
/** Rows are spaced so that a column with this many face-down cards and rows fits. */
const USUAL_DOWN_CARDS = 5;
const USUAL_ROWS = 14;

/** Return `x`, or the nearest bound if it lies outside. @param {number} least @param {number} x @param {number} most */
export const clamp = (least, x, most) => Math.min(Math.max(x, least), most);

/**
 * Return the layout of a board of `width` by `height` px.
 * @param {readonly TablePile[]} piles @param {number} width @param {number} height
 * @param {ReadonlySet<string>} [unfolded] columns whose runs stay unfolded
 * @param {boolean} [closesUp] whether unfolded columns may close up to show a whole suit, as in 1987 @returns {Layout}
 */
export function layOut(piles, width, height, unfolded = new Set(), closesUp = false) {
  const frame = frameOf(piles, width, height);
  const areas = piles.map((pile) => {
    const box = boxOf(pile, frame);
    const { spots, folds } =
      pile.fan === 'down'
        ? layOutColumn(pile, frame.cardHeight, box.height, unfolded.has(pile.id), closesUp)
        : { spots: stackSpots(pile, piles, frame), folds: [] };
    return /** @type {const} */ ([pile.id, { ...box, spots, folds }]);
  });
  return { ...frame, areas: new Map(areas) };
}

/**
 * Return the size of the cards and the gaps between the piles. On a short board the stock and the foundations go
 * beside the columns, since a row above would leave the columns too little room.
 * @param {readonly TablePile[]} piles @param {number} width @param {number} height
 */
function frameOf(piles, width, height) {
  const isNarrow = width < NARROW_BOARD_PX;
  let gap = isNarrow ? 2 : 4;
  if (width >= WIDE_BOARD_PX) gap = clamp(4, Math.round(width / 100), 14);
  const margin = isNarrow ? 1 : gap + 2;
  const hasColumns = piles.some((pile) => pile.fan === 'down');
  const columns = Math.max(1, ...piles.map((pile) => pile.x + 1));
  const rows = Math.max(1, ...piles.map((pile) => pile.y + 1));
  // Rows above columns are one card high. Without columns there are gaps above and below each row.
  const heightInCards = hasColumns ? rows - 1 + COLUMN_HEIGHTS : rows + (rows + 1) * LEAST_STEP;
  /** Return the largest width of cards if `across` of them are side by side, and `heights` one below the other. @param {number} across @param {number} heights */
  const widthFor = (across, heights) => {
    const shared = (width - 2 * margin - gap * (across - 1)) / across;
    const most = Math.min(shared, height / heights / CARD_HEIGHT_PER_WIDTH);
    return Math.max(LEAST_CARD_WIDTH_PX, Math.floor(most));
  };
  const widthAbove = widthFor(columns, heightInCards); // if the stock is above the columns
  const widthBeside = widthFor(columns + 1, COLUMN_HEIGHTS);
  const room = height - LEAST_HEAD_PX - rows * widthAbove * CARD_HEIGHT_PER_WIDTH; // for a column
  const isBetterBeside = room < LEAST_ROWS * LEAST_ROW_PX || widthBeside > widthAbove * LEAST_GAIN;
  /** Whether the stock and the foundations are at the side of the columns. */
  const hasSide = hasColumns && rows > 1 && width > height && isBetterBeside;
  const cardWidth = hasSide ? widthBeside : widthAbove;
  const cardHeight = Math.round(cardWidth * CARD_HEIGHT_PER_WIDTH);
  const inRow = hasSide ? columns + 1 : columns;
  const left = Math.floor((width - inRow * cardWidth - (inRow - 1) * gap) / 2);
  const isSmall = cardWidth < SMALL_CARD_WIDTH_PX;
  const rowLayout = hasColumns
    ? rowsAboveColumns(height, hasSide, isNarrow)
    : rowsWithoutColumns(height, rows, cardHeight);
  const sizes = { width, height, cardWidth, cardHeight, columns, gap, left };
  return { ...sizes, ...rowLayout, hasSide, isSmall };
}

/**
 * Return the top of the first row, and the gap between it and the columns. The counts of face-down cards need room in
 * this gap or, if the columns are the first row, above them.
 * @param {number} height of the board @param {boolean} hasSide as in `Frame` @param {boolean} isNarrow
 */
function rowsAboveColumns(height, hasSide, isNarrow) {
  if (hasSide) return { top: LEAST_HEAD_PX + 1, rowGap: LEAST_HEAD_PX };
  if (isNarrow) return { top: 6, rowGap: LEAST_HEAD_PX };
  return { top: 14, rowGap: Math.round(clamp(LEAST_HEAD_PX, height / 40, MOST_HEAD_PX)) };
}

/**
 * Return the top of the first row, and the gap between rows, on a board without columns.
 * @param {number} height of the board @param {number} rows how many @param {number} cardHeight
 */
function rowsWithoutColumns(height, rows, cardHeight) {
  const room = height - rows * cardHeight; // between and around the rows
  const rowGap = Math.round(clamp(2, room / (rows + 1), cardHeight / 2));
  return { top: Math.max(2, Math.floor((room - (rows - 1) * rowGap) / 2)), rowGap };
}

/** Return the distance between two deals of a stock. @param {Frame} frame */
const stockStep = ({ cardWidth }) => clamp(3, Math.round(cardWidth / 12), 9);

/** Return the top of a stock beside the columns. @param {Frame} frame */
const stockTop = (frame) =>
  frame.height - MARGIN_PX - frame.cardHeight - stockStep(frame) * (MOST_STOCK_DEALS - 1);

/**
 * Return the box of a pile: on the server's grid, or to the right of the columns. At the side the stock is at the
 * bottom, and all foundations above it share one area, since a finger could not hit each of them.
 * @param {TablePile} pile @param {Frame} frame
 */
function boxOf({ role, fan, x: column, y: row }, frame) {
  const { cardWidth: width, cardHeight, columns, gap, left, top, rowGap, hasSide } = frame;
  const bottom = frame.height - MARGIN_PX;
  const isAside = hasSide && role !== 'tableau';
  const x = left + Math.round((isAside ? columns : column) * (width + gap));
  if (isAside) {
    const y = stockTop(frame);
    if (role === 'stock') return { x, y, width, height: bottom - y };
    return { x, y: top, width, height: y - gap - top };
  }
  const y = hasSide ? top : top + Math.round(row * (cardHeight + rowGap));
  return { x, y, width, height: fan === 'down' ? Math.max(cardHeight, bottom - y) : cardHeight };
}

/**
 * Return the places of the cards in a pile that is not spread. Each deal of the stock lies a step to the right of the
 * one before (below it if the stock is at the side), so players can count the deals. At the side all foundations share
 * an area, and each lies a step below the one before.
 * @param {TablePile} pile @param {readonly TablePile[]} piles @param {Frame} frame
 */
function stackSpots(pile, piles, frame) {
  const { cardHeight, gap, top, hasSide } = frame;
  const perDeal = Math.max(1, piles.filter(({ role }) => role === 'tableau').length); // a card per column
  const foundations = piles.filter(({ role }) => role === 'foundation');
  const room = stockTop(frame) - gap - top - cardHeight;
  const evenStep = Math.floor(room / Math.max(1, foundations.length - 1));
  const step = clamp(Math.round(cardHeight * LEAST_STEP), evenStep, cardHeight + gap);
  const start = Math.max(0, foundations.indexOf(pile)) * step;
  return Array.from({ length: pile.down + pile.up.length }, (_, i) => {
    const offset = pile.role === 'stock' ? Math.floor(i / perDeal) * stockStep(frame) : 0;
    return hasSide ? { dx: 0, dy: start + offset } : { dx: offset, dy: 0 };
  });
}

/**
 * Return the runs to fold, the longest first, until the column is short enough.
 * @param {{down: number, up: readonly string[]}} pile
 * @param {number} excess how many px too long the column still is with its rows closest together
 */
function foldedRuns({ down, up }, excess) {
  const long = runs(up).filter(({ length }) => length > 2);
  const folded = [];
  let saved = 0;
  for (const { start, length } of long.sort((a, b) => b.length - a.length)) {
    if (saved >= excess) break;
    saved += (length - 2) * LEAST_ROW_PX; // its first and last card stay
    folded.push({ from: down + start, count: length });
  }
  return folded;
}

/**
 * Return how many cards at the top of a column must hide behind a badge to make room for the rest.
 * @param {readonly number[]} steps from each card to the next one @param {number} room
 * @param {ReadonlySet<number>} hiddenInRun the indexes of the cards that folded runs hide
 */
function hiddenAtTop(steps, room, hiddenInRun) {
  let used = LEAST_ROW_PX; // for the badge
  let firstVisible = steps.length - 1; // move up from the last card
  for (; firstVisible > 0; firstVisible -= 1) {
    used += steps[firstVisible - 1] ?? 0;
    if (used > room) break;
  }
  while (hiddenInRun.has(firstVisible)) firstVisible += 1; // never cut a folded run among its hidden cards
  return firstVisible;
}

/** Return the usual distances between face-down cards and between rows. @param {number} cardHeight @param {number} room for a column, in px */
function usualSteps(cardHeight, room) {
  const down = Math.max(USUAL_DOWN_PX, Math.round(cardHeight * USUAL_DOWN));
  // All columns of a board use the same distance, so that a card added to a column moves none of the others.
  const least = Math.max(LEAST_ROW_PX, Math.round(cardHeight * LEAST_USUAL_ROW));
  const most = Math.max(least, Math.round(cardHeight * MOST_USUAL_ROW));
  const row = Math.floor((room - USUAL_DOWN_CARDS * down) / USUAL_ROWS);
  return { down, row: clamp(least, row, most) };
}

/**
 * Return the distance between rows that shows a whole suit in an unfolded column, but leaves the ranks visible. Only
 * here can it be less than `LEAST_ROW_PX`, and it is never more.
 * @param {number} cardHeight @param {number} room for the column, in px
 */
function closestRowStep(cardHeight, room) {
  const isSmall = cardHeight < SMALL_CARD_WIDTH_PX * CARD_HEIGHT_PER_WIDTH;
  const rank = Math.ceil(cardHeight * (isSmall ? RANK_HEIGHT.small : RANK_HEIGHT.usual));
  const leastStep = Math.min(LEAST_ROW_PX, rank);
  const belowBadge = room - LEAST_ROW_PX; // a badge, as high as such a row, hides the column's top
  return clamp(leastStep, Math.floor(belowBadge / (UNFOLDED_CARDS - 1)), LEAST_ROW_PX);
}

/**
 * Return the places of the cards in a column, one below the other.
 * @param {readonly number[]} steps from each card to the next one
 * @param {number} hiddenOnTop how many cards hide at the top, behind a badge @param {number} room for the column
 * @param {ReadonlySet<number>} hiddenInRun the indexes of the cards that folded runs hide @returns {Spot[]}
 */
function columnSpots(steps, hiddenOnTop, room, hiddenInRun) {
  let y = hiddenOnTop > 0 ? Math.min(LEAST_ROW_PX, room) : 0; // below the badge
  return steps.map((step, i) => {
    if (i < hiddenOnTop) return { dx: 0, dy: 0, hidden: true };
    const dy = Math.round(y);
    y += step;
    return hiddenInRun.has(i) ? { dx: 0, dy, hidden: true } : { dx: 0, dy };
  });
}

/**
 * Return the places of the cards in a column, and its folds if it is too long.
 * @param {{down: number, up: readonly string[]}} pile @param {number} cardHeight
 * @param {number} height of the column's area @param {boolean} unfolded whether its runs stay unfolded
 * @param {boolean} [closesUp] whether the rows of an unfolded column may be closer than usual, as in 1987
 */
export function layOutColumn(pile, cardHeight, height, unfolded, closesUp = false) {
  const cards = pile.down + pile.up.length;
  // Count the distances between cards, not the cards.
  const downs = Math.min(pile.down, Math.max(0, cards - 1));
  const rows = Math.max(0, pile.up.length - 1);
  const room = Math.max(0, height - cardHeight);
  const usual = usualSteps(cardHeight, room);
  let downStep = usual.down;
  if (downs > 0 && downs * downStep + rows * usual.row > room)
    downStep = clamp(LEAST_DOWN_STEP_PX, (room - rows * LEAST_ROW_PX) / downs, downStep);
  const excess = downs * downStep + rows * LEAST_ROW_PX - room;
  const folded = unfolded ? [] : foldedRuns(pile, excess);
  /** The cards of the folded runs, except for the first and the last of each. */
  const hiddenInRun = new Set(
    folded.flatMap(({ from, count }) => Array.from({ length: count - 2 }, (_, i) => from + 1 + i)),
  );
  const isTooLong = excess > hiddenInRun.size * LEAST_ROW_PX; // even when folded, so cards at the top are hidden
  const visibleRows = Math.max(1, rows - hiddenInRun.size);
  let rowStep = clamp(LEAST_ROW_PX, (room - downs * downStep) / visibleRows, usual.row);
  if (isTooLong) rowStep = unfolded && closesUp ? closestRowStep(cardHeight, room) : LEAST_ROW_PX;
  const steps = Array.from({ length: cards }, (_, i) => {
    if (hiddenInRun.has(i)) return 0;
    return i < pile.down ? downStep : rowStep;
  });
  const hiddenOnTop = isTooLong ? hiddenAtTop(steps, room, hiddenInRun) : 0;
  const spots = columnSpots(steps, hiddenOnTop, room, hiddenInRun);
  /** @type {Fold[]} */
  const folds = folded
    .filter(({ from }) => from >= hiddenOnTop) // the others hide behind the top badge
    .map((fold) => ({ kind: 'run', ...fold, dy: spots[fold.from]?.dy ?? 0 }));
  if (hiddenOnTop > 0) folds.unshift({ kind: 'top', from: 0, count: hiddenOnTop, dy: 0 });
  return { spots, folds };
}

/** Return the lower edge of a pile's cards. @param {Layout} layout @param {Area} area */
const lowerEdge = ({ cardHeight }, { y, spots }) => y + (spots.at(-1)?.dy ?? 0) + cardHeight;

/** Return whether the top of a column is folded behind a badge. @param {Area | undefined} area */
export const hasTopFold = (area) => area?.folds[0]?.kind === 'top';

/** Return the box of a fold's badge, at the right edge of the column. @param {Layout} layout @param {Area} area @param {Fold} fold @returns {Box} */
export function badgeBox({ cardWidth }, { x, y }, { kind, dy }) {
  const least = Math.min(LEAST_BADGE_PX, cardWidth);
  const width = kind === 'top' ? cardWidth : Math.max(least, Math.round(cardWidth * BADGE_WIDTH));
  return { x: x + cardWidth - width, y: y + dy, width, height: LEAST_ROW_PX };
}

/**
 * Return the box of the mark at a column's end. It lies on the lower edge of the last card, since a folded
 * column leaves no room below it.
 * @param {Layout} layout @param {Area} area
 */
export function markBox(layout, area) {
  const width = Math.round(layout.cardWidth / 2);
  const x = area.x + Math.round((layout.cardWidth - width) / 2);
  return { x, y: lowerEdge(layout, area) - MARK_HEIGHT_PX, width, height: MARK_HEIGHT_PX };
}

/** Return the box of the number centred above a pile. @param {Layout} layout @param {Area} area @returns {Box} */
export function headBox({ cardWidth, rowGap }, { x, y }) {
  const head = Math.min(rowGap, MOST_HEAD_PX);
  const height = Math.min(16, head - 2);
  const width = Math.min(cardWidth, Math.round(height * 1.75));
  const left = x + Math.round((cardWidth - width) / 2);
  return { x: left, y: y - Math.ceil((head + height) / 2), width, height };
}

/**
 * Return where to put a bubble about a pile: below the cards, or at the upper edge of the board if there is no room.
 * @param {Layout} layout @param {string} pile @param {{width: number, height: number}} bubble
 * @returns {{x: number, y: number, tip: number, above: boolean}} `tip` is the distance
 *   from the left of the bubble to the middle of the pile; `above` if the bubble is at the upper edge
 */
export function placeBubble(layout, pile, { width, height }) {
  const { areas, cardWidth } = layout;
  const middle = (areas.get(pile)?.x ?? 0) + cardWidth / 2;
  const right = Math.max(MARGIN_PX, layout.width - width - MARGIN_PX);
  const x = Math.round(clamp(MARGIN_PX, middle - width / 2, right));
  const around = [...areas.values()].filter((area) => area.x < x + width && area.x + cardWidth > x);
  const y = Math.round(Math.max(...around.map((area) => lowerEdge(layout, area))) + BUBBLE_TIP_PX);
  const tip = Math.round(clamp(BUBBLE_TIP_PX, middle - x, width - BUBBLE_TIP_PX));
  const above = y + height + MARGIN_PX > layout.height;
  return { x, y: above ? MARGIN_PX : y, tip, above };
}

/** Return the candidate that a box covers most; null if it covers none. @param {Layout} layout @param {Iterable<string>} candidates piles @param {Box} box */
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

/** Return the index of a pile's uppermost card at a point, or -1. @param {Layout} layout @param {Area} area @param {number} x @param {number} y */
const lastCardAt = ({ cardWidth: width, cardHeight: height }, area, x, y) =>
  area.spots.findLastIndex(
    ({ dx, dy, hidden }) =>
      !hidden && contains({ x: area.x + dx, y: area.y + dy, width, height }, x, y),
  );

/**
 * Return the pile and the card at a point, or null if no pile is there. A gliding card counts where it will lie. Below
 * the cards of a column, the last card is meant. The index is -1 in an empty pile.
 * @param {Layout} layout @param {number} x @param {number} y
 * @returns {{pile: string, index: number, fold: Fold | null, onCards: boolean} | null} `fold`: the one whose badge is
 *   at the point; `onCards`: whether a card is there, even another pile's: foundations share an area at the side
 */
export function cardAt(layout, x, y) {
  for (const [pile, area] of layout.areas) {
    const { spots, folds } = area;
    const width = area.width + (spots.at(-1)?.dx ?? 0); // the deals of a stock make it wider
    if (!contains({ ...area, width }, x, y)) continue;
    const hit = lastCardAt(layout, area, x, y);
    const fold = folds.find((each) => contains(badgeBox(layout, area, each), x, y)) ?? null;
    const onCards = [...layout.areas.values()].some((each) => lastCardAt(layout, each, x, y) >= 0);
    return { pile, index: hit < 0 ? spots.length - 1 : hit, fold, onCards };
  }
  return null;
}
