// The rules of the room, folded away: the host's form of the settings, and all rules in words. A button
// on the table opens them.
//
// The server applies the rules; here they are only described, and tests compare them with all settings.

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
 */

/**
 * The code of the room whose rules are open, or ''. It is kept outside of the binding: a change of the
 * language makes that anew, and the results open the rules before the room is shown.
 */
let openIn = '';

/** Keep the rules of one room open, and of no other one. @param {string} code of the room; '' for none */
export function keepRulesOpen(code) {
  openIn = code;
}

/** Bind the button, and the rules that it opens. @param {App} app */
export function bindRules(app) {
  const words = strings.ROOM;
  const form = bindSettings(app);
  const book = bindBook();
  const done = h('button', { id: 'rules-done', text: strings.BUTTONS.done, onclick: toggle });
  const element = h(
    'section',
    { class: 'pane rules', id: 'table-rules', 'aria-labelledby': 'rules-title', tabindex: -1 },
    form.element,
    book.element,
    h('div', { class: 'buttons rules-end' }, done),
  );
  const looks = { class: 'line', id: 'change-rules', 'data-size': 'small', onclick: toggle };
  const button = iconButton('rules', { ...looks, 'aria-controls': element.id });
  const code = () => app.state().room?.code ?? '';

  /** Open the rules and go to them, or close them and go back. */
  function toggle() {
    const opens = Boolean(element.hidden);
    element.hidden = !opens;
    set(button, { 'aria-expanded': String(opens) });
    keepRulesOpen(opens ? code() : '');
    const next = opens ? element : button;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: opens ? 'start' : 'center' });
  }
  element.hidden = openIn === '' || openIn !== code();
  let latestNotice = app.state().notice?.n ?? 0; // one from before this screen is not shown here

  return {
    button,
    element,
    /** Show the rules of a room, and mark those that have changed. @param {State} state @param {RoomView} room @param {readonly Name[]} changed */
    update(state, room, changed) {
      const { notice } = state;
      form.element.hidden = !amHost(state);
      const text = amHost(state) ? words.change : words.rules;
      set(button, { text, 'aria-expanded': String(!element.hidden) });
      // The last change was refused, or its field `settings.…` was invalid.
      if (notice && notice.n !== latestNotice && /^(configure|settings)/.test(notice.command))
        form.refuse(strings.sentence(notice));
      latestNotice = notice?.n ?? latestNotice;
      form.update(changed);
      book.update(room.settings, changed);
    },
    /** Forget that the rules are open, unless the screen is only shown anew in another language. */
    unbind() {
      if (app.state().room?.state !== 'LOBBY') keepRulesOpen('');
    },
  };
}

// The rules in words.

/**
 * Return the rules of a room with these settings, by chapter: first the lines of the game, whose figures
 * come from the catalogue, then those of the settings.
 * @param {Settings} settings
 * @param {GameInfo} game the game of the settings
 */
export function rulebook(settings, game) {
  const ofGame = strings.GAME_RULES[game.family];
  const ofSetting = (/** @type {Name} */ name) => {
    const rule = strings.SETTING_RULES[name];
    return typeof rule === 'function' ? rule : rule?.[String(settings[name])]; // one for each value
  };
  const linesOf = (/** @type {Lines | MakeLines | undefined} */ rule) =>
    (typeof rule === 'function' ? rule(settings, game) : rule) ?? [];
  return Object.entries(strings.CHAPTERS)
    .map(([chapter, title]) => {
      const names = choices.NAMES.filter(
        (name) => SETTINGS[name].chapter === chapter && choices.applies(name, settings),
      );
      const rules = [ofGame?.[chapter], ...names.map(ofSetting)];
      return { chapter, title, lines: rules.flatMap(linesOf) };
    })
    .filter(({ lines }) => lines.length > 0);
}

/** Bind the rules in words. */
function bindBook() {
  const element = h('section', { id: 'rules' });
  /** @type {Settings | null} */
  let shown = null;

  /** Draw the rules. @param {Settings} settings */
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
    /** Show settings, and mark the chapters of those that have changed. @param {Settings} settings @param {readonly Name[]} changed */
    update(settings, changed) {
      if (settings !== shown) draw(settings);
      shown = settings;
      const chapters = changed.map((each) => SETTINGS[each].chapter);
      for (const section of element.querySelectorAll('section'))
        section.toggleAttribute('data-changed', chapters.includes(section.dataset.chapter ?? ''));
    },
  };
}

// The form of the settings: the presets as cards, the rules, and who can join. Each field is made from the
// generated table of settings.
//
// The server decides which settings go together: a change leaves open the settings that cannot stay or
// were not chosen (`withChange`). What still does not fit the server refuses with a reason.

/** The settings beside the preset; the others are folded away. @type {readonly Name[]} */
const FIRST = ['game', 'time_limit_s'];
/** The highest number that is chosen at random for a numbered deal; PySolFC has the same deals up to it. */
const MAX_RANDOM_NUMBER = 32_000;

/** Return a random whole number from 0 to `end` - 1. @param {number} end */
const randomBelow = (end) => Math.floor(Math.random() * end);

/** Return a random seed. Whoever wants another one replaces it; all players see it. */
const randomSeed = () => Array.from({ length: 32 }, () => randomBelow(16).toString(16)).join('');

/** Bind the form. @param {App} app */
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
  const form = makeForm(fields, presets, problem);
  /** The settings of the room, as they are shown. @type {Settings | null} */
  let current = null;
  /** The settings that the host has set by hand. @type {Set<string>} */
  const chosen = new Set();

  /** Show the settings of the room, unless a change waits for its answer. */
  function drawSettings() {
    const { room } = app.state();
    if (!room || room.settings === current) return;
    if (current && choices.pendingSettings(room)) return; // an open menu would jump to an earlier choice
    current = room.settings;
    drawPresets(cards, current);
    for (const field of fields) drawField(field, current);
  }

  /** Show the settings that are in force, even if a change waits for its answer. */
  function showInForce() {
    current = null; // so that `drawSettings` draws in any case
    drawSettings();
  }

  /** Send a change; without an answer to it, the form shows again what is in force. @param {(base: SettingsInput) => SettingsInput} change */
  const send = (change) => choices.configure(app, change, showInForce);

  /** Send the settings of a preset, with the room's own that are part of none. @param {string} id of a preset; `CUSTOM` is none */
  function choosePreset(id) {
    set(problem, { text: '' });
    chosen.clear(); // the preset has set them all
    const preset = catalogue.presets.find((each) => each.id === id);
    if (!preset) return;
    const besides = choices.NAMES.filter((name) => !choices.isOfPreset(name));
    send((base) => {
      const roomsOwn = besides.map((name) => [name, base[name]]);
      return { ...preset.settings, ...Object.fromEntries(roomsOwn) };
    });
  }

  /** Send the change of a field. @param {Field} changed */
  function changeField(changed) {
    const { name, field } = changed;
    const value = readValue(changed);
    const isBadText = value === undefined && SETTINGS[name].pattern !== undefined; // only a seed has one
    set(problem, { text: isBadText ? words.badSeed : '' });
    if (value === undefined) {
      // A bad seed stays in its field, to be corrected; a bad number gives way to that in force.
      if (!isBadText) field.value = String(current?.[name] ?? '');
      return;
    }
    chosen.add(name);
    send((before) => {
      const next = choices.withChange({ name, before, value, chosen });
      // What the change leaves to the server is no longer the host's choice.
      for (const each of chosen) if (!(each in next)) chosen.delete(each);
      if (name !== 'deal') return next; // else the fields that it shows begin with a random value
      if (value === 'numbered') next.number ??= 1 + randomBelow(MAX_RANDOM_NUMBER);
      if (value === 'seed') next.seed ??= randomSeed();
      return next;
    });
  }

  form.addEventListener('change', ({ target }) => {
    const changed = fields.find(({ field }) => field === target);
    if (changed) changeField(changed);
    else if (target instanceof HTMLInputElement) choosePreset(target.value); // that of a card
  });
  return {
    element: h('section', { 'aria-labelledby': title.id }, title, form),
    /** Show the settings, and mark those that have changed. @param {readonly Name[]} changed */
    update(changed) {
      drawSettings();
      for (const { name, label } of fields)
        label.toggleAttribute('data-changed', changed.includes(name));
    },
    /** Show why a change was refused, and the settings that are still in force. @param {string} reason */
    refuse(reason) {
      choices.forgetSent();
      set(problem, { text: reason });
      showInForce();
    },
  };
}

/** Make the form, which has no button: each change is sent at once. @param {Field[]} fields @param {HTMLElement} presets @param {HTMLElement} problem */
function makeForm(fields, presets, problem) {
  const labels = (/** @type {string} */ group) =>
    fields.filter(({ name }) => groupOf(name) === group).map(({ label }) => label);
  const ontoggle = () => keep('rules', more.open ? 'open' : 'folded');
  const more = h(
    'details',
    { class: 'rules-more', id: 'more-rules', open: kept('rules') === 'open', ontoggle },
    h('summary', { text: strings.ROOM.more }),
    h('div', { class: 'rules-form' }, ...labels('more')),
  );
  return h(
    'fieldset',
    { class: 'rules-form', id: 'settings' },
    presets,
    ...labels('first'),
    more,
    problem,
    h('h3', { text: strings.ADMISSION.title }),
    ...labels('people'),
  );
}

/** Return the part of the form in which a setting is. @param {Name} name */
function groupOf(name) {
  if (ABOUT_PEOPLE.includes(name)) return 'people';
  return FIRST.includes(name) ? 'first' : 'more';
}

// The fields: a check box, a menu, a number or a text, by the description of the setting.

/** @param {Name} name */
const isSwitch = (name) => typeof SETTINGS[name].usual === 'boolean';

/** Make the field of a setting. @param {Name} name @returns {Field} */
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
  const number = { type: 'number', min: least, max: most, inputmode: 'numeric' };
  const limits = least === undefined ? {} : number; // else it is a text
  const line = { id, autocomplete: 'off', spellcheck: 'false', ...limits };
  const field = values || offered ? h('select', { id }) : h('input', line);
  return { name, field, label: h('label', { class: 'field', 'data-setting': name }, words, field) };
}

/** Return the value of a field; undefined if it is not valid, null if a field that may be empty is so. @param {Field} field @returns {Value | undefined} */
function readValue({ name, field }) {
  const { values, offered, least, most, nullable, pattern } = SETTINGS[name];
  if (field instanceof HTMLInputElement && isSwitch(name)) return field.checked;
  if (values) return field.value || null; // the empty one is that of null
  const text = field.value.trim().toLowerCase();
  if (pattern) return new RegExp(pattern).test(text) ? text : undefined;
  if (text === '') return nullable ? null : undefined;
  const value = Math.floor(Number(text)); // NaN without a number, which no comparison holds for
  const isValid = offered || (value >= (least ?? value) && value <= (most ?? value));
  return isValid ? value : undefined;
}

/** Show a setting in its field, or hide the field; a text that somebody may be typing stays. @param {Field} field @param {Settings} settings */
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

// The presets as cards: a small picture of the table, the name, and half a sentence.

/** The value of the card for rules that match no preset. */
const CUSTOM = 'custom';
/** In the order in which games take them; as text, never as emoji. */
const PIPS = ['♠\ufe0e', '♥\ufe0e', '♣\ufe0e', '♦\ufe0e'];

/** Make the card of a preset, with a picture of its columns and suits. @param {{id: string, settings: Settings}} preset */
function makeCard({ id, settings }) {
  const [name, about] = strings.PRESETS[id] ?? [id]; // a newer server has presets without words here
  const { suits, family } = GAMES[settings.game] ?? {};
  const picture = h('span', { class: 'rules-picture', 'aria-hidden': 'true' });
  const text = PIPS.slice(0, suits).join('');
  set(picture, { 'data-family': family, 'data-look': settings.score, text });
  return h(
    'label',
    { class: 'choice-label line text-note rules-card' },
    h('input', { type: 'radio', name: 'preset', value: id }),
    picture,
    h('span', { class: 'grow' }, h('b', { text: name }), about),
  );
}

/** Show which preset is chosen; rules that match none are shown as one more card. @param {HTMLElement} list @param {Settings} settings */
function drawPresets(list, settings) {
  const { presets } = catalogue;
  const chosen = choices.presetOf(settings) ?? CUSTOM;
  const all = chosen === CUSTOM ? [...presets, { id: CUSTOM, settings }] : presets;
  // A card with another picture is made anew; that depends on the game and the score.
  const keyOf = (/** @type {(typeof all)[number]} */ { id, settings: { game, score } }) =>
    `${id} ${game} ${score}`;
  keyed(list, all, keyOf, makeCard);
  for (const input of list.querySelectorAll('input')) input.checked = input.value === chosen;
}
