// The reason of a refusal, in a bubble beside the cards that it is about. The status line has the same
// sentence for players who cannot see the bubble. The bubble catches no pointer, lies below or above
// the columns, where players seldom press next, and disappears with the next press or key.

import { h, listen, write } from '../widgets/element.js';
import { placeBubble } from './bubble-place.js';

/** @import {Board} from './board.js' */

const READING_TIME_MS = 6_000;

/** Bind the bubble of a board. @param {HTMLElement} felt @param {Board} board */
export function bindRefusalBubble(felt, board) {
  const element = h('div', {
    class: 'refusal-bubble',
    id: 'refusal-bubble',
    'aria-hidden': 'true',
    hidden: true,
  });
  felt.append(element);
  let timer = 0;

  /** Hide the bubble. */
  function hide() {
    clearTimeout(timer);
    element.hidden = true;
  }

  const unbinders = ['pointerdown', 'keydown'].map((type) =>
    listen(document, type, hide, { capture: true }),
  );

  return {
    /** Show the reason beside a pile. @param {string} words @param {string | undefined} pile */
    show(words, pile) {
      hide();
      if (!pile || !words || !board.layout.slots.has(pile)) return;
      write(element, words);
      element.hidden = false;
      const size = { width: element.offsetWidth, height: element.offsetHeight };
      const { x, y, tip, above } = placeBubble(board.layout, board.size, pile, size);
      element.style.left = `${x}px`;
      element.style.top = `${y}px`;
      element.style.setProperty('--tip', `${tip}px`);
      element.dataset.of = pile;
      element.dataset.side = above ? 'above' : 'below';
      timer = setTimeout(hide, READING_TIME_MS);
    },
    hide,
    unbind() {
      hide();
      for (const unbind of unbinders) unbind();
    },
  };
}
