// A small box at the head of a column: the number of its face-down cards (`seeds/` 3, "The small
// rectangular boxes above the cards"); over a pile that is not spread, of all its cards. The label
// of the pile says the same.

import { headBox } from '../core/geometry.js';
import { onPreference, preference } from '../core/preferences.js';
import { h, keyed, write } from '../shared/element.js';

/**
 * @import {TablePile} from '../core/notation.js'
 * @import {Layout} from '../core/geometry.js'
 */

/** Return whether the boxes are shown: until the player chooses, the keys of 1987 decide. */
export function showsFaceDown() {
  const wish = preference('faceDown');
  return wish === 'auto' ? preference('keys') === 'classic' : wish === 'on';
}

/** Return the number over a pile; 0 if there is none. @param {TablePile} pile */
export function countOver({ role, fan, down, up }) {
  if (role !== 'tableau') return 0;
  if (fan === 'down') return showsFaceDown() ? down : 0;
  return down + up.length;
}

/** Bind the boxes. @param {HTMLElement} layer of the cards, among which they lie */
export function bindFaceDownCounts(layer) {
  const place = h('div');
  layer.append(place);
  /** @type {readonly TablePile[]} */
  let piles = [];
  /** @type {Layout | null} */
  let layout = null;

  function show() {
    keyed(
      place,
      piles.filter((pile) => countOver(pile) > 0),
      ({ id }) => id,
      ({ id }) => {
        const box = h('span', { class: 'face-down-count' });
        box.dataset.countOf = id;
        return box;
      },
      (box, pile) => {
        write(box, String(countOver(pile)));
        const at = layout && headBox(layout, pile.id);
        if (at) for (const [name, px] of Object.entries(at)) box.style.setProperty(name, `${px}px`);
      },
    );
  }

  const unbind = onPreference((name) => (name === 'faceDown' || name === 'keys') && show());
  return {
    /** @param {readonly TablePile[]} now @param {Layout} laidOut */
    draw(now, laidOut) {
      piles = now;
      layout = laidOut;
      show();
    },
    unbind,
  };
}
