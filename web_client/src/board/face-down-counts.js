// A small box at the head of a column: the number of its face-down cards (`seeds/` 3, "The small
// rectangular boxes above the cards"); over a pile that is not spread, of all its cards. The label
// of the pile says the same.

import { onPreference, preference } from '../browser/storage.js';
import { h, keyed, write } from '../widgets/element.js';
import { headBox } from './geometry.js';

/**
 * @import {TablePile} from '../contract/notation.js'
 * @import {Layout} from './geometry.js'
 */

/** Return whether the boxes are shown; `auto` shows them with the keys of 1987. */
export function showsFaceDown() {
  const choice = preference('faceDown');
  return choice === 'auto' ? preference('keys') === 'classic' : choice === 'on';
}

/** Return the number over a pile; 0 if there is none. @param {TablePile} pile */
export function countOver({ role, fan, down, up }) {
  if (role !== 'tableau') return 0;
  if (fan === 'down') return showsFaceDown() ? down : 0;
  return down + up.length;
}

/** Bind the boxes. @param {HTMLElement} layer of the cards, among which they lie */
export function bindFaceDownCounts(layer) {
  const container = h('div');
  layer.append(container);
  /** @type {readonly TablePile[]} */
  let piles = [];
  /** @type {Layout | null} */
  let layout = null;

  /** Draw the boxes of the latest piles. */
  function draw() {
    keyed(
      container,
      piles.filter((pile) => countOver(pile) > 0),
      ({ id }) => id,
      ({ id }) => {
        const box = h('span', { class: 'face-down-count' });
        box.dataset.countOf = id;
        return box;
      },
      (box, pile) => {
        write(box, String(countOver(pile)));
        const bounds = layout && headBox(layout, pile.id);
        for (const [name, px] of Object.entries(bounds ?? {}))
          box.style.setProperty(name, `${px}px`);
      },
    );
  }

  const unbind = onPreference((name) => (name === 'faceDown' || name === 'keys') && draw());
  return {
    /** @param {readonly TablePile[]} nextPiles @param {Layout} nextLayout */
    draw(nextPiles, nextLayout) {
      piles = nextPiles;
      layout = nextLayout;
      draw();
    },
    unbind,
  };
}
