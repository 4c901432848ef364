// What the front page and the page of a room's link share: the title, the field of the player's name,
// and requests that are repeated while the page is seen.

import { storedName, storeName } from '../browser/storage.js';
import { NAME_LENGTH } from '../contract/protocol.js';
import { strings } from '../strings/language.js';
import { lineInput } from '../widgets/controls.js';
import { h, listen, set, write } from '../widgets/element.js';

/** @typedef {ReturnType<typeof makeNameField>} NameField */

const POLL_MS = 10_000;

/** Make a card of a picture. @param {string} [face] omitted for its back @param {number} [turn] in a fan */
export function drawCard(face, turn) {
  const card = h('div', { class: 'card', 'data-card': face, 'data-back': face === undefined });
  set(card, { '--turn': turn });
  return card;
}

/** Make the title of a page: a fan of cards, the wordmark, and a line of words. @param {...(Node | string)} words */
export const makeTitle = (...words) =>
  h(
    'header',
    { class: 'page-title' },
    h(
      'div',
      { class: 'landing-hero', 'aria-hidden': 'true' },
      ...['KS', 'QS', 'JS', 'TS', '9S'].map((face, i) => drawCard(face, i - 2)),
    ),
    h('h1', { class: 'wordmark' }, h('span', { class: 'text-spoken', text: 'Spider Race' })),
    h('p', {}, ...words),
  );

/** Make the line for a problem of a form. @param {string} id */
export const problemLine = (id) => h('p', { class: 'field-problem', id, role: 'alert' });

/**
 * Make the field of the player's name. Its problem stands in the empty input, so that nothing moves, and
 * goes with the first letter.
 */
export function makeNameField() {
  const problem = problemLine('name-problem');
  const input = lineInput(NAME_LENGTH, {
    id: 'name',
    name: 'nickname',
    value: storedName(),
    autocomplete: 'nickname',
    spellcheck: 'false',
    required: true,
    'aria-describedby': problem.id,
    oninput: () => write(problem, ''),
  });
  const label = h('label', { class: 'field' }, h('span', { text: strings.LANDING.name }), input);

  /** Return the typed name, which is stored, or ''. */
  function typed() {
    const name = input.value.trim();
    if (name) storeName(name);
    return name;
  }

  /** Return the same, or ask for a name if there is none. */
  function demand() {
    const name = typed();
    set(input, { 'aria-invalid': String(!name), value: name && input.value });
    write(problem, name ? '' : strings.LANDING.nameFirst);
    if (!name) input.focus();
    return name;
  }

  return { element: h('div', { class: 'field-name' }, label, problem), input, typed, demand };
}

/** Return a listener that acts instead of submitting a form. @param {(event: SubmitEvent) => void} action */
export const onSubmit = (action) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  action(event);
};

/** Repeat a request while the page is seen, and when it is seen again. @param {() => void} request @returns {() => void} the unbinder */
export function keepFetching(request) {
  const poll = () => document.visibilityState === 'hidden' || request();
  const timer = setInterval(poll, POLL_MS);
  const unlisten = listen(document, 'visibilitychange', poll);
  return () => {
    clearInterval(timer);
    unlisten();
  };
}
