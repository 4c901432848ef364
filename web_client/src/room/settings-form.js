// The settings of a room, as forms for the host: one for its rules, of which the first are always
// visible, and one for who can join. All fields are made from the generated table of settings.
//
// The server decides which settings go together: a change leaves open the settings that cannot stay or
// were not chosen (`setting-choices.js`). What still does not fit the server refuses with a reason.

import { opensRules, storeOpensRules } from '../browser/storage.js';
import { ABOUT_PEOPLE } from '../contract/protocol.js';
import { SETTINGS } from '../contract/settings.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { catalogue, gameInfo, isOfPreset, presetOf, whenLoaded } from './catalogue.js';
import { configure } from './configure.js';
import { isAnswerTo, makePendingChoice } from './pending-choice.js';
import { bindPresetCards, CUSTOM } from './preset-cards.js';
import { NAMES, withChange } from './setting-choices.js';
import { makeField } from './setting-field.js';

/**
 * @import {Settings, SettingsInput} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {Name} from './setting-choices.js'
 * @import {Change} from './configure.js'
 * @import {Field} from './setting-field.js'
 * @typedef {object} SettingsForm
 * @property {App} app
 * @property {HTMLElement} element
 * @property {ReturnType<typeof bindPresetCards>} presets
 * @property {Field[]} fields
 * @property {HTMLElement} problem
 * @property {ReturnType<typeof makePendingChoice>} pending
 * @property {Settings | null} current the settings of the room
 * @property {Set<string>} chosen the settings that the host has set by hand
 * @property {boolean} asksForSeed whether the host is typing a seed, with which its deal will be sent
 */

/** The highest number that is chosen at random for a numbered deal; PySolFC has the same deals up to it. */
const HIGHEST_RANDOM_NUMBER = 32_000;
/** The settings beside the preset; the others are folded away. @type {readonly Name[]} */
const FIRST = ['game', 'time_limit_s'];

/**
 * Make a form that is never submitted: each change is sent at once.
 * @param {{class: string, id: string}} looks
 * @param {...(Node | null)} children
 */
const makeForm = (looks, ...children) =>
  h('form', { ...looks, onsubmit: (event) => event.preventDefault() }, ...children);

/** Return whether a setting says who can join. @param {Name} name */
const isAboutPeople = (name) => ABOUT_PEOPLE.some((each) => each === name);

/** Return the labels of some fields. @param {Field[]} fields @param {(name: Name) => boolean} isWanted */
function labelsOf(fields, isWanted) {
  const labels = fields.filter(({ name }) => isWanted(name)).map(({ label }) => label);
  // Check boxes come last, since each takes a line of its own.
  return labels.sort(
    (a, b) => Number(a.matches('.field-check')) - Number(b.matches('.field-check')),
  );
}

/** Make the form of the rules. @param {Field[]} fields @param {HTMLElement} presets */
function rulesForm(fields, presets) {
  const others = labelsOf(fields, (name) => !FIRST.includes(name) && !isAboutPeople(name));
  const otherRules = h(
    'details',
    { class: 'settings-more', id: 'more-rules', open: opensRules() },
    h('summary', { text: strings.FORM.more }),
    h('div', { class: 'settings' }, ...others),
  );
  otherRules.addEventListener('toggle', () => storeOpensRules(otherRules.open));
  return makeForm(
    { class: 'settings settings-rules', id: 'settings' },
    presets,
    ...labelsOf(fields, (name) => FIRST.includes(name)),
    otherRules,
  );
}

/** Make the form of who can join. @param {Field[]} fields */
function peopleForm(fields) {
  return makeForm(
    { class: 'settings settings-admission', id: 'admission' },
    h('h3', { class: 'settings-wide', text: strings.ADMISSION.title }),
    ...labelsOf(fields, isAboutPeople),
  );
}

/** Bind the forms. @param {App} app @returns {SettingsForm} */
export function bindSettings(app) {
  const fields = NAMES.map(makeField);
  const presets = bindPresetCards((id) => choosePreset(bound, id));
  const problem = h('p', {
    class: 'field-problem settings-problem',
    id: 'settings-problem',
    role: 'alert',
  });
  /** @type {SettingsForm} */
  const bound = {
    app,
    element: h('div', {}, rulesForm(fields, presets.element), problem, peopleForm(fields)),
    presets,
    fields,
    problem,
    current: null,
    chosen: new Set(),
    asksForSeed: false,
    pending: makePendingChoice(() => {
      bound.current = app.state().room?.settings ?? bound.current;
      if (bound.current) draw(bound, bound.current);
    }),
  };
  for (const each of fields) {
    each.field.disabled = true; // until the catalogue is loaded, a choice could be refused
    each.field.addEventListener('change', () => changeField(bound, each));
  }
  whenLoaded(() => enable(bound));
  return bound;
}

/** Enable the fields: the catalogue is loaded. @param {SettingsForm} form */
function enable(form) {
  for (const { field } of form.fields) field.disabled = false;
  form.presets.fill(catalogue().presets);
  if (form.current) draw(form, form.current);
}

/** Show the settings of the room, if they have changed: the host may be filling in the form. @param {SettingsForm} form @param {Settings} settings */
export function updateSettings(form, settings) {
  if (settings === form.current || !form.pending.allows(settings)) return;
  const isSame = form.current !== null && isAnswerTo(settings, form.current);
  form.current = settings;
  if (!isSame) draw(form, settings);
}

/** Mark the fields of the settings that have changed. @param {SettingsForm} form @param {readonly Name[]} names */
export function markChanged({ fields }, names) {
  for (const { name, label } of fields) label.toggleAttribute('data-changed', names.includes(name));
}

/** Show why a change was refused, and the settings that are still in force. @param {SettingsForm} form @param {string} reason */
export function refuseSettings(form, reason) {
  form.pending.forget();
  form.asksForSeed = false;
  write(form.problem, reason);
  if (form.current) draw(form, form.current);
}

/** Send a change, and wait for its answer. @param {SettingsForm} form @param {Change} change */
function send({ app, pending }, change) {
  const settings = configure(app, change);
  if (settings) pending.put(settings);
}

/** Send the settings of a preset. @param {SettingsForm} form @param {string} id */
function choosePreset(form, id) {
  const { problem, chosen } = form;
  write(problem, '');
  chosen.clear();
  form.asksForSeed = false;
  const chosenPreset = catalogue().presets.find((each) => each.id === id);
  if (chosenPreset) send(form, (base) => ({ ...chosenPreset.settings, ...besidesPresets(base) }));
}

/** Return the settings that are part of no preset. @param {SettingsInput} settings */
const besidesPresets = (settings) =>
  Object.fromEntries(
    NAMES.filter((name) => !isOfPreset(name)).map((name) => [name, settings[name]]),
  );

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

/** Send the change of a field. @param {SettingsForm} form @param {Field} field */
function changeField(form, { name, field, read }) {
  const { fields, problem, current, chosen } = form;
  write(problem, '');
  const value = read();
  const { onlyWith, kind } = SETTINGS[name];
  if (value === undefined) {
    if (kind === 'text') write(problem, strings.BAD_SEED);
    else field.value = String(current?.[name] ?? '');
    return;
  }
  if (name === 'deal' && value === 'seed') {
    askForSeed(form);
    return;
  }
  if (isAboutDeal(name)) form.asksForSeed = false;
  const parent = onlyWith && fields.find((each) => each.name === onlyWith.name)?.read();
  chosen.add(name);
  send(form, (base) => {
    const before = parent === undefined || !onlyWith ? base : { ...base, [onlyWith.name]: parent };
    const games = {
      before: gameInfo(base.game),
      now: gameInfo(name === 'game' ? value : base.game),
    };
    const next = withChange(before, name, value, { chosen, games });
    for (const each of chosen) if (!(each in next)) chosen.delete(each);
    if (name === 'deal' && value === 'numbered')
      next.number ??= 1 + Math.floor(Math.random() * HIGHEST_RANDOM_NUMBER);
    return next;
  });
}

/** Show settings in the fields, but for those of a seed that is being typed. @param {SettingsForm} form @param {Settings} settings */
function draw({ fields, presets, asksForSeed }, settings) {
  const game = gameInfo(settings.game);
  presets.draw(presetOf(catalogue(), settings) ?? CUSTOM, settings);
  for (const field of fields)
    if (!asksForSeed || !isAboutDeal(field.name)) field.draw(settings, game);
}
