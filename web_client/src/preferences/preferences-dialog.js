// The dialog of all preferences. A choice applies at once, and the page behind the dialog shows it.

import { canVibrate } from '../browser/haptics.js';
import { CHOICES, onPreference, prefer, preference, showsFaceDown } from '../browser/storage.js';
import { fetchFaces, fetchTables } from '../page/appearance.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';

/**
 * @import {Preferences} from '../browser/storage.js'
 * @typedef {'table' | 'cards' | 'backs' | 'indices' | 'light' | 'reasons' | 'keys'} Choice
 * @typedef {'motion' | 'removed' | 'muted' | 'haptics' | 'confirmDeal' | 'letterKeys' | 'moveBox'} Switch
 */

const SAMPLE = ['', 'KS', 'QH', 'JC', 'TD', 'AS'];

/**
 * Make radio buttons in a row.
 * @param {Choice} name
 * @param {{class: string, 'data-columns'?: number}} looks
 * @param {(value: string) => Node} draw
 */
function makeRadios(name, looks, draw) {
  const options = CHOICES[name].map((value) =>
    h(
      'label',
      {},
      h('input', {
        type: 'radio',
        name: `pref-${name}`,
        value,
        checked: value === preference(name),
        onchange: () => prefer(name, value),
      }),
      draw(value),
    ),
  );
  return h('fieldset', looks, h('legend', { text: strings.PREFERENCES[name].title }), ...options);
}

/** Make the field of a preference whose values are shown by their names. @param {Choice} name */
function makeNamedRadios(name) {
  /** @type {Record<string, string>} */
  const words = strings.PREFERENCES[name].names;
  return h(
    'div',
    { class: 'field' },
    h('span', { 'aria-hidden': 'true', text: strings.PREFERENCES[name].title }),
    makeRadios(name, { class: 'choice' }, (value) => h('span', { text: words[value] ?? value })),
  );
}

/** Make a check box. @param {Switch} name @param {string} words @param {unknown} checkedValue */
function makeBox(name, words, checkedValue = true) {
  const box = h('input', {
    type: 'checkbox',
    id: `pref-${name}`,
    checked: preference(name) === checkedValue,
    onchange: () => {
      const value = CHOICES[name].find((each) => (each === checkedValue) === box.checked);
      prefer(name, /** @type {never} */ (value));
    },
  });
  return h('label', { class: 'field-check' }, box, h('span', { text: words }));
}

/** The state of the check boxes whose default depends on something else. */
const EFFECTIVE = {
  faceDown: showsFaceDown,
  oneTap: () => {
    const value = preference('oneTap');
    return value === 'auto' ? matchMedia('(pointer: coarse)').matches : value === 'on';
  },
};

/** Make a check box whose default depends on something else. @param {keyof typeof EFFECTIVE} name */
const makeAutoBox = (name) =>
  h(
    'label',
    { class: 'field-check' },
    h('input', {
      type: 'checkbox',
      id: `pref-${name}`,
      checked: EFFECTIVE[name](),
      onchange: ({ target }) => prefer(name, target.checked ? 'on' : 'off'),
    }),
    h('span', { text: strings.PREFERENCES[name] }),
  );

/** Make a sample of a table. @param {string} value */
function tableSwatch(value) {
  const felt = h('span', { class: 'swatch' });
  felt.dataset.table = value;
  return h(
    'span',
    {},
    felt,
    strings.PREFERENCES.table.names[/** @type {Preferences['table']} */ (value)],
  );
}

/** Make a sample of card colours. @param {string} value */
function suitSwatch(value) {
  const palette = /** @type {Preferences['cards']} */ (value);
  const row = h('span', { class: 'swatch-suits', 'aria-hidden': 'true' });
  row.dataset.cards = value;
  for (const suit of '♠♥♣♦') row.append(h('span', { text: suit }));
  return h('span', {}, row, strings.PREFERENCES.cards.names[palette]);
}

/** Make sample cards on the present table. */
function sample() {
  const row = SAMPLE.map((face) => {
    const card = h('div', { class: 'card', 'data-back': !face });
    if (face) card.dataset.card = face;
    return card;
  });
  return h('div', { class: 'preferences-sample', 'aria-hidden': 'true' }, ...row);
}

/** Make the slider of the volume. */
function volume() {
  const slider = h('input', {
    type: 'range',
    id: 'pref-volume',
    min: 0,
    max: 100,
    step: 10,
    value: preference('volume'),
    onchange: () => prefer('volume', Number(slider.value)),
  });
  return h('label', { class: 'field' }, h('span', { text: strings.PREFERENCES.volume }), slider);
}

/** Make a section. @param {string} title @param {...Node} parts */
const section = (title, ...parts) => h('section', {}, h('h3', { text: title }), ...parts);

/** Make the dialog. @returns {HTMLDialogElement} */
function makeDialog() {
  const done = h('button', { 'data-kind': 'primary', id: 'preferences-done' });
  write(done, strings.PREFERENCES.done);
  const dialog = h(
    'dialog',
    {
      id: 'preferences-dialog',
      class: 'dialog-tall preferences-dialog',
      'aria-labelledby': 'preferences-title',
      closedby: 'any',
    },
    h('header', {}, h('h2', { id: 'preferences-title', text: strings.PREFERENCES.title }), done),
    h(
      'div',
      { class: 'preferences-sections' },
      section(
        strings.PREFERENCES.looks,
        sample(),
        makeRadios('table', { class: 'swatch-list' }, tableSwatch),
        makeRadios('cards', { class: 'swatch-list', 'data-columns': 3 }, suitSwatch),
        makeNamedRadios('backs'),
        makeNamedRadios('indices'),
        makeNamedRadios('light'),
        makeBox('removed', strings.PREFERENCES.removed, 'down'),
        makeBox('motion', strings.PREFERENCES.motion, 'less'),
      ),
      section(
        strings.PREFERENCES.sound,
        makeBox('muted', strings.PREFERENCES.sounds, false),
        volume(),
        ...(canVibrate() ? [makeBox('haptics', strings.PREFERENCES.haptics)] : []),
      ),
      section(
        strings.PREFERENCES.play,
        makeAutoBox('oneTap'),
        makeBox('confirmDeal', strings.PREFERENCES.confirmDeal),
        makeAutoBox('faceDown'),
        makeNamedRadios('reasons'),
      ),
      section(
        strings.PREFERENCES.keyboard,
        makeNamedRadios('keys'),
        makeBox('letterKeys', strings.PREFERENCES.letterKeys),
        makeBox('moveBox', strings.PREFERENCES.moveBox),
      ),
    ),
  );
  done.addEventListener('click', () => dialog.close());
  return dialog;
}

/** Open the dialog; a closed one is removed from the page. */
export function openDialog() {
  if (document.getElementById('preferences-dialog')) return;
  for (const palette of CHOICES.cards) fetchFaces(palette);
  fetchTables();
  const dialog = makeDialog();
  const unbind = onPreference((name) => {
    const box = dialog.querySelector(`[name="pref-${name}"][value="${preference(name)}"]`);
    if (box instanceof HTMLInputElement) box.checked = true;
    // The keys decide whether face-down cards are counted, until the player does.
    const faceDownBox = dialog.querySelector('#pref-faceDown');
    if (faceDownBox instanceof HTMLInputElement) faceDownBox.checked = showsFaceDown();
  });
  dialog.addEventListener('close', () => {
    unbind();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
