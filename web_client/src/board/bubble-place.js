// The place of a bubble beside a pile: below the cards around it, or else at the upper edge. Pure.

import { clamp } from './column.js';

/**
 * @import {Layout} from './geometry.js'
 * @typedef {{width: number, height: number}} Size
 */

/** The least distance to the edge of the board. */
const MARGIN_PX = 4;
/** The room for the tip of the bubble. */
const TIP_PX = 10;

/** Return the lower edge of the cards of a pile. @param {Layout} layout @param {string} pile */
function lowerEdge({ slots, offsets, cardHeight }, pile) {
  const spots = offsets.get(pile) ?? [];
  return (slots.get(pile)?.y ?? 0) + (spots.at(-1)?.dy ?? 0) + cardHeight;
}

/**
 * Return the place of a bubble.
 * @param {Layout} layout
 * @param {Size} board
 * @param {string} pile
 * @param {Size} bubble
 * @returns {{x: number, y: number, tip: number, above: boolean}} `tip` is the middle of the pile from
 *   the left of the bubble; `above` if it could not lie below the cards
 */
export function placeBubble(layout, board, pile, bubble) {
  const slot = layout.slots.get(pile) ?? { x: 0, y: 0 };
  const middle = slot.x + layout.cardWidth / 2;
  const right = Math.max(MARGIN_PX, board.width - bubble.width - MARGIN_PX);
  const x = Math.round(clamp(MARGIN_PX, middle - bubble.width / 2, right));
  const edges = [...layout.slots]
    .filter(([, box]) => box.x < x + bubble.width && box.x + layout.cardWidth > x)
    .map(([id]) => lowerEdge(layout, id));
  const y = Math.round(Math.max(...edges, lowerEdge(layout, pile)) + TIP_PX);
  const tip = Math.round(clamp(TIP_PX, middle - x, bubble.width - TIP_PX));
  const above = y + bubble.height + MARGIN_PX > board.height;
  return { x, y: above ? MARGIN_PX : y, tip, above };
}
