// What the front page and the page of a link share: the field of the name, its problem, and cards as pictures.

import { keep, kept } from '../browser/storage.js';
import { NAME_LENGTH } from '../contract/protocol.js';
import { strings } from '../strings/language.js';
import { lineInput } from '../widgets/controls.js';
import { h, set, write } from '../widgets/element.js';

/** @typedef {ReturnType<typeof makeNameField>} NameField */

/** Make a card of a picture. @param {string} [face] omitted for its back @param {number} [turn] in a fan */
export const cardPicture = (face, turn) =>
  h('i', {
    class: 'card',
    'data-card': face,
    'data-back': face === undefined,
    'data-small': true,
    '--turn': turn,
    'aria-hidden': 'true',
  });

/** Make the line for a problem of a form. @param {string} id */
export const problemLine = (id) => h('p', { class: 'field-problem', id, role: 'alert' });

/** Make the field of the player's name. Its problem stands in the empty input, so that nothing moves, and goes with the first letter. @param {string} title */
export function makeNameField(title) {
  const problem = problemLine('name-problem');
  const input = lineInput(NAME_LENGTH, {
    id: 'name',
    name: 'nickname',
    value: kept('name'),
    autocomplete: 'nickname',
    spellcheck: 'false',
    required: true,
    'aria-describedby': problem.id,
    oninput: () => write(problem, ''),
  });
  const label = h('label', { class: 'field' }, h('span', { text: title }), input);

  /** Return the typed name, which is stored, or ''. */
  function typed() {
    const name = input.value.trim();
    if (name) keep('name', name);
    return name;
  }

  /** Return the same, or ask for a name if there is none. */
  function demand() {
    const name = typed();
    set(input, { 'aria-invalid': String(!name) });
    write(problem, name ? '' : strings.LANDING.nameFirst);
    if (name) return name;
    input.value = ''; // spaces, which would hide the problem
    input.focus();
    return '';
  }

  return { element: h('div', { class: 'field-name' }, label, problem), input, typed, demand };
}
