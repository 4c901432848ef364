// The preferences dialog. A choice applies at once, and the page behind the dialog shows it.

import { canVibrate } from '../browser/sound.js';
import * as storage from '../browser/storage.js';
import { fetchFaces } from '../page/looks.js';
import { strings } from '../strings/language.js';
import { makeRadios } from '../widgets/controls.js';
import { openDialog } from '../widgets/dialogs.js';
import { h } from '../widgets/element.js';

/** @typedef {Exclude<keyof typeof storage.CHOICES, 'notify' | 'pace'>} Name a preference with a field in this dialog */

/**
 * The preferences of each section. Those whose values have names get radio buttons, the volume a slider,
 * and all others a check box.
 * @type {Record<'looks' | 'sound' | 'play' | 'keyboard', Name[]>}
 */
const SECTIONS = {
  looks: ['table', 'cards', 'backs', 'indices', 'light', 'removed', 'motion'],
  sound: ['muted', 'volume', 'haptics'],
  play: ['oneTap', 'confirmDeal', 'faceDown', 'reasons'],
  keyboard: ['keys', 'letterKeys', 'moveBox'],
};

/** The value of a preference whose box is ticked, if not `true`. @type {Partial<Record<Name, string | boolean>>} */
const TICKED = { removed: 'down', motion: 'less', muted: false, oneTap: 'on', faceDown: 'on' };
/** Return a preference's value while its box is ticked. @param {Name} name */
const tickedValue = (name) => TICKED[name] ?? true;

/** Whether a box is ticked while its preference is still `auto`. @type {Partial<Record<Name, () => boolean>>} */
const SHOWN_BY_AUTO = { oneTap: storage.playsByOneTap, faceDown: storage.showsFaceDown };

/** Return the name of a field's preference: the field's name without `pref-`. @param {HTMLInputElement} field */
const nameOf = (field) => /** @type {Name} */ (field.name.slice('pref-'.length));

/** Return the value that a field gives its preference. @param {HTMLInputElement} field */
function readField(field) {
  if (field.type === 'radio') return field.value;
  if (field.type === 'range') return Number(field.value);
  const ticked = tickedValue(nameOf(field));
  if (field.checked) return ticked;
  // For an empty box take the last of the other choices, since the first can be `auto`.
  return storage.CHOICES[nameOf(field)].findLast((value) => value !== ticked);
}

/** Show the stored preference in its field. @param {HTMLInputElement} field */
function showPreference(field) {
  const name = nameOf(field);
  const value = storage.preference(name);
  if (field.type === 'range') field.value = String(value);
  else if (field.type === 'radio') field.checked = field.value === value;
  else if (value === 'auto' && SHOWN_BY_AUTO[name]) field.checked = SHOWN_BY_AUTO[name]();
  else field.checked = value === tickedValue(name);
}

/** Make a preference's radios. @param {Name} name @param {{title: string, names: Record<string, string>}} words */
function makeChoice(name, { title, names }) {
  if (name === 'table') {
    return makeRadios('pref-table', title, names, {
      class: 'preferences-tables',
      makeSample: (value) => h('span', { class: 'preferences-felt', 'data-table': value }),
    });
  }
  const heading = h('span', { 'aria-hidden': 'true', text: title });
  return h('div', { class: 'field' }, heading, makeRadios(`pref-${name}`, title, names));
}

/** @param {Name} name */
function makeField(name) {
  const words = strings.PREFERENCES[name];
  if (typeof words === 'object') return makeChoice(name, words);
  const id = `pref-${name}`;
  const text = h('span', { text: words });
  if (name === 'volume') {
    const slider = h('input', { type: 'range', id, name: id, min: 0, max: 100, step: 10 });
    return h('label', { class: 'field' }, text, slider);
  }
  const box = h('input', { type: 'checkbox', id, name: id });
  return h('label', { class: 'field-check line' }, box, text);
}

/** Make sample cards on the chosen table; '' is a card face down. */
function makeSample() {
  const cards = ['', 'KS', 'QH', 'JC', 'TD', 'AS'].map((card) =>
    h('div', { class: 'card', 'data-back': !card, 'data-card': card || false }),
  );
  return h('div', { class: 'line centre preferences-sample', 'aria-hidden': 'true' }, ...cards);
}

/** Open the preferences dialog, unless it is open already. */
export function openPreferences() {
  if (document.getElementById('preferences-dialog')) return;
  storage.CHOICES.cards.forEach(fetchFaces); // so that a chosen palette shows at once
  const words = strings.PREFERENCES;
  const sections = Object.entries(SECTIONS).map(([section, names]) => {
    const text = words.sections[/** @type {keyof typeof SECTIONS} */ (section)];
    const sample = names.includes('table') && makeSample();
    const fields = names.filter((name) => name !== 'haptics' || canVibrate()).map(makeField);
    return h('section', { class: 'stack' }, h('h3', { text }), sample, ...fields);
  });
  const title = strings.PREFERENCES_TITLE;
  const dialog = openDialog('preferences', title, strings.BUTTONS.done, ...sections);
  // A choice can change what the box of another preference shows.
  const showAll = () => dialog.querySelectorAll('input').forEach(showPreference);
  dialog.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement)
      storage.prefer(nameOf(target), /** @type {never} */ (readField(target)));
  });
  dialog.addEventListener('close', storage.onPreference(showAll)); // which returns its unbinder
  showAll();
}
