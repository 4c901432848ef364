// The rules of the room, folded away until a button on the table opens them: the host's form for the settings, and all
// rules as text. The server applies the rules; tests check that the text covers every value of every setting.

import { keep, kept } from '../browser/storage.js';
import { ABOUT_PEOPLE, GAMES, SETTINGS } from '../contract/protocol.js';
import { catalogue } from '../page/loads.js';
import { amHost } from '../state/state.js';
import { strings } from '../strings/language.js';
import { checkBox, iconButton } from '../widgets/controls.js';
import { h, keyed, set } from '../widgets/element.js';
import * as choices from './settings.js';

/**
 * @import {GameInfo, RoomView, Settings, SettingsInput} from '../contract/messages.d.ts'
 * @import {Value} from '../contract/protocol.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Name} from './settings.js'
 * @import {State} from '../state/state.js'
 * @import {Lines, MakeLines} from '../strings/en/race.js'
 * @typedef {object} Field
 * @property {Name} name
 * @property {HTMLSelectElement | HTMLInputElement} field
 * @property {HTMLElement} label with the field in it
 * @typedef {ReturnType<typeof bindRules>} Rules
 * @typedef {ReturnType<typeof bindSettings>} Form
 */

/**
 * The code of the room whose rules are open, or ''. A change of language makes the screen again, but keeps this. The
 * results set it before they lead to the room.
 */
let openIn = '';

/** Open the rules whenever this room is shown, and in no other room; '' closes them everywhere. @param {string} code */
export function keepRulesOpen(code) {
  openIn = code;
}

/** Bind the rules, and the button that opens them. @param {App} app */
export function bindRules(app) {
  const form = bindSettings(app);
  const book = bindBook();
  const onclick = () => toggle(rules);
  const done = h('button', { id: 'rules-done', text: strings.BUTTONS.done, onclick });
  const named = { id: 'table-rules', 'aria-labelledby': 'rules-title', tabindex: -1 };
  const end = h('div', { class: 'buttons rules-end' }, done);
  const element = h('section', { class: 'pane rules', ...named }, form.element, book.element, end);
  element.hidden = openIn === '' || openIn !== app.state().room?.code;
  const looks = { class: 'line', id: 'change-rules', 'data-size': 'small', onclick };
  const button = iconButton('rules', { ...looks, 'aria-controls': element.id });
  const rules = {
    ...{ app, form, book, element, button },
    latestNotice: app.state().notice?.n ?? 0, // a notice from before this screen is not shown here
    /** Forget that the rules are open, unless the room stays in its lobby and only the language changes. */
    unbind() {
      if (app.state().room?.state !== 'LOBBY') keepRulesOpen('');
    },
  };
  return rules;
}

/** Open the rules and scroll to them, or close them and scroll back to the button. @param {Rules} rules */
function toggle({ app, element, button }) {
  const opens = element.hidden === true;
  element.hidden = !opens;
  set(button, { 'aria-expanded': String(opens) });
  keepRulesOpen(opens ? (app.state().room?.code ?? '') : '');
  const next = opens ? element : button;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: opens ? 'start' : 'center' });
}

/** @param {Rules} rules @param {State} state @param {RoomView} room @param {readonly Name[]} changed */
export function updateRules(rules, state, room, changed) {
  const { form, book, element, button, latestNotice } = rules;
  const { notice } = state;
  form.element.hidden = !amHost(state);
  const text = amHost(state) ? strings.ROOM.change : strings.ROOM.rules;
  set(button, { text, 'aria-expanded': String(!element.hidden) });
  // The server refused the last change, or found one of its fields (`settings.…`) invalid.
  if (notice && notice.n !== latestNotice && /^(configure|settings)/.test(notice.command)) {
    choices.forgetSent();
    set(form.problem, { text: strings.sentence(notice) });
    showInForce(form);
  }
  rules.latestNotice = notice?.n ?? latestNotice;
  drawSettings(form);
  for (const { name, label } of form.fields)
    label.toggleAttribute('data-changed', changed.includes(name));
  book.update(room.settings, changed);
}

// The rules as text.

/**
 * Return the rules by chapter: first the game's, with figures from the catalogue, then the settings'.
 * @param {Settings} settings @param {GameInfo} game the game of the settings
 */
export function rulebook(settings, game) {
  const ofGame = strings.GAME_RULES[game.family];
  const ofSetting = (/** @type {Name} */ name) => {
    const rule = strings.SETTING_RULES[name];
    return typeof rule === 'function' ? rule : rule?.[String(settings[name])]; // lines by value
  };
  const linesOf = (/** @type {Lines | MakeLines | undefined} */ rule) =>
    (typeof rule === 'function' ? rule(settings, game) : rule) ?? [];
  const applied = choices.NAMES.filter((name) => choices.applies(name, settings));
  return Object.entries(strings.CHAPTERS)
    .map(([chapter, title]) => {
      const names = applied.filter((name) => SETTINGS[name].chapter === chapter);
      const rules = [ofGame?.[chapter], ...names.map(ofSetting)];
      return { chapter, title, lines: rules.flatMap(linesOf) };
    })
    .filter(({ lines }) => lines.length > 0);
}

function bindBook() {
  const element = h('section', { id: 'rules' });
  let shown = /** @type {Settings | null} */ (null);

  /** @param {Settings} settings */
  function draw(settings) {
    const [preset, about = ''] = strings.PRESETS[choices.presetOf(settings) ?? ''] ?? [];
    const game = choices.gameInfo(settings.game);
    const sections = (game ? rulebook(settings, game) : []).map(({ chapter, title, lines }) => {
      const texts = lines.map((line) => h('p', { text: line }));
      return h('section', { 'data-chapter': chapter }, h('h3', { text: title }), ...texts);
    });
    element.replaceChildren(
      h('h2', { id: 'rules-title', text: strings.ROOM.rules }),
      h('p', { class: 'text-small' }, preset && h('strong', { text: preset }), ' ', about),
      h('p', { class: 'text-small', text: strings.rulesLine(settings, null) }),
      h('div', { class: 'rules-book' }, ...sections),
    );
  }

  return {
    element,
    /** Show the rules, and mark chapters with changes. @param {Settings} settings @param {readonly Name[]} changed */
    update(settings, changed) {
      if (settings !== shown) draw(settings);
      shown = settings;
      const chapters = changed.map((each) => SETTINGS[each].chapter);
      for (const section of element.querySelectorAll('section'))
        section.toggleAttribute('data-changed', chapters.includes(section.dataset.chapter ?? ''));
    },
  };
}

// The form: the presets as cards, the rules, and who can join. Each field is made from the generated table of settings.
//
// The server decides which settings go together. `withChange` leaves out settings whose values no longer fit, or were
// only forced by the value before; the server then chooses them. If the result still does not fit, the server refuses
// it with a reason.

/** The settings below the presets; the others are folded away. @type {readonly Name[]} */
const SHOWN_FIRST = ['game', 'time_limit_s'];
/** Random numbers of deals go up to here: PySolFC has the same deals under these numbers. */
const MAX_RANDOM_NUMBER = 32_000;

/** Return a random whole number from 0 to `end` - 1. @param {number} end */
const randomBelow = (end) => Math.floor(Math.random() * end);

/** Return a random seed, which the host can replace. It is no secret: all players see it. */
const randomSeed = () => Array.from({ length: 32 }, () => randomBelow(16).toString(16)).join('');

/** @param {App} app */
function bindSettings(app) {
  const words = strings.ROOM;
  // Check boxes come last, since each takes a line of its own.
  const sorted = choices.NAMES.toSorted((a, b) => Number(isSwitch(a)) - Number(isSwitch(b)));
  const fields = sorted.map(makeField);
  const cards = h('div', { class: 'rules-presets' });
  const title = h('h2', { id: 'settings-title', text: words.settings });
  const legend = h('legend', { class: 'text-small', text: words.preset });
  const presets = h('fieldset', { id: 'set-preset' }, legend, cards);
  const problem = h('p', { class: 'field-problem', id: 'settings-problem', role: 'alert' });
  const inputs = makeForm(fields, presets, problem);
  const form = {
    ...{ app, fields, cards, problem },
    element: h('section', { 'aria-labelledby': title.id }, title, inputs),
    current: /** @type {Settings | null} */ (null), // the settings that the form shows
    chosen: /** @type {Set<string>} */ (new Set()), // the settings that the host has set by hand
  };
  inputs.addEventListener('change', ({ target }) => {
    const changed = fields.find(({ field }) => field === target);
    if (changed) changeField(form, changed);
    else if (target instanceof HTMLInputElement) choosePreset(form, target.value); // a radio button
  });
  return form;
}

/** Show the room's settings, unless the server has yet to answer a change. @param {Form} form */
function drawSettings(form) {
  const { room } = form.app.state();
  if (!room || room.settings === form.current) return;
  if (form.current && choices.pendingSettings(room)) return; // or a menu would jump back to an earlier choice
  form.current = room.settings;
  drawPresets(form.cards, room.settings);
  for (const field of form.fields) drawField(field, room.settings);
}

/** Show the room's settings, even if that drops what the host has just chosen. @param {Form} form */
function showInForce(form) {
  form.current = null;
  drawSettings(form);
}

/**
 * Send a change of the settings. If the server does not answer, the form shows the room's settings again.
 * @param {Form} form @param {(base: SettingsInput) => SettingsInput} change returns the settings with the change
 */
const send = (form, change) => choices.configure(form.app, change, () => showInForce(form));

/** Send a preset's settings; all others stay. @param {Form} form @param {string} id of a preset, or `CUSTOM` */
function choosePreset(form, id) {
  set(form.problem, { text: '' });
  form.chosen.clear(); // the preset chooses all of them
  const preset = catalogue.presets.find((each) => each.id === id);
  if (!preset) return;
  const others = choices.NAMES.filter((name) => !choices.isOfPreset(name));
  send(form, (base) => {
    return { ...preset.settings, ...Object.fromEntries(others.map((name) => [name, base[name]])) };
  });
}

/** Send the change of a field, or say that its value is invalid. @param {Form} form @param {Field} changed */
function changeField(form, changed) {
  const { problem, current, chosen } = form;
  const { name, field } = changed;
  const value = readValue(changed);
  const isBadText = value === undefined && SETTINGS[name].pattern !== undefined; // only a seed has one
  set(problem, { text: isBadText ? strings.ROOM.badSeed : '' });
  if (value === undefined) {
    // The host can correct a bad seed, but a bad number is replaced by the room's.
    if (!isBadText) field.value = String(current?.[name] ?? '');
    return;
  }
  chosen.add(name);
  send(form, (before) => {
    const next = choices.withChange({ name, before, value, chosen });
    // Settings that the change leaves out, for the server to choose, no longer count as the host's choice.
    for (const each of chosen) if (!(each in next)) chosen.delete(each);
    if (name !== 'deal') return next; // a new kind of deal gets a random number or seed
    if (value === 'numbered') next.number ??= 1 + randomBelow(MAX_RANDOM_NUMBER);
    if (value === 'seed') next.seed ??= randomSeed();
    return next;
  });
}

/**
 * Make the form, which has no button, since each change is sent at once.
 * @param {Field[]} fields @param {HTMLElement} presets @param {HTMLElement} problem says why a change was refused
 */
function makeForm(fields, presets, problem) {
  const labels = (/** @type {string} */ group) =>
    fields.filter(({ name }) => groupOf(name) === group).map(({ label }) => label);
  const ontoggle = () => keep('rules', more.open ? 'open' : 'folded');
  const folding = { id: 'more-rules', open: kept('rules') === 'open', ontoggle };
  const more = h('details', { class: 'rules-more', ...folding });
  const folded = h('div', { class: 'rules-form' }, ...labels('more'));
  more.append(h('summary', { text: strings.ROOM.more }), folded);
  const form = h('fieldset', { class: 'rules-form', id: 'settings' }, presets);
  const admission = h('h3', { text: strings.ADMISSION.title });
  form.append(...labels('first'), more, problem, admission, ...labels('people'));
  return form;
}

/** Return the part of the form that a setting belongs to. @param {Name} name */
function groupOf(name) {
  if (ABOUT_PEOPLE.includes(name)) return 'people';
  return SHOWN_FIRST.includes(name) ? 'first' : 'more';
}

// The fields: a check box, a menu, a number or a text, depending on the setting.

/** Return whether a setting is either on or off, which makes its field a check box. @param {Name} name */
const isSwitch = (name) => typeof SETTINGS[name].usual === 'boolean';

/** @param {Name} name @returns {Field} */
function makeField(name) {
  const { values, offered, least, most } = SETTINGS[name];
  const id = `set-${name.replaceAll('_', '-')}`;
  const text = strings.SETTINGS[name] ?? '';
  if (isSwitch(name)) {
    const box = checkBox(id, text);
    set(box.label, { 'data-setting': name });
    return { name, ...box };
  }
  const words = h('span', { text });
  const isNumber = least !== undefined; // a seed has no limits: it is a text
  const limits = isNumber && { type: 'number', min: least, max: most, inputmode: 'numeric' };
  const looks = { id, autocomplete: 'off', spellcheck: 'false', ...limits };
  const field = values || offered ? h('select', { id }) : h('input', looks);
  return { name, field, label: h('label', { class: 'field', 'data-setting': name }, words, field) };
}

/** Return a field's value: null if empty, undefined if invalid. @param {Field} field @returns {Value | undefined} */
function readValue({ name, field }) {
  const { values, offered, least, most, nullable, pattern } = SETTINGS[name];
  if (field instanceof HTMLInputElement && isSwitch(name)) return field.checked;
  if (values) return field.value || null; // a menu has '' for null
  const text = field.value.trim().toLowerCase();
  if (pattern) return new RegExp(pattern).test(text) ? text : undefined;
  if (text === '') return nullable ? null : undefined;
  const value = Math.floor(Number(text)); // NaN if it is no number, so that all comparisons fail
  if (offered) return value; // a menu has only valid numbers
  return value >= (least ?? value) && value <= (most ?? value) ? value : undefined;
}

/** Show a setting in its field, unless the host is typing in it. @param {Field} field @param {Settings} settings */
function drawField({ name, field, label }, settings) {
  label.hidden = !choices.isShown(name, settings);
  const value = settings[name];
  const isMenu = field instanceof HTMLSelectElement;
  if (isMenu) {
    const makeOption = (/** @type {Value} */ each) =>
      h('option', { value: each ?? '', text: strings.settingValue(name, each) });
    keyed(field, choices.choicesOf(name, settings), String, makeOption);
  }
  if (isSwitch(name)) set(field, { checked: value === true });
  else if (isMenu || document.activeElement !== field) set(field, { value: String(value ?? '') });
}

// The presets as cards: a small picture of the table, the name, and a few words.

const CUSTOM = 'custom'; // the id of the card for rules that match no preset
/** The suits in the order that games use. The suffix makes browsers show text and not emoji. */
const PIPS = ['♠\ufe0e', '♥\ufe0e', '♣\ufe0e', '♦\ufe0e'];

/** Make a preset's card. Its picture shows the columns and suits. @param {{id: string, settings: Settings}} preset */
function makeCard({ id, settings }) {
  const [name, about] = strings.PRESETS[id] ?? [id]; // a newer server may have presets that this page can't name
  const { suits, family } = GAMES[settings.game] ?? {};
  const picture = h('span', { class: 'rules-picture', 'aria-hidden': 'true' });
  const text = PIPS.slice(0, suits).join('');
  set(picture, { 'data-family': family, 'data-look': settings.score, text }); // `dos` has a look of its own
  const radio = h('input', { type: 'radio', name: 'preset', value: id });
  const words = h('span', { class: 'grow' }, h('b', { text: name }), about);
  return h('label', { class: 'choice-label line text-note rules-card' }, radio, picture, words);
}

/** Mark the chosen preset, or a card for rules that match none. @param {HTMLElement} list @param {Settings} settings */
function drawPresets(list, settings) {
  const { presets } = catalogue;
  const chosen = choices.presetOf(settings) ?? CUSTOM;
  const all = chosen === CUSTOM ? [...presets, { id: CUSTOM, settings }] : presets;
  // The picture shows the game and the score, so a preset gets a new card when either of them changes.
  const keyOf = (/** @type {(typeof all)[number]} */ { id, settings: { game, score } }) =>
    `${id} ${game} ${score}`;
  keyed(list, all, keyOf, makeCard);
  for (const input of list.querySelectorAll('input')) input.checked = input.value === chosen;
}
