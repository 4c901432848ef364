// A board that cannot be played on: a drawing of a table, scaled to its place.

import { h } from '../widgets/element.js';
import { bindBoard, drawBoard } from './board.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @typedef {ReturnType<typeof bindMiniature>} Miniature
 */

/** A narrower board is drawn this wide, and then scaled. */
const DRAWN_WIDTH_PX = 520;
/** The height of a board, as a part of its width. */
export const HEIGHT = 0.78;

/** Bind an empty miniature. */
export function bindMiniature() {
  const felt = h('div', { class: 'board miniature-board', inert: true, 'aria-hidden': 'true' });
  const element = h('div', { class: 'miniature' }, felt);
  const board = bindBoard(felt, true);
  /** @type {TableView | null} */
  let shown = null;

  const watcher = new ResizeObserver(() => {
    const width = element.clientWidth;
    if (width === 0) return;
    const drawn = Math.max(DRAWN_WIDTH_PX, width);
    felt.style.width = `${drawn}px`;
    felt.style.height = `${Math.round(drawn * HEIGHT)}px`;
    felt.style.transform = `scale(${width / drawn})`;
    element.style.height = `${Math.round(width * HEIGHT)}px`;
  });
  watcher.observe(element);

  return {
    element,
    /** @param {TableView | undefined} table @param {boolean} [glide] */
    update(table, glide = true) {
      if (!table || table === shown) return;
      // Cards do not glide from one player's table to another's.
      drawBoard(board, table, glide && shown?.seat === table.seat);
      shown = table;
    },
    unbind() {
      watcher.disconnect();
      board.unbind();
    },
  };
}
