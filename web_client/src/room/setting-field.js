// The field of a setting, made from its description: a menu, a check box, a number or a text.

import { SETTINGS } from '../contract/settings.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { choicesOf, isShown } from './setting-choices.js';

/**
 * @import {GameInfo, Settings} from '../contract/messages.d.ts'
 * @import {Setting, Value} from '../contract/settings.js'
 * @import {Name} from './setting-choices.js'
 * @typedef {object} Field
 * @property {Name} name
 * @property {HTMLSelectElement | HTMLInputElement} field
 * @property {HTMLElement} label with the field in it
 * @property {() => Value | undefined} read its value; undefined if it is not valid
 * @property {(settings: Settings, game: GameInfo | undefined) => void} draw
 */

/** Return the id of a setting's field. @param {Name} name */
const idOf = (name) => `set-${name.replaceAll('_', '-')}`;

/** Give a field an id and a label. @param {string} id @param {string} text @param {HTMLElement} field */
export function withLabel(id, text, field) {
  field.id = id;
  return h('label', { class: 'field' }, h('span', { text }), field);
}

/** Set the options of a menu, if they differ. @param {HTMLSelectElement} menu @param {[value: string, text: string][]} options */
export function setOptions(menu, options) {
  const current = Array.from(menu.options, ({ value, text }) => [value, text]);
  if (JSON.stringify(current) === JSON.stringify(options)) return;
  menu.replaceChildren(...options.map(([value, text]) => h('option', { value, text })));
}

/** Make the field of a setting. @param {Name} name @returns {Field} */
export function makeField(name) {
  const setting = SETTINGS[name];
  const made =
    setting.kind === 'switch'
      ? makeBox(name)
      : setting.kind === 'choice' || setting.offered
        ? makeMenu(name, setting)
        : makeInput(name, setting);
  const { label, draw } = made;
  label.dataset.setting = name;
  return {
    ...made,
    name,
    draw(settings, game) {
      label.hidden = !isShown(name, settings, game);
      draw(settings, game);
    },
  };
}

/** Make the check box of a switch. @param {Name} name */
function makeBox(name) {
  const field = h('input', { id: idOf(name), type: 'checkbox' });
  const label = h(
    'label',
    { class: 'field-check' },
    field,
    h('span', { text: strings.SETTINGS[name] }),
  );
  const draw = (/** @type {Settings} */ settings) => {
    field.checked = settings[name] === true;
  };
  return { field, label, draw, read: () => field.checked };
}

/** Make the menu of a choice. @param {Name} name @param {Setting} setting */
function makeMenu(name, { kind }) {
  const field = h('select', {});
  const label = withLabel(idOf(name), strings.SETTINGS[name], field);
  /** Draw the options and the chosen one. @param {Settings} settings @param {GameInfo} [game] */
  function draw(settings, game) {
    setOptions(
      field,
      choicesOf(name, settings, game).map((value) => [
        String(value ?? ''),
        strings.settingValue(name, value),
      ]),
    );
    field.value = String(settings[name] ?? '');
  }
  const read = () => {
    if (kind !== 'number') return field.value;
    return field.value === '' ? null : Number(field.value);
  };
  return { field, label, draw, read };
}

/** Make the input of a number or a text. @param {Name} name @param {Setting} setting */
function makeInput(name, { kind, least, most, nullable, pattern }) {
  const field = h('input', { autocomplete: 'off', spellcheck: 'false' });
  if (kind === 'number') {
    Object.assign(field, { type: 'number', min: least, max: most, step: 1, inputMode: 'numeric' });
  }
  const label = withLabel(idOf(name), strings.SETTINGS[name], field);
  /** Draw the value. @param {Settings} settings */
  function draw(settings) {
    // A text that is being typed is not replaced.
    if (document.activeElement !== field) field.value = String(settings[name] ?? '');
  }
  const read = () => {
    const text = field.value.trim().toLowerCase();
    if (kind === 'text') return text && new RegExp(pattern ?? '').test(text) ? text : undefined;
    if (text === '') return nullable ? null : undefined;
    const value = Math.floor(Number(text));
    return value >= (least ?? value) && value <= (most ?? value) ? value : undefined;
  };
  return { field, label, draw, read };
}
