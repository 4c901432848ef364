// The win of a rival: a band in the colour of the winner sweeps over the page with the name. It is over
// in two seconds and catches no pointer. Without motion it stands still. Its sheet is that of the
// celebration; the status line says the same to screen readers.

import { h } from '../widgets/element.js';
import { seatMark } from '../widgets/marks.js';

const SHOWN_MS = 2_000;

/**
 * Show the win for two seconds, or until the element that it is shown in is removed.
 * @param {Element} root
 * @param {string} name
 * @param {string} words after the name
 * @param {string} colour of the seat
 */
export function sweep(root, name, words, colour) {
  const element = h(
    'div',
    {
      class: 'celebration-sweep mark-tone',
      id: 'sweep',
      'data-colour': colour,
      'aria-hidden': 'true',
    },
    h(
      'p',
      { class: 'celebration-winner' },
      seatMark(colour),
      h('bdi', { class: 'text-cut', text: name }),
      h('span', { text: words }),
    ),
  );
  root.append(element);
  setTimeout(() => element.remove(), SHOWN_MS);
}
