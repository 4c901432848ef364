// The computer players to race: a click on one begins the race.

import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';

/**
 * @import {AddBot} from '../contract/messages.d.ts'
 */

/** Make the buttons, one for each strength. @param {(level: AddBot['level']) => void} race called with the chosen strength */
export function makeStrengths(race) {
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  return h(
    'div',
    { class: 'landing-strengths', id: 'strengths' },
    ...levels.map((level) => makeStrength(level, race)),
  );
}

/** Make the button of a strength. @param {AddBot['level']} level @param {(level: AddBot['level']) => void} race */
function makeStrength(level, race) {
  const button = h(
    'button',
    { onclick: () => race(level) },
    h('b', { text: strings.STRENGTHS[level] }),
    ' ',
    h('span', { text: strings.STRENGTHS_ABOUT[level] }),
  );
  button.dataset.strength = level;
  return button;
}
