// A small box at the head of a column: how many of its cards lie face down (`seeds/` 3, "The
// small rectangular boxes above the cards"). The label of the column says the same to the ear.

import { headBox } from '../core/geometry.js';
import { onPreference, preference } from '../core/preferences.js';
import { h, keyed, write } from '../shared/element.js';

/**
 * @import {TablePile} from '../core/messages.d.ts'
 * @import {Layout} from '../core/geometry.js'
 */

/** Whether the boxes are shown; until the player says so, the keys of the manual bring them. */
export function showsFaceDown() {
  const wish = preference('faceDown');
  return wish === 'auto' ? preference('keys') === 'classic' : wish === 'on';
}

/** @param {HTMLElement} layer the cards'; the boxes lie among them and are hit by nothing */
export function bindFaceDown(layer) {
  const place = h('div');
  layer.append(place);
  /** @type {readonly TablePile[]} */
  let piles = [];
  /** @type {Layout | null} */
  let layout = null;

  function show() {
    const columns = showsFaceDown() ? piles.filter(({ fan, down }) => fan === 'down' && down) : [];
    keyed(
      place,
      columns,
      ({ id }) => id,
      ({ id }) => {
        const box = h('span', { class: 'face-down' });
        box.dataset.of = id;
        return box;
      },
      (box, { id, down }) => {
        write(box, String(down));
        const at = layout && headBox(layout, id);
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
