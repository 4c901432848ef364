// The field that chooses the pace of computer players.

import { strings } from '../strings/language.js';
import { h } from './element.js';

/**
 * @import {AddBot} from '../contract/messages.d.ts'
 * @typedef {NonNullable<AddBot['pace']>} Pace
 */

/** @type {Pace} */
const USUAL = 'usual';

/** Make the field, and the function that returns what is chosen. */
export function makePaceField() {
  const { label, ...paces } = strings.PACES;
  const options = Object.entries(paces).map(([value, text]) => h('option', { value, text }));
  const select = h('select', { 'data-field': 'pace' }, ...options);
  select.value = USUAL;
  return {
    element: h('label', { class: 'field-pace text-small' }, label, ' ', select),
    pace: () => /** @type {Pace} */ (select.value),
  };
}
