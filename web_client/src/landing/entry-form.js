// The parts that the front page and the page of a room's link share.

import { storedName, storeName } from '../browser/storage.js';
import { NAME_LENGTH } from '../contract/protocol.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { lineInput } from '../widgets/line-input.js';

/** Make a card of a picture. @param {{'data-card'?: string, 'data-back'?: boolean}} side */
export const drawCard = (side) => h('div', { class: 'card', ...side });

/** Make the fan of cards above the title. */
function hero() {
  const fan = ['KS', 'QS', 'JS', 'TS', '9S'].map((card) => drawCard({ 'data-card': card }));
  return h('div', { class: 'landing-hero', 'aria-hidden': 'true' }, ...fan);
}

/** Make the title of a page, with a line below it. @param {...(Node | string)} words */
export const title = (...words) =>
  h(
    'header',
    { class: 'page-title' },
    hero(),
    h('h1', { class: 'wordmark' }, h('span', { class: 'text-spoken', text: 'Spider Race' })),
    h('p', {}, ...words),
  );

/** Make the input of the player's name. */
export const nameInput = () =>
  lineInput(NAME_LENGTH, {
    id: 'name',
    name: 'nickname',
    value: storedName(),
    autocomplete: 'nickname',
    spellcheck: 'false',
    required: true,
  });

/**
 * Make the label of that input, with the line for its problem, which stands in the empty input so that
 * nothing moves, and goes with the first letter.
 * @param {HTMLInputElement} input
 * @param {HTMLElement} problem
 */
export function nameField(input, problem) {
  input.setAttribute('aria-describedby', problem.id);
  input.addEventListener('input', () => write(problem, ''));
  const label = h('label', { class: 'field' }, h('span', { text: strings.LANDING.name }), input);
  return h('div', { class: 'field-name' }, label, problem);
}

/** Make the line for a problem of a form. @param {string} id */
export const problemLine = (id) => h('p', { class: 'field-problem', id, role: 'alert' });

/**
 * Return the name and store it, or ask for one.
 * @param {HTMLInputElement} input
 * @param {HTMLElement} problem
 * @returns {string | null} null if there is none
 */
export function readName(input, problem) {
  const name = input.value.trim();
  input.setAttribute('aria-invalid', String(!name));
  write(problem, name ? '' : strings.LANDING.nameFirst);
  if (!name) {
    input.value = '';
    input.focus();
    return null;
  }
  storeName(name);
  return name;
}

/** Return a listener that acts instead of submitting a form. @param {(event: Event) => void} action */
export const onSubmit = (action) => (/** @type {Event} */ event) => {
  event.preventDefault();
  action(event);
};
