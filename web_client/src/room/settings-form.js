// The settings of a room, as forms for the host: one for its rules, with the presets as cards, and one for
// who can join. Each field is made from the generated table of settings.
//
// The server decides which settings go together: a change leaves open the settings that cannot stay or
// were not chosen (`withChange`). What still does not fit the server refuses with a reason.

import { opensRules, storeOpensRules } from '../browser/storage.js';
import { GAMES } from '../contract/games.js';
import { ABOUT_PEOPLE } from '../contract/protocol.js';
import { SETTINGS } from '../contract/settings.js';
import { strings } from '../strings/language.js';
import { h, svg, write } from '../widgets/element.js';
import {
  catalogue,
  choicesOf,
  configure,
  forgetSent,
  gameInfo,
  isOfPreset,
  isShown,
  MAX_WAIT_MS,
  NAMES,
  pendingSettings,
  presetOf,
  whenLoaded,
  withChange,
} from './settings.js';

/**
 * @import {GameInfo, Settings, SettingsInput} from '../contract/messages.d.ts'
 * @import {Value} from '../contract/settings.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Name} from './settings.js'
 * @typedef {object} Field
 * @property {Name} name
 * @property {HTMLSelectElement | HTMLInputElement} field
 * @property {HTMLElement} label with the field in it
 * @typedef {object} SettingsForm
 * @property {App} app
 * @property {HTMLElement} element
 * @property {ReturnType<typeof bindPresets>} presets
 * @property {Field[]} fields
 * @property {HTMLElement} problem
 * @property {Settings | null} current the settings of the room, as they are shown
 * @property {Set<string>} chosen the settings that the host has set by hand
 * @property {boolean} asksForSeed whether the host is typing a seed, with which its deal will be sent
 * @property {ReturnType<typeof setTimeout>} [overdue] shows what is in force if no answer comes
 */

/** The highest number that is chosen at random for a numbered deal; PySolFC has the same deals up to it. */
const HIGHEST_RANDOM_NUMBER = 32_000;
/** The settings beside the preset; the others are folded away. @type {readonly Name[]} */
const FIRST = ['game', 'time_limit_s'];

/** Bind the forms. @param {App} app @returns {SettingsForm} */
export function bindSettings(app) {
  const fields = NAMES.map(makeField);
  const presets = bindPresets((id) => choosePreset(form, id));
  const problem = h('p', {
    class: 'field-problem rules-problem',
    id: 'settings-problem',
    role: 'alert',
  });
  /** @type {SettingsForm} */
  const form = {
    app,
    element: h('div', {}, rulesForm(fields, presets.element), problem, peopleForm(fields)),
    presets,
    fields,
    problem,
    current: null,
    chosen: new Set(),
    asksForSeed: false,
  };
  for (const each of fields) {
    each.field.disabled = true; // until the catalogue is loaded, a choice could be refused
    each.field.addEventListener('change', () => changeField(form, each));
  }
  whenLoaded(() => {
    for (const { field } of fields) field.disabled = false;
    presets.fill();
    if (form.current) draw(form, form.current);
  });
  return form;
}

/**
 * Make a form that is never submitted: each change is sent at once.
 * @param {{class: string, id: string}} looks
 * @param {...Node} children
 */
const makeForm = (looks, ...children) =>
  h('form', { ...looks, onsubmit: (event) => event.preventDefault() }, ...children);

/** Return the labels of some fields; check boxes come last, since each takes a line of its own. @param {Field[]} fields @param {(name: Name) => boolean} isWanted */
const labelsOf = (fields, isWanted) =>
  fields
    .filter(({ name }) => isWanted(name))
    .toSorted((a, b) => Number(isSwitch(a.name)) - Number(isSwitch(b.name)))
    .map(({ label }) => label);

/** @param {Name} name */
const isSwitch = (name) => SETTINGS[name].kind === 'switch';

/** Return whether a setting says who can join. @param {Name} name */
const isAboutPeople = (name) => ABOUT_PEOPLE.some((each) => each === name);

/** Make the form of the rules. @param {Field[]} fields @param {HTMLElement} presets */
function rulesForm(fields, presets) {
  const others = labelsOf(fields, (name) => !FIRST.includes(name) && !isAboutPeople(name));
  const more = h(
    'details',
    { class: 'rules-more', id: 'more-rules', open: opensRules() },
    h('summary', { text: strings.ROOM.more }),
    h('div', { class: 'rules-form' }, ...others),
  );
  more.addEventListener('toggle', () => storeOpensRules(more.open));
  const first = labelsOf(fields, (name) => FIRST.includes(name));
  return makeForm({ class: 'rules-form', id: 'settings' }, presets, ...first, more);
}

/** Make the form of who can join. @param {Field[]} fields */
function peopleForm(fields) {
  const title = h('h3', { class: 'rules-wide', text: strings.ADMISSION.title });
  const labels = labelsOf(fields, isAboutPeople);
  return makeForm({ class: 'rules-form rules-people', id: 'admission' }, title, ...labels);
}

// The fields: a check box, a menu, a number or a text, by the description of the setting.

/** Make the field of a setting. @param {Name} name @returns {Field} */
function makeField(name) {
  const { kind, offered, least, most } = SETTINGS[name];
  const id = `set-${name.replaceAll('_', '-')}`;
  const words = h('span', { text: strings.SETTINGS[name] });
  const about = { class: 'field', 'data-setting': name };
  if (kind === 'switch') {
    const field = h('input', { id, type: 'checkbox' });
    return { name, field, label: h('label', { ...about, class: 'field-check' }, field, words) };
  }
  const limits = { type: 'number', min: least, max: most, step: 1, inputmode: 'numeric' };
  const field =
    kind === 'choice' || offered
      ? h('select', { id })
      : h('input', {
          id,
          autocomplete: 'off',
          spellcheck: 'false',
          ...(kind === 'number' && limits),
        });
  return { name, field, label: h('label', about, words, field) };
}

/** Return the value of a field; undefined if it is not valid. @param {Field} field @returns {Value | undefined} */
function readValue({ name, field }) {
  const { kind, offered, least, most, nullable, pattern } = SETTINGS[name];
  if (field instanceof HTMLInputElement && kind === 'switch') return field.checked;
  const text = field.value.trim().toLowerCase();
  if (kind === 'choice') return field.value;
  if (kind === 'text') return text && new RegExp(pattern ?? '').test(text) ? text : undefined;
  if (text === '') return nullable ? null : undefined;
  const value = Math.floor(Number(text));
  const isValid = offered || (value >= (least ?? value) && value <= (most ?? value));
  return isValid ? value : undefined;
}

/** Show a setting in its field; what somebody types there is not replaced. @param {Field} field @param {Settings} settings @param {GameInfo} [game] */
function drawField({ name, field, label }, settings, game) {
  label.hidden = !isShown(name, settings, game);
  const value = settings[name];
  if (field instanceof HTMLSelectElement) {
    const choices = choicesOf(name, settings, game);
    const shown = Array.from(field.options, (each) => each.value);
    if (shown.join() !== choices.map((each) => each ?? '').join())
      field.replaceChildren(
        ...choices.map((each) =>
          h('option', { value: each ?? '', text: strings.settingValue(name, each) }),
        ),
      );
  } else if (SETTINGS[name].kind === 'switch') {
    field.checked = value === true;
    return;
  }
  const isTyped = field instanceof HTMLInputElement && document.activeElement === field;
  const text = String(value ?? '');
  if (!isTyped && field.value !== text) field.value = text;
}

// Showing the settings of the room, and sending changes.

/** Show the settings of the room, unless a change waits for its answer. @param {SettingsForm} form */
export function updateSettings(form) {
  const { room } = form.app.state();
  if (!room || room.settings === form.current) return;
  if (!form.current || !pendingSettings(room)) draw(form, room.settings);
}

/** Show settings in the fields, but for those of a seed that is being typed. @param {SettingsForm} form @param {Settings} settings */
function draw(form, settings) {
  form.current = settings;
  form.presets.draw(settings);
  for (const field of form.fields)
    if (!form.asksForSeed || !isAboutDeal(field.name))
      drawField(field, settings, gameInfo(settings.game));
}

/** Mark the fields of the settings that have changed. @param {SettingsForm} form @param {readonly Name[]} names */
export function markChanged({ fields }, names) {
  for (const { name, label } of fields) label.toggleAttribute('data-changed', names.includes(name));
}

/** Show why a change was refused, and the settings that are still in force. @param {SettingsForm} form @param {string} reason */
export function refuseSettings(form, reason) {
  forgetSent();
  form.asksForSeed = false;
  write(form.problem, reason);
  showInForce(form);
}

/** Show the settings that are in force. @param {SettingsForm} form */
function showInForce(form) {
  form.current = null;
  updateSettings(form);
}

/** Send a change; without an answer to it, the form shows again what is in force. @param {SettingsForm} form @param {(base: SettingsInput) => SettingsInput} change */
function send(form, change) {
  configure(form.app, change);
  clearTimeout(form.overdue);
  form.overdue = setTimeout(showInForce, MAX_WAIT_MS, form);
}

/** Send the settings of a preset, with the room's own that are part of none. @param {SettingsForm} form @param {string} id */
function choosePreset(form, id) {
  write(form.problem, '');
  form.chosen.clear();
  form.asksForSeed = false;
  const preset = catalogue().presets.find((each) => each.id === id);
  if (!preset) return;
  const besides = NAMES.filter((name) => !isOfPreset(name));
  send(form, (base) => ({
    ...preset.settings,
    ...Object.fromEntries(besides.map((name) => [name, base[name]])),
  }));
}

/** Return whether a setting is the deal, or one that only some deals have. @param {Name} name */
const isAboutDeal = (name) => name === 'deal' || SETTINGS[name].onlyWith?.name === 'deal';

/** Show the field of the seed in place of those of other deals: deal and seed are sent together. @param {SettingsForm} form */
function askForSeed(form) {
  form.asksForSeed = true;
  for (const { name, label, field } of form.fields) {
    if (name === 'deal' || !isAboutDeal(name)) continue;
    label.hidden = name !== 'seed';
    if (name === 'seed') field.focus();
  }
}

/** Send the change of a field. @param {SettingsForm} form @param {Field} changed */
function changeField(form, changed) {
  const { fields, problem, current, chosen } = form;
  const { name, field } = changed;
  write(problem, '');
  const value = readValue(changed);
  const { onlyWith, kind } = SETTINGS[name];
  if (value === undefined) {
    if (kind === 'text') write(problem, strings.ROOM.badSeed);
    else field.value = String(current?.[name] ?? '');
    return;
  }
  if (name === 'deal' && value === 'seed') {
    askForSeed(form);
    return;
  }
  if (isAboutDeal(name)) form.asksForSeed = false;
  const parent = fields.find((each) => each.name === onlyWith?.name);
  chosen.add(name);
  send(form, (base) => {
    const before = parent ? { ...base, [parent.name]: readValue(parent) } : base;
    const now = gameInfo(name === 'game' ? value : base.game);
    const games = { before: gameInfo(base.game), now };
    const next = withChange({ name, before, value, chosen, games });
    for (const each of chosen) if (!(each in next)) chosen.delete(each);
    if (name === 'deal' && value === 'numbered')
      next.number ??= 1 + Math.floor(Math.random() * HIGHEST_RANDOM_NUMBER);
    return next;
  });
}

// The presets as cards: a small picture of the table, the name, and half a sentence. A narrow screen
// shows the sentence of the chosen one only.

/** The value of the card for rules that match no preset. */
const CUSTOM = 'custom';

/** The pips, in the order in which games take them: spade, heart, club, diamond. */
const PIPS = [
  'M0-10C3-5 9-2 9 3.5 9 8.5 3.5 9 1.2 5.5Q1.5 8.5 4 10H-4Q-1.5 8.5-1.2 5.5C-3.5 9-9 8.5-9 3.5-9-2-3-5 0-10Z',
  'M0 9C-8 3-10-2-8-6-5-10-1-8 0-4 1-8 5-10 8-6 10-2 8 3 0 9Z',
  'M1.2 4.5Q1.5 8.5 4 10H-4Q-1.5 8.5-1.2 4.5A4.6 4.6 0 1 1-4.4-2.6 4.6 4.6 0 1 1 4.4-2.6 4.6 4.6 0 1 1 1.2 4.5Z',
  'M0-10.5Q3.5-4 8 0 3.5 4 0 10.5-3.5 4-8 0-3.5-4 0-10.5Z',
];
/** The size of a picture, in which the columns stand beside each other. */
const [WIDTH, HEIGHT] = [52, 40];
/** The face-down cards in each column, by family of games. @type {Record<string, readonly number[]>} */
const DEPTHS = {
  spider: [5, 5, 5, 5, 4, 4, 4, 4, 4, 4],
  spiderette: [0, 1, 2, 3, 4, 5, 6],
  'little-spider': [1, 1, 1, 1, 1, 1, 1, 1],
};

/** Draw the table of a preset: its columns, and a pip for each suit. @param {Settings} settings */
function drawTable({ game, score }) {
  const { suits = 1, family = 'spider' } = GAMES[game] ?? {};
  const depths = DEPTHS[family] ?? [];
  const step = (WIDTH - 6) / depths.length;
  const columns = depths.flatMap((cards, at) => {
    const [x, width, depth] = [3.5 + at * step, step - 1, cards * 1.6];
    return [
      svg('rect', { 'data-part': 'back', x, y: 4, width, height: depth + 2 }),
      svg('rect', { 'data-part': 'face', x, y: 4 + depth, width, height: 8 }),
    ];
  });
  const pips = PIPS.slice(0, suits).map((d, at) => {
    const x = WIDTH / 2 + (at - (suits - 1) / 2) * 11;
    return svg('path', { 'data-part': 'pip', d, transform: `translate(${x} 31)scale(.48)` });
  });
  const look = score === 'dos' ? 'dos' : 'felt';
  const box = { class: 'rules-picture', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'data-look': look };
  return svg('svg', box, ...columns, ...pips);
}

/** Bind the cards. @param {(id: string) => void} choose called with the preset that was chosen */
function bindPresets(choose) {
  const list = h('div', { class: 'rules-presets' });
  const about = h('p', {
    class: 'text-small rules-chosen',
    id: 'preset-about',
    'aria-hidden': 'true',
  });
  const element = h(
    'fieldset',
    { class: 'rules-preset', id: 'set-preset' },
    h('legend', { text: strings.ROOM.preset }),
    list,
    about,
  );
  element.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) choose(target.value);
  });
  const custom = makeCard(CUSTOM);
  return {
    element,
    /** Show the cards: the catalogue is loaded. */
    fill() {
      const presets = catalogue().presets.map(({ id, settings }) => {
        const { card, picture } = makeCard(id);
        picture.append(drawTable(settings));
        return card;
      });
      list.replaceChildren(...presets, custom.card);
    },
    /** Show which preset is chosen; rules that match none are shown as one more card. @param {Settings} settings */
    draw(settings) {
      const chosen = presetOf(settings) ?? CUSTOM;
      for (const input of list.querySelectorAll('input')) input.checked = input.value === chosen;
      custom.card.hidden = chosen !== CUSTOM;
      custom.picture.replaceChildren(drawTable(settings));
      write(about, strings.PRESETS[chosen]?.[1] ?? '');
    },
  };
}

/** Make the card of a preset. @param {string} id */
function makeCard(id) {
  const [name, about] = strings.PRESETS[id] ?? [id];
  const picture = h('span', { 'data-part': 'picture', 'aria-hidden': 'true' });
  const card = h(
    'label',
    { class: 'choice-label rules-card' },
    h('input', { type: 'radio', name: 'preset', value: id }),
    picture,
    h('b', { text: name }),
    h('span', { class: 'rules-sentence', text: about }),
  );
  return { card, picture };
}
