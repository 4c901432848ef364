// Menus: small dialogs beside the button that opens them.

import { makeDialog } from './dialogs.js';
import { h, listen, set } from './element.js';

/** @typedef {ReturnType<typeof makeMenu>} Menu */

/** The least space between a menu and the edge of the window, in px. */
const EDGE_PX = 8;

/**
 * Make a menu: a small dialog beside the button that opens it, and on a phone a sheet at the foot.
 * @param {string} id
 * @param {string} title
 * @param {...Node} children
 */
export function makeMenu(id, title, ...children) {
  const heading = h('h2', { id: `${id}-title`, text: title });
  const body = h('div', { class: 'stack menu-body' }, heading, ...children);
  const dialog = makeDialog(heading, { class: 'menu', id }, body);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close(); // a press beside it: its body covers it whole
  });
  /** Place the menu below its button, or above it where there is no room. @param {Element} button */
  function place(button) {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = dialog;
    const isBelow = bottom + EDGE_PX + height <= innerHeight - EDGE_PX;
    const y = isBelow ? bottom + EDGE_PX : top - EDGE_PX - height;
    const x = Math.min((left + right - width) / 2, innerWidth - width - EDGE_PX);
    set(dialog, { '--x': `${Math.max(EDGE_PX, x)}px`, '--y': `${Math.max(EDGE_PX, y)}px` });
  }

  return {
    dialog,
    /** Open the menu at the button that was pressed. @param {{currentTarget: EventTarget | null}} event */
    open({ currentTarget }) {
      const button = /** @type {Element} */ (currentTarget);
      dialog.showModal();
      place(button);
      const unbind = listen(window, 'resize', () => place(button));
      dialog.addEventListener('close', unbind, { once: true });
    },
  };
}
