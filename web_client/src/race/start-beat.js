// The last beat of the start: the word over the table while its first cards fly. It catches no pointer.

import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';

/** @import {Sound} from '../browser/sound.js' */

const SHOWN_MS = 900;

/** Show and sound the start. @param {HTMLElement} felt the table @param {Pick<Sound, 'play'>} sound */
export function startBeat(felt, sound) {
  const word = h('p', {
    class: 'start-beat',
    id: 'start-beat',
    'aria-hidden': 'true',
    text: strings.NEWS.go,
  });
  felt.append(word);
  sound.play('go');
  setTimeout(() => word.remove(), SHOWN_MS);
}
