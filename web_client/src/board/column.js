// The layout of a column: spread, closed up, or folded if it is too long. Pure.
//
// A long column first closes up its face-down cards, then its rows, down to 24 px. Then its runs of
// one suit fold, the longest first, to their first and last card; then its top folds behind a badge.
// In an unfolded column only the top folds (`seeds/` 3, F4).

import { runs } from '../game/cards.js';

/**
 * @typedef {object} Spot where a card lies, from its slot
 * @property {number} dx
 * @property {number} dy
 * @property {boolean} [hidden] behind other cards, so that it cannot be taken
 * @typedef {object} Fold
 * @property {'run' | 'top'} kind
 * @property {number} from the index of its first card
 * @property {number} count of its cards, or of the hidden cards
 * @property {number} dy of its badge
 */

/** The least distance between rows of face-up cards, in px: a finger can hit each of them. */
export const ROW = 24;
/** The least distance between face-down cards, in px. */
const LEAST_DOWN = 3;
/** The usual distance between face-down cards: a part of the height of a card, and at least this, in px. */
const USUAL_DOWN_PX = 5;
const USUAL_DOWN = 0.11;
/** The distance between rows that have room, as a part of a card's height; and the most. */
const EASE = 0.27;
const MOST_EASE = 0.5;
/** The cards of a usual column, for which the distance between rows is chosen. */
const USUAL_DOWN_CARDS = 5;
const USUAL_ROWS = 14;

/** Return `x`, or the bound that it exceeds. @param {number} least @param {number} x @param {number} most */
export const clamp = (least, x, most) => Math.min(Math.max(x, least), most);

/**
 * Return the distance between rows that have room. It is the same for all columns of a board, so that
 * a card that is put on a column moves no other card.
 * @param {number} cardHeight
 * @param {number} room below the first card
 * @param {number} down the distance between face-down cards
 */
function easeOf(cardHeight, room, down) {
  const least = Math.max(ROW, Math.round(cardHeight * EASE));
  const most = Math.max(least, Math.round(cardHeight * MOST_EASE));
  return clamp(least, Math.floor((room - USUAL_DOWN_CARDS * down) / USUAL_ROWS), most);
}

/**
 * Return the runs to fold, the longest first, until the column is short enough.
 * @param {{down: number, up: readonly string[]}} pile
 * @param {number} excess by how much the column is too long with all rows at their least
 * @returns {Fold[]} without the places of their badges
 */
function foldedRuns({ down, up }, excess) {
  let saved = 0;
  return runs(up)
    .filter(({ length }) => length > 2)
    .sort((a, b) => b.length - a.length)
    .filter(({ length }) => {
      const isNeeded = saved < excess;
      if (isNeeded) saved += (length - 2) * ROW;
      return isNeeded;
    })
    .map(({ start, length }) => ({ kind: 'run', from: down + start, count: length, dy: 0 }));
}

/**
 * Return how many cards at the top are hidden behind the badge, so that there is room for the rest.
 * @param {number} cards
 * @param {number} downs
 * @param {ReadonlySet<number>} hiddenInRun
 * @param {number} down
 * @param {number} room
 */
function hiddenAtTop(cards, downs, hiddenInRun, down, room) {
  let used = ROW; // by the badge
  let top = cards - 1;
  for (; top > 0; top -= 1) {
    const row = top - 1 < downs ? down : hiddenInRun.has(top - 1) ? 0 : ROW;
    if (used + row > room) break;
    used += row;
  }
  while (hiddenInRun.has(top)) top += 1; // a folded run is cut after its hidden cards, not among them
  return top;
}

/**
 * Return where the cards of a column lie.
 * @param {{down: number, up: readonly string[]}} pile
 * @param {number} cardHeight
 * @param {number} height of the column's area
 * @param {boolean} unfolded whether its runs stay unfolded
 */
export function column(pile, cardHeight, height, unfolded) {
  const cards = pile.down + pile.up.length;
  const downs = Math.min(pile.down, Math.max(0, cards - 1));
  const rows = Math.max(0, pile.up.length - 1);
  const room = Math.max(0, height - cardHeight);
  let down = Math.max(USUAL_DOWN_PX, Math.round(cardHeight * USUAL_DOWN));
  const ease = easeOf(cardHeight, room, down);
  if (downs > 0 && downs * down + rows * ease > room)
    down = clamp(LEAST_DOWN, (room - rows * ROW) / downs, down);
  const excess = downs * down + rows * ROW - room;
  const folded = unfolded ? [] : foldedRuns(pile, excess);
  /** All cards of the folded runs but the first and the last. */
  const hiddenInRun = new Set(
    folded.flatMap(({ from, count }) => Array.from({ length: count - 2 }, (_, i) => from + 1 + i)),
  );
  const isTooLong = excess > hiddenInRun.size * ROW;
  const top = isTooLong ? hiddenAtTop(cards, pile.down, hiddenInRun, down, room) : 0;
  const visibleRows = rows - hiddenInRun.size;
  const up = top > 0 ? ROW : clamp(ROW, (room - downs * down) / Math.max(1, visibleRows), ease);

  let y = top > 0 ? Math.min(ROW, room) : 0;
  const spots = Array.from({ length: cards }, (_, i) => {
    if (i < top) return { dx: 0, dy: 0, hidden: true };
    const dy = Math.round(y);
    if (hiddenInRun.has(i)) return { dx: 0, dy, hidden: true };
    y += i < pile.down ? down : up;
    return { dx: 0, dy };
  });
  /** @type {Fold[]} */
  const folds = folded
    .filter(({ from }) => from >= top)
    .map((fold) => ({ ...fold, dy: spots[fold.from]?.dy ?? 0 }));
  if (top > 0) folds.unshift({ kind: 'top', from: 0, count: top, dy: 0 });
  return { spots, folds };
}
