// How a column lies: spread at ease, closed up, and folded when it is too long. Pure.
//
// A long column first closes up its face-down cards, then its rows, down to 24 px. Then its runs in
// suit fold, the longest first, to their first and last card; then its top folds behind a badge.
// Unfolded, its runs lie open and only the top is folded (`seeds/` 3, F4).

import { runs } from './cards.js';

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

/** The least distance of rows of face-up cards, in px: their suit and rank can be hit. */
export const ROW = 24;
const DOWN_LEAST = 3;
/** Rows are this part of a card's height apart, and up to `WIDEST` where the board has the room. */
const EASE = 0.27;
const WIDEST = 0.5;
/** A usual column, which decides how much room there is: face-down cards, and rows. */
const USUAL_DOWN = 5;
const USUAL_ROWS = 14;

/** Return `x`, or the bound that it exceeds. @param {number} least @param {number} x @param {number} most */
export const clamp = (least, x, most) => Math.min(Math.max(x, least), most);

/**
 * Return the runs to fold, and by how much that shortens the column.
 *
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
 * Return the distance of rows that have room. It is the same for all columns of a board, whatever
 * lies in them, so that no card moves because another one came.
 *
 * @param {number} cardHeight
 * @param {number} room below the first card
 * @param {number} down the distance of face-down cards
 */
function easeOf(cardHeight, room, down) {
  const least = Math.max(ROW, Math.round(cardHeight * EASE));
  const most = Math.max(least, Math.round(cardHeight * WIDEST));
  return clamp(least, Math.floor((room - USUAL_DOWN * down) / USUAL_ROWS), most);
}

/**
 * Return where the cards of a column lie.
 *
 * @param {{down: number, up: readonly string[]}} pile
 * @param {number} cardHeight
 * @param {number} tall the room for the column
 * @param {boolean} open whether its runs stay unfolded
 * @returns {Column}
 */
export function column(pile, cardHeight, tall, open) {
  const cards = pile.down + pile.up.length;
  const downs = Math.min(pile.down, Math.max(0, cards - 1));
  const rows = Math.max(0, pile.up.length - 1);
  const room = Math.max(0, tall - cardHeight);
  let down = Math.max(5, Math.round(cardHeight * 0.11));
  const ease = easeOf(cardHeight, room, down);
  if (downs > 0 && downs * down + rows * ease > room)
    down = clamp(DOWN_LEAST, (room - rows * ROW) / downs, down);
  const excess = downs * down + rows * ROW - room;
  const { folded, saved } = open ? { folded: [], saved: 0 } : foldedRuns(pile.up, excess);

  /** @type {Set<number>} */
  const tucked = new Set(); // under the last card of their run
  for (const { start, length } of folded)
    for (let i = 1; i < length - 1; i += 1) tucked.add(pile.down + start + i);
  const top = excess > saved ? topOf(cards, pile.down, tucked, down, room) : 0;
  const left = rows - tucked.size;
  const up = top > 0 ? ROW : clamp(ROW, (room - downs * down) / Math.max(1, left), ease);

  /** @type {Spot[]} */
  const spots = [];
  let y = top > 0 ? Math.min(ROW, room) : 0;
  for (let i = 0; i < cards; i += 1) {
    if (i < top) {
      spots.push({ dx: 0, dy: 0, hidden: true });
      continue;
    }
    const hidden = tucked.has(i);
    spots.push(hidden ? { dx: 0, dy: Math.round(y), hidden } : { dx: 0, dy: Math.round(y) });
    if (!hidden) y += i < pile.down ? down : up;
  }
  const folds = folded
    .map(({ start, length }) => ({ from: pile.down + start, length }))
    .filter(({ from }) => from >= top)
    .map(({ from, length }) => fold('run', from, length, spots[from]?.dy ?? 0));
  return { spots, folds: top > 0 ? [fold('top', 0, top, 0), ...folds] : folds };
}

/** @param {Fold['kind']} kind @param {number} from @param {number} count @param {number} dy */
const fold = (kind, from, count, dy) => ({ kind, from, count, dy });

/**
 * Return how many cards at the top go behind the badge, so that there is room for the rest.
 *
 * @param {number} cards
 * @param {number} downs
 * @param {ReadonlySet<number>} tucked
 * @param {number} down
 * @param {number} room
 */
function topOf(cards, downs, tucked, down, room) {
  let high = ROW; // the badge
  let top = cards - 1;
  for (; top > 0; top -= 1) {
    const row = top - 1 < downs ? down : tucked.has(top - 1) ? 0 : ROW;
    if (high + row > room) break;
    high += row;
  }
  while (tucked.has(top)) top += 1; // a folded run is cut after its hidden cards, not among them
  return top;
}
