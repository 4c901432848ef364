// The computer players to race: a click on one begins the race, at the pace that is chosen below.

import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { makePaceField } from '../widgets/pace-field.js';

/**
 * @import {AddBot} from '../contract/messages.d.ts'
 * @import {Pace} from '../widgets/pace-field.js'
 */

/** Make the buttons, one for each strength, and the field of the pace. @param {(level: AddBot['level'], pace: Pace) => void} race called with what is chosen */
export function makeStrengths(race) {
  const { element, pace } = makePaceField();
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  const buttons = levels.map((level) => makeStrength(level, () => race(level, pace())));
  return [h('div', { class: 'landing-strengths', id: 'strengths' }, ...buttons), element];
}

/** Make the button of a strength. @param {AddBot['level']} level @param {() => void} race */
function makeStrength(level, race) {
  const button = h(
    'button',
    { onclick: race },
    h('b', { text: strings.STRENGTHS[level] }),
    ' ',
    h('span', { text: strings.STRENGTHS_ABOUT[level] }),
  );
  button.dataset.strength = level;
  return button;
}
