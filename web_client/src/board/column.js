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
 * @typedef {{spots: Spot[], folds: Fold[]}} Column
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
 * Return the runs to fold, and by how much that shortens the column.
 * @param {readonly string[]} up
 * @param {number} excess by how much the column is too long with all rows at their least
 */
function foldedRuns(up, excess) {
  const long = runs(up)
    .filter((run) => run.length > 2)
    .sort((a, b) => b.length - a.length);
  const folded = [];
  let saved = 0;
  for (const run of long) {
    if (saved >= excess) break;
    folded.push(run);
    saved += (run.length - 2) * ROW;
  }
  return { folded, saved };
}

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
 * Return where the cards of a column lie.
 * @param {{down: number, up: readonly string[]}} pile
 * @param {number} cardHeight
 * @param {number} height of the column's area
 * @param {boolean} unfolded whether its runs stay unfolded
 * @returns {Column}
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
  const { folded, saved } = unfolded ? { folded: [], saved: 0 } : foldedRuns(pile.up, excess);

  /** @type {Set<number>} */
  const hiddenInRun = new Set(); // all cards of a folded run but the first and the last
  for (const { start, length } of folded)
    for (let i = 1; i < length - 1; i += 1) hiddenInRun.add(pile.down + start + i);
  const top = excess > saved ? hiddenAtTop(cards, pile.down, hiddenInRun, down, room) : 0;
  const visibleRows = rows - hiddenInRun.size;
  const up = top > 0 ? ROW : clamp(ROW, (room - downs * down) / Math.max(1, visibleRows), ease);

  /** @type {Spot[]} */
  const spots = [];
  let y = top > 0 ? Math.min(ROW, room) : 0;
  for (let i = 0; i < cards; i += 1) {
    if (i < top) {
      spots.push({ dx: 0, dy: 0, hidden: true });
      continue;
    }
    const hidden = hiddenInRun.has(i);
    spots.push(hidden ? { dx: 0, dy: Math.round(y), hidden } : { dx: 0, dy: Math.round(y) });
    if (!hidden) y += i < pile.down ? down : up;
  }
  const folds = folded
    .map(({ start, length }) => ({ from: pile.down + start, length }))
    .filter(({ from }) => from >= top)
    .map(({ from, length }) => fold('run', from, length, spots[from]?.dy ?? 0));
  return { spots, folds: top > 0 ? [fold('top', 0, top, 0), ...folds] : folds };
}

/** Make a fold. @param {Fold['kind']} kind @param {number} from @param {number} count @param {number} dy */
const fold = (kind, from, count, dy) => ({ kind, from, count, dy });

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
