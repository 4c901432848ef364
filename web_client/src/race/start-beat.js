// The last beat of the start: the word over the table while its first cards fly. It catches no pointer.

import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';

const SHOWN_MS = 900;

/** Show the start. @param {HTMLElement} felt the table */
export function startBeat(felt) {
  const word = h('p', {
    class: 'start-beat',
    id: 'start-beat',
    'aria-hidden': 'true',
    text: strings.NEWS.go,
  });
  felt.append(word);
  setTimeout(() => word.remove(), SHOWN_MS);
}
