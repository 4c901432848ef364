// Fields, buttons and panes of several screens, and small pictures of computer players and cards.

import { keep, kept } from '../browser/storage.js';
import { NAME_LENGTH } from '../contract/protocol.js';
import { LANGUAGES, strings } from '../strings/language.js';
import { h, set } from './element.js';

/** @typedef {ReturnType<typeof makeNameField>} NameField */

// Lengths count graphemes, the characters that readers see. The attribute `maxlength` would count code units: the emoji
// of an astronaut has five, and so can a syllable of Burmese.

/** Undefined in browsers without a segmenter: there the server shortens the text. */
const segmenter = Intl.Segmenter && new Intl.Segmenter();

/** Return the first `length` graphemes of a text. @param {string} text @param {number} length */
export function firstGraphemes(text, length) {
  if (!segmenter || text.length <= length) return text; // a text has at least as many code units as graphemes
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === length) return text.slice(0, index);
    count += 1;
  }
  return text;
}

/** Make a one-line input that takes at most `length` graphemes. @param {number} length @param {Parameters<typeof h>[1]} props as for `h` */
export function lineInput(length, props) {
  const input = h('input', props);
  input.addEventListener('beforeinput', (event) => {
    const { data } = event;
    // If several letters come at once, such as pasted text, they are cut after the insertion.
    if (event.isComposing || !data || firstGraphemes(data, 1) !== data) return;
    const before = input.value.slice(0, input.selectionStart ?? 0);
    const after = input.value.slice(input.selectionEnd ?? 0);
    const typed = before + data + after;
    // As with `maxlength`, a letter typed into a full line is refused, and does not push out another one.
    if (firstGraphemes(typed, length) !== typed) event.preventDefault();
  });
  const cut = () => set(input, { value: firstGraphemes(input.value, length) });
  // While an input method composes a letter, it needs the text unchanged.
  input.addEventListener('input', (event) => {
    if (!(event instanceof InputEvent && event.isComposing)) cut();
  });
  input.addEventListener('compositionend', cut);
  return input;
}

/** Make the line for an error in a form. @param {string} id */
export const problemLine = (id) => h('p', { class: 'field-problem', id, role: 'alert' });

/** Make the field for the player's name. Its error is cleared as they type. @param {string} title */
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
    oninput: () => set(problem, { text: '' }),
  });
  const label = h('label', { class: 'field' }, h('span', { text: title }), input);

  /** Store and return the typed name; '' if there is none. */
  function typed() {
    const name = input.value.trim();
    if (name) keep('name', name);
    return name;
  }

  /** Return the typed name. If it's missing, ask for it and return ''. */
  function demand() {
    const name = typed();
    set(input, { 'aria-invalid': String(!name) });
    set(problem, { text: name ? '' : strings.LANDING.nameFirst });
    if (name) return name;
    input.value = ''; // spaces would hide the error
    input.focus();
    return '';
  }

  return { element: h('div', {}, label, problem), input, typed, demand };
}

/**
 * Make a button with a picture before its words, or instead of them.
 * @param {string} icon its name in the style sheet
 * @param {Parameters<typeof h>[1] & {label?: string}} props as for `h`; `label` is for a button that shows no words
 * @param {...(Node | string)} children
 */
export function iconButton(icon, { class: more, label, ...props }, ...children) {
  const looks = { class: more ? `icon ${more}` : 'icon', '--icon': `var(--icon-${icon})` };
  const said = label === undefined ? {} : { title: label, 'aria-label': label };
  return h('button', { ...looks, ...said, ...props }, ...children);
}

/** Make a check box: the `field`, and the `label` around it. @param {string} id @param {string} text @param {() => void} [onchange] */
export function checkBox(id, text, onchange) {
  const field = h('input', { id, type: 'checkbox', onchange });
  return { field, label: h('label', { class: 'field-check line' }, field, h('span', { text })) };
}

/**
 * Make a group of radio buttons.
 * @param {string} name of the group @param {string} title for screen readers
 * @param {Record<string, string>} names the label of each value
 * @param {{class?: string, makeSample?: (value: string) => Node}} [how] `makeSample` makes a sample for a label
 */
export function makeRadios(name, title, names, { class: className = 'choice', makeSample } = {}) {
  const options = Object.entries(names).map(([value, text]) => {
    const words = h('span', {}, makeSample?.(value), text);
    return h('label', { class: 'choice-label' }, h('input', { type: 'radio', name, value }), words);
  });
  const legend = h('legend', { class: 'text-spoken', text: title });
  return h('fieldset', { class: className }, legend, ...options);
}

/** Make the field for the page's language. It shows only the language's code; its menu shows full names. @param {(language: string) => void} speak */
export function languageField(speak) {
  const { lang } = document.documentElement;
  const field = h(
    'select',
    { id: 'language', 'aria-label': strings.LANGUAGE, onchange: () => speak(field.value) },
    ...Object.entries(LANGUAGES).map(([id, text]) => h('option', { value: id, lang: id, text })),
  );
  field.value = lang;
  return h('span', { class: 'language' }, h('span', { text: lang.toUpperCase() }), field);
}

/** Make a computer player's picture, a spider on a coin. Its size is `--coin`. @param {string} level */
export const spiderCoin = (level) =>
  h('span', { class: 'coin', 'data-level': level, 'aria-hidden': 'true' });

/** Make a picture of a card. @param {string} [face] omitted for its back @param {number} [turn] its place in a fan, 0 in the middle */
export function cardPicture(face, turn) {
  const looks = { class: 'card', 'data-card': face, 'data-back': face === undefined };
  return h('i', { ...looks, '--turn': turn, 'aria-hidden': 'true' });
}

/** Make a fan of cards. @param {...(string | undefined)} faces undefined for a back */
export function cardFan(...faces) {
  const cards = faces.map((face, i) => cardPicture(face, i - (faces.length - 1) / 2));
  return h('span', { class: 'card-fan', 'aria-hidden': 'true' }, ...cards);
}

/** Make a pane with a heading. @param {string} id @param {string} title @param {Node | string} beside stands beside the heading @param {...(Node | false)} children */
export function makePane(id, title, beside, ...children) {
  const heading = h('h2', { id: `${id}-title`, text: title });
  const aside = typeof beside === 'string' ? h('span', { class: 'text-note' }, beside) : beside;
  const header = h('header', {}, heading, aside);
  return h('section', { class: 'pane', id, 'aria-labelledby': heading.id }, header, ...children);
}
