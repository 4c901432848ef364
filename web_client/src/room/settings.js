// The settings of a room, as a form for the host.
//
// Which settings go together is the server's knowledge: the form is filled from its catalogue; a
// change of game, deal or score also changes the settings that cannot stay or were not chosen, and
// the rest is refused with a sentence.

import { strings } from '../core/language.js';
import {
  ABOUT_PEOPLE,
  HIGHEST_NUMBER,
  MAX_BOARD_DELAY_S,
  MAX_ROUNDS,
  SEED_LENGTH,
  SEED_PATTERN,
} from '../core/protocol.js';
import { h, write } from '../shared/element.js';
import { catalogue, presetOf, whenKnown } from './catalogue.js';
import { leaveOpen } from './choices.js';

/**
 * @import {GameInfo, Settings, SettingsInput} from '../core/messages.d.ts'
 * @typedef {[value: string, words: string][]} Choices
 * @typedef {ReturnType<typeof makeFields>} Fields
 * @typedef {object} SettingsForm
 * @property {(settings: SettingsInput) => void} configure
 * @property {Fields} fields
 * @property {HTMLElement} problem
 * @property {Settings | null} known the settings of the room
 * @property {Set<string>} chosen the settings that the host has set by hand
 */

/** A number that is drawn for a numbered deal; all of these can be looked up. */
const HIGHEST_DRAWN = 32_000;
const CUSTOM = 'custom';
const LIMITS_S = [300, 600, 900, 1_800, 3_600, 7_200];

/** Return the time limits to choose from, and one of the room's own among them. @param {number | null} own @returns {Choices} */
function limits(own) {
  const all = own === null || LIMITS_S.includes(own) ? LIMITS_S : [...LIMITS_S, own];
  return [
    ...all.map((s) => /** @type {[string, string]} */ ([String(s), strings.limit(s)])),
    ['', strings.SETTINGS.noLimit],
  ];
}

/** Set the options of a field. @param {HTMLSelectElement} field @param {Choices} choices */
function offer(field, choices) {
  const { value } = field;
  field.replaceChildren(...choices.map(([id, text]) => h('option', { value: id, text })));
  field.value = value;
}

/** @param {HTMLElement} field @param {string} words @param {boolean} [wide] */
const labelled = (field, words, wide = false) =>
  h('label', { class: wide ? 'field settings-wide' : 'field' }, h('span', { text: words }), field);

/** @param {string} id @param {string} words @param {Choices} choices @param {boolean} [wide] */
function select(id, words, choices, wide = false) {
  const field = h('select', { id: `set-${id}` });
  offer(field, choices);
  return { field, label: labelled(field, words, wide) };
}

/** @param {string} id @param {string} words @param {number} least @param {number} most */
function figure(id, words, least, most) {
  const field = h('input', { id: `set-${id}`, type: 'number', min: least, max: most, step: 1 });
  field.inputMode = 'numeric';
  return { field, label: labelled(field, words) };
}

/** @param {string} id @param {string} words */
function check(id, words) {
  const field = h('input', { id: `set-${id}`, type: 'checkbox' });
  return { field, label: h('label', { class: 'check' }, field, h('span', { text: words })) };
}

function seedInput() {
  const field = h('input', { id: 'set-seed', maxlength: SEED_LENGTH, autocomplete: 'off' });
  field.spellcheck = false;
  return { field, label: labelled(field, strings.SETTINGS.seed, true) };
}

/** Make all fields, in the order of the form. */
function makeFields() {
  const words = strings.SETTINGS;
  const { CHEATS, GAMES, LAYOUTS, SCORES } = strings;
  return {
    preset: select('preset', words.preset, [[CUSTOM, words.own]], true),
    game: select('game', words.game, Object.entries(GAMES), true),
    deal: select('deal', words.deal, Object.entries(words.deals)),
    number: figure('number', words.number, 1, HIGHEST_NUMBER),
    seed: seedInput(),
    layout: select('layout', words.layout, Object.entries(LAYOUTS), true),
    exceptions: select('exceptions', words.exceptions, Object.entries(words.exceptionLevels)),
    undo: select('undo', words.undo, Object.entries(words.undos)),
    cheats: select('cheats', CHEATS.title, Object.entries(CHEATS.levels)),
    score: select('score', words.score, Object.entries(SCORES), true),
    ranking: select('ranking', words.ranking, Object.entries(words.rankings)),
    limit: select('limit', words.limit, limits(null)),
    rounds: figure('rounds', words.rounds, 1, MAX_ROUNDS),
    match: select('match', words.match, Object.entries(words.matches)),
    spectate: select('spectate', words.spectate, Object.entries(words.spectacles)),
    delay: figure('delay', words.delay, 0, MAX_BOARD_DELAY_S),
    auto: check('auto', words.auto),
    relaxed: check('relaxed', words.relaxed),
    hints: check('hints', words.hints),
    chasers: check('chasers', words.chasers),
    public: check('public', words.public),
  };
}

/** Return a whole number in range, or the other number. @param {HTMLInputElement} field @param {number} otherwise */
function whole(field, otherwise) {
  const value = Math.floor(Number(field.value));
  const inRange = value >= Number(field.min) && value <= Number(field.max);
  return field.value !== '' && inRange ? value : otherwise;
}

/** @param {string} id @returns {GameInfo | undefined} */
const gameInfo = (id) => catalogue().games.find((each) => each.id === id);

/**
 * Bind the form.
 *
 * @param {HTMLElement} root
 * @param {(settings: SettingsInput) => void} configure
 * @returns {SettingsForm}
 */
export function bindSettings(root, configure) {
  const fields = makeFields();
  const all = Object.values(fields);
  const problem = h('p', { class: 'problem', id: 'settings-problem', role: 'alert' });
  const element = h(
    'form',
    { class: 'settings-form', id: 'settings', onsubmit: (event) => event.preventDefault() },
    ...all.map(({ label }) => label),
  );
  root.replaceChildren(element, problem);
  /** @type {SettingsForm} */
  const form = { configure, fields, problem, known: null, chosen: new Set() };
  element.addEventListener('change', ({ target }) => change(form, target));
  // Until the catalogue is there, a choice could be refused.
  for (const { field } of all) field.disabled = true;
  whenKnown(() => {
    for (const { field } of all) field.disabled = false;
    offerCatalogue(fields);
    if (form.known) draw(fields, form.known);
  });
  return form;
}

/** Show the settings of the room. @param {SettingsForm} form @param {Settings} settings */
export function updateSettings(form, settings) {
  if (settings === form.known) return;
  form.known = settings;
  draw(form.fields, settings);
}

/** Show why a change was refused, and the settings that hold. @param {SettingsForm} form @param {string} why */
export function refuseSettings({ fields, problem, known }, why) {
  write(problem, why);
  if (known) draw(fields, known);
}

/** @param {Fields} fields */
function offerCatalogue({ game, preset }) {
  const { games, presets } = catalogue();
  offer(
    game.field,
    games.map(({ id }) => [id, strings.gameName(id)]),
  );
  offer(preset.field, [
    ...presets.map(({ id }) => /** @type {[string, string]} */ ([id, strings.PRESETS[id] ?? id])),
    [CUSTOM, strings.SETTINGS.own],
  ]);
}

/** React to a change of a field. @param {SettingsForm} form @param {EventTarget | null} target */
function change(form, target) {
  const { fields, problem, known, chosen, configure } = form;
  write(problem, '');
  if (target === fields.preset.field) {
    const found = catalogue().presets.find((each) => each.id === fields.preset.field.value);
    chosen.clear();
    if (found) configure({ ...found.settings, ...aboutPeople(known) });
    return;
  }
  if (target === fields.layout.field) chosen.add('layout');
  if (target === fields.score.field) chosen.add('score');
  const settings = collect(form, target);
  for (const name of chosen) if (!(name in settings)) chosen.delete(name);
  if (settings.deal !== 'seed' || SEED_PATTERN.test(settings.seed ?? '')) {
    configure(settings);
    return;
  }
  // The seed is missing or incomplete.
  fields.number.label.hidden = true;
  fields.seed.label.hidden = false;
  if (target === fields.seed.field) write(problem, strings.BAD_SEED);
  fields.seed.field.focus();
}

/** Return the settings that are part of no preset. @param {Settings | null} known */
const aboutPeople = (known) =>
  Object.fromEntries(
    ABOUT_PEOPLE.map((name) => [name, known?.[/** @type {keyof Settings} */ (name)]]),
  );

/**
 * Return the settings in the form, without those that another game or score cannot have.
 *
 * @param {SettingsForm} form
 * @param {unknown} changed the changed field
 * @returns {SettingsInput}
 */
function collect({ fields, known, chosen }, changed) {
  const f = fields;
  const drawn = known?.number ?? 1 + Math.floor(Math.random() * HIGHEST_DRAWN);
  const game = gameInfo(f.game.field.value);
  const other = changed === f.game.field;
  const has = (/** @type {string} */ option) => !other || (game?.options.includes(option) ?? true);
  const dos = f.score.field.value === 'dos' && (other || changed === f.score.field);
  const all = /** @type {SettingsInput} */ ({
    ...known,
    game: f.game.field.value,
    deal: f.deal.field.value,
    number: f.deal.field.value === 'numbered' ? whole(f.number.field, drawn) : null,
    seed: f.deal.field.value === 'seed' ? f.seed.field.value.trim().toLowerCase() : null,
    layout: f.layout.field.value,
    exceptions: has('exceptions') ? f.exceptions.field.value : 'off',
    undo: dos ? 'off' : f.undo.field.value,
    cheats: dos || f.undo.field.value !== 'any' ? 'shown' : f.cheats.field.value,
    score: f.score.field.value,
    ranking: f.ranking.field.value,
    time_limit_s: f.limit.field.value ? Number(f.limit.field.value) : null,
    rounds: whole(f.rounds.field, known?.rounds ?? 1),
    match_ranking: f.match.field.value,
    spectate: f.spectate.field.value,
    board_delay_s: whole(f.delay.field, known?.board_delay_s ?? 0),
    auto_remove: f.auto.field.checked && has('auto_remove') && !dos,
    relaxed_deal: f.relaxed.field.checked && has('relaxed_deal'),
    hints: f.hints.field.checked,
    chasers: f.chasers.field.checked,
    public: f.public.field.checked,
  });
  if (!known || (!other && all.deal === known.deal)) return all;
  return leaveOpen(all, other ? 'game' : 'deal', chosen, gameInfo(known.game), game);
}

/** Show settings in the fields; a number that is being typed stays. @param {Fields} f @param {Settings} settings */
function draw(f, settings) {
  const game = gameInfo(settings.game);
  const lacks = (/** @type {string} */ option) => (game ? !game.options.includes(option) : false);
  /** @param {HTMLInputElement} field @param {string} value */
  function set(field, value) {
    if (document.activeElement !== field) field.value = value;
  }
  f.preset.field.value = presetOf(catalogue(), settings) ?? CUSTOM;
  f.game.field.value = settings.game;
  f.deal.field.value = settings.deal;
  f.number.label.hidden = settings.deal !== 'numbered';
  set(f.number.field, String(settings.number ?? ''));
  f.seed.label.hidden = settings.deal !== 'seed';
  set(f.seed.field, settings.seed ?? '');
  const scores = game?.scores ?? Object.keys(strings.SCORES);
  offer(
    f.score.field,
    scores.map((id) => [id, strings.SCORES[id] ?? id]),
  );
  f.score.field.value = settings.score;
  f.score.label.hidden = game?.scores.length === 1;
  f.layout.field.value = settings.layout;
  f.layout.label.hidden = (game?.layouts.length ?? 2) < 2;
  f.exceptions.field.value = settings.exceptions;
  f.exceptions.label.hidden = lacks('exceptions');
  f.undo.field.value = settings.undo;
  f.cheats.field.value = settings.cheats;
  f.cheats.label.hidden = settings.undo !== 'any';
  f.ranking.field.value = settings.ranking;
  offer(f.limit.field, limits(settings.time_limit_s));
  f.limit.field.value = String(settings.time_limit_s ?? '');
  set(f.rounds.field, String(settings.rounds));
  f.match.field.value = settings.match_ranking;
  f.match.label.hidden = settings.rounds < 2;
  f.spectate.field.value = settings.spectate;
  f.delay.label.hidden = settings.spectate !== 'boards';
  set(f.delay.field, String(settings.board_delay_s));
  f.auto.field.checked = settings.auto_remove;
  f.auto.label.hidden = lacks('auto_remove');
  f.relaxed.field.checked = settings.relaxed_deal;
  f.relaxed.label.hidden = lacks('relaxed_deal');
  f.hints.field.checked = settings.hints;
  f.chasers.field.checked = settings.chasers;
  f.public.field.checked = settings.public;
}
