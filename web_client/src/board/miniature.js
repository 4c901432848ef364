// A board to look at: the drawing of the table, scaled to its place, and nothing to be done there.

import { h } from '../shared/element.js';
import { bindBoard } from './board.js';

/**
 * @import {TableView} from '../core/messages.d.ts'
 */

/** A board narrower than this is drawn as wide as this, and then made small. */
const DRAWN = 520;
const HIGH = 0.78;

export function bindMiniature() {
  const felt = h('div', { class: 'board still', inert: true, 'aria-hidden': 'true' });
  const element = h('div', { class: 'miniature' }, felt);
  const board = bindBoard(felt, true);
  /** @type {TableView | null} */
  let shown = null;

  const watcher = new ResizeObserver(() => {
    const width = element.clientWidth;
    if (width === 0) return;
    const drawn = Math.max(DRAWN, width);
    felt.style.width = `${drawn}px`;
    felt.style.height = `${Math.round(drawn * HIGH)}px`;
    felt.style.transform = `scale(${width / drawn})`;
    element.style.height = `${Math.round(width * HIGH)}px`;
  });
  watcher.observe(element);

  return {
    element,
    /** @param {TableView | undefined} table @param {boolean} [glide] */
    update(table, glide = true) {
      if (!table || table === shown) return;
      // Another player's cards are not this one's on the way.
      board.draw(table, glide && shown?.seat === table.seat);
      shown = table;
    },
    unbind() {
      watcher.disconnect();
      board.unbind();
    },
  };
}
