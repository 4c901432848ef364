// Where everything lies, in pixels: pure, from the server's grid and the size of the board.

import { runs } from './cards.js';

/**
 * @import {TablePile} from './protocol.d.ts'
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {object} Layout
 * @property {number} cardWidth
 * @property {number} cardHeight
 * @property {boolean} small whether cards are drawn with one big pip
 * @property {Map<string, Box>} slots the area of each pile
 * @property {Map<string, {dx: number, dy: number}[]>} offsets of each card from its slot
 */

const ASPECT = 1.4;
const WIDEST = 132;
const SMALL = 56;
const NARROW_BOARD = 600;
/** How many card heights the board must hold at least: the upper row and a short column. */
const HEIGHTS = 4.4;

/** Rows of face-up cards are never closer than this while their suit and rank must be hit. */
export const ROW = 24;
const FOLDED = 5;
const DOWN_LEAST = 3;

/** @param {number} least @param {number} x @param {number} most */
const clamp = (least, x, most) => Math.min(Math.max(x, least), most);

/**
 * @param {readonly TablePile[]} piles
 * @param {number} width
 * @param {number} height
 * @returns {Layout}
 */
export function layOut(piles, width, height) {
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
  const rowGap = narrow ? 10 : Math.round(clamp(8, height / 40, 20));
  const dealt = Math.max(1, piles.filter((pile) => pile.role === 'tableau').length);

  /** @type {Layout} */
  const layout = {
    cardWidth,
    cardHeight,
    small: cardWidth < SMALL,
    slots: new Map(),
    offsets: new Map(),
  };
  for (const pile of piles) {
    const x = left + Math.round(pile.x * (cardWidth + gap));
    const y = top + Math.round(pile.y * (cardHeight + rowGap));
    const tall = pile.fan === 'down' ? Math.max(cardHeight, height - y - 4) : cardHeight;
    layout.slots.set(pile.id, { x, y, width: cardWidth, height: tall });
    layout.offsets.set(
      pile.id,
      pile.fan === 'down' ? fanDown(pile, cardHeight, tall) : stack(pile, dealt, cardWidth),
    );
  }
  return layout;
}

/**
 * A stack; the stock is stepped by the row, so that the deals left can be counted.
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
 * The cards of a column. One that grows too long first closes up its face-down cards, then its
 * rows down to 24 px, then folds its runs from the longest on, and only then goes below.
 *
 * @param {{down: number, up: readonly string[]}} pile
 * @param {number} cardHeight
 * @param {number} tall room for the column
 */
export function fanDown(pile, cardHeight, tall) {
  const rows = Math.max(0, pile.up.length - 1);
  const downs = pile.up.length > 0 ? pile.down : Math.max(0, pile.down - 1);
  const room = Math.max(0, tall - cardHeight);
  let down = clamp(5, Math.round(cardHeight * 0.11), 16);
  let up = clamp(ROW, Math.round(cardHeight * 0.27), 40);
  if (downs * down + rows * up > room && downs > 0)
    down = clamp(DOWN_LEAST, (room - rows * up) / downs, down);
  if (downs * down + rows * up > room && rows > 0)
    up = clamp(ROW, (room - downs * down) / rows, up);
  const steps = Array.from({ length: rows }, () => up);
  let excess = downs * down + rows * up - room;
  const long = runs(pile.up)
    .filter((run) => run.length > 2)
    .sort((a, b) => b.length - a.length);
  for (const run of long) {
    if (excess <= 0) break;
    for (let i = run.start + 1; i < run.start + run.length - 1 && excess > 0; i += 1) {
      steps[i] = FOLDED;
      excess -= up - FOLDED;
    }
  }
  if (excess > 0) {
    const total = room + excess;
    const shrink = total > 0 ? room / total : 0;
    down *= shrink;
    for (let i = 0; i < rows; i += 1) steps[i] = (steps[i] ?? 0) * shrink;
  }
  let y = 0;
  return Array.from({ length: pile.down + pile.up.length }, (_, i) => {
    const dy = Math.round(y);
    y += i < pile.down ? down : (steps[i - pile.down] ?? 0);
    return { dx: 0, dy };
  });
}

/**
 * The pile whose column a card at `box` covers most; null if it covers none.
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
 * The pile and the card at a point, by where cards rest: one that is still gliding or turning
 * can be taken where it will be. Below a column its last card counts; -1 is an empty pile.
 *
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 */
export function cardAt(layout, x, y) {
  for (const [pile, slot] of layout.slots) {
    const offsets = layout.offsets.get(pile) ?? [];
    const right = slot.x + slot.width + (offsets.at(-1)?.dx ?? 0);
    if (x < slot.x || x >= right || y < slot.y || y >= slot.y + slot.height) continue;
    const covered = offsets.findLastIndex(
      ({ dx, dy }) =>
        x >= slot.x + dx &&
        x < slot.x + dx + layout.cardWidth &&
        y >= slot.y + dy &&
        y < slot.y + dy + layout.cardHeight,
    );
    return { pile, index: covered < 0 ? offsets.length - 1 : covered };
  }
  return null;
}
