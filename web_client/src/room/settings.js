// The settings of a room, as a form for the host.
//
// What goes with what is the server's knowledge: the form is filled from its catalogue, a change
// of game, deal or score takes along what cannot stay or was not chosen, and the rest is refused
// in words.

import { strings } from '../core/language.js';
import { h, write } from '../shared/element.js';
import { ABOUT_PEOPLE, catalogue, presetOf, whenKnown } from './catalogue.js';
import { leaveOpen } from './choices.js';

/**
 * @import {GameInfo, Settings, SettingsInput} from '../core/messages.d.ts'
 * @typedef {[value: string, words: string][]} Choices
 */

const HIGHEST_NUMBER = 1_000_000_000;
const LOOKED_UP = 32_000;
const MOST_ROUNDS = 12;
const LATEST = 600;
const SEED = /^[0-9a-f]{32}$/;

const LIMITS = [300, 600, 900, 1_800, 3_600, 7_200];

/** Time limits, and one of the room's own among them. @param {number | null} own @returns {Choices} */
function limits(own) {
  const all = own === null || LIMITS.includes(own) ? LIMITS : [...LIMITS, own];
  return [
    ...all.map((s) => /** @type {[string, string]} */ ([String(s), strings.limit(s)])),
    ['', strings.SETTINGS.noLimit],
  ];
}

/** @param {HTMLSelectElement} field @param {Choices} choices */
function offer(field, choices) {
  const value = field.value;
  field.replaceChildren(...choices.map(([id, text]) => h('option', { value: id, text })));
  field.value = value;
}

/** @param {string} id @param {string} words @param {Choices} choices @param {boolean} [whole] of the width */
function select(id, words, choices, whole = false) {
  const field = h('select', { id: `set-${id}` });
  offer(field, choices);
  return {
    field,
    label: h(
      'label',
      { class: whole ? 'field whole' : 'field' },
      h('span', { text: words }),
      field,
    ),
  };
}

/** @param {string} id @param {string} words @param {number} least @param {number} most */
function figure(id, words, least, most) {
  const field = h('input', { id: `set-${id}`, type: 'number', min: least, max: most, step: 1 });
  field.inputMode = 'numeric';
  return { field, label: h('label', { class: 'field' }, h('span', { text: words }), field) };
}

/** @param {string} id @param {string} words */
function check(id, words) {
  const field = h('input', { id: `set-${id}`, type: 'checkbox' });
  return { field, label: h('label', { class: 'check' }, field, h('span', { text: words })) };
}

/** A whole number in range, or what stands in for it. @param {HTMLInputElement} field @param {number} otherwise */
function whole(field, otherwise) {
  const value = Math.floor(Number(field.value));
  const inRange = value >= Number(field.min) && value <= Number(field.max);
  return field.value !== '' && inRange ? value : otherwise;
}

/**
 * @param {HTMLElement} root
 * @param {(settings: SettingsInput) => void} configure
 */
export function bindSettings(root, configure) {
  /** @type {Settings | null} */
  let known = null;
  /** What the host has set by hand. @type {Set<string>} */
  const chosen = new Set();

  const words = strings.SETTINGS;
  const preset = select('preset', words.preset, [['custom', words.own]], true);
  const game = select('game', words.game, Object.entries(strings.GAMES), true);
  const deal = select('deal', words.deal, Object.entries(words.deals));
  const number = figure('number', words.number, 1, HIGHEST_NUMBER);
  const seedField = h('input', { id: 'set-seed', maxlength: 32, autocomplete: 'off' });
  seedField.spellcheck = false;
  const seed = {
    field: seedField,
    label: h('label', { class: 'field whole' }, h('span', { text: words.seed }), seedField),
  };
  const layout = select('layout', words.layout, Object.entries(strings.LAYOUTS), true);
  const exceptions = select('exceptions', words.exceptions, Object.entries(words.exceptionLevels));
  const undo = select('undo', words.undo, Object.entries(words.undos));
  const cheats = select('cheats', strings.CHEATS.title, Object.entries(strings.CHEATS.levels));
  const score = select('score', words.score, Object.entries(strings.SCORES), true);
  const ranking = select('ranking', words.ranking, Object.entries(words.rankings));
  const limit = select('limit', words.limit, limits(null));
  const rounds = figure('rounds', words.rounds, 1, MOST_ROUNDS);
  const match = select('match', words.match, Object.entries(words.matches));
  const spectate = select('spectate', words.spectate, Object.entries(words.spectacles));
  const delay = figure('delay', words.delay, 0, LATEST);
  const auto = check('auto', words.auto);
  const relaxed = check('relaxed', words.relaxed);
  const hints = check('hints', words.hints);
  const chasers = check('chasers', words.chasers);
  const open = check('public', words.public);
  const selects = [preset, game, deal, number, seed, layout, exceptions, undo, cheats];
  const parts = [
    ...selects,
    score,
    ranking,
    limit,
    rounds,
    match,
    spectate,
    delay,
    auto,
    relaxed,
    hints,
    chasers,
    open,
  ];
  const form = h(
    'form',
    { class: 'rules', id: 'settings', onsubmit: (event) => event.preventDefault() },
    ...parts.map(({ label }) => label),
  );
  const problem = h('p', { class: 'problem', id: 'settings-problem', role: 'alert' });
  root.replaceChildren(form, problem);

  /** @param {string} id @returns {GameInfo | undefined} */
  const info = (id) => catalogue().games.find((each) => each.id === id);

  /** What the form says; what another game or score cannot have is put right. @param {unknown} changed @returns {SettingsInput} */
  function collected(changed) {
    const drawn = known?.number ?? 1 + Math.floor(Math.random() * LOOKED_UP);
    const of = info(game.field.value);
    const other = changed === game.field;
    const knows = (/** @type {string} */ option) =>
      !other || (of?.options.includes(option) ?? true);
    const dos = score.field.value === 'dos' && (other || changed === score.field);
    const said = /** @type {SettingsInput} */ ({
      ...known,
      game: game.field.value,
      deal: deal.field.value,
      number: deal.field.value === 'numbered' ? whole(number.field, drawn) : null,
      seed: deal.field.value === 'seed' ? seed.field.value.trim().toLowerCase() : null,
      layout: layout.field.value,
      exceptions: knows('exceptions') ? exceptions.field.value : 'off',
      undo: dos ? 'off' : undo.field.value,
      cheats: dos || undo.field.value !== 'any' ? 'shown' : cheats.field.value,
      score: score.field.value,
      ranking: ranking.field.value,
      time_limit_s: limit.field.value ? Number(limit.field.value) : null,
      rounds: whole(rounds.field, known?.rounds ?? 1),
      match_ranking: match.field.value,
      spectate: spectate.field.value,
      board_delay_s: whole(delay.field, known?.board_delay_s ?? 0),
      auto_remove: auto.field.checked && knows('auto_remove') && !dos,
      relaxed_deal: relaxed.field.checked && knows('relaxed_deal'),
      hints: hints.field.checked,
      chasers: chasers.field.checked,
      public: open.field.checked,
    });
    if (!known || (!other && said.deal === known.deal)) return said;
    return leaveOpen(said, other ? 'game' : 'deal', chosen, info(known.game), of);
  }

  /** What a preset says nothing about. */
  const aboutPeople = () =>
    Object.fromEntries(
      ABOUT_PEOPLE.map((name) => [name, known?.[/** @type {keyof Settings} */ (name)]]),
    );

  form.addEventListener('change', ({ target }) => {
    write(problem, '');
    if (target === preset.field) {
      const found = catalogue().presets.find((each) => each.id === preset.field.value);
      chosen.clear();
      if (found) configure({ ...found.settings, ...aboutPeople() });
      return;
    }
    if (target === layout.field) chosen.add('layout');
    if (target === score.field) chosen.add('score');
    const settings = collected(target);
    for (const name of chosen) if (!(name in settings)) chosen.delete(name);
    if (settings.deal !== 'seed' || SEED.test(settings.seed ?? '')) {
      configure(settings);
      return;
    }
    // A seed has to be typed first, or typed better.
    number.label.hidden = true;
    seed.label.hidden = false;
    if (target === seed.field) write(problem, strings.BAD_SEED);
    seed.field.focus();
  });

  /** @param {Settings} settings */
  function draw(settings) {
    const of = info(settings.game);
    const lacks = (/** @type {string} */ option) => (of ? !of.options.includes(option) : false);
    const focused = document.activeElement;
    preset.field.value = presetOf(catalogue(), settings) ?? 'custom';
    game.field.value = settings.game;
    deal.field.value = settings.deal;
    number.label.hidden = settings.deal !== 'numbered';
    if (focused !== number.field) number.field.value = String(settings.number ?? '');
    seed.label.hidden = settings.deal !== 'seed';
    if (focused !== seed.field) seed.field.value = settings.seed ?? '';
    offer(
      score.field,
      (of?.scores ?? Object.keys(strings.SCORES)).map((id) => [id, strings.SCORES[id] ?? id]),
    );
    score.field.value = settings.score;
    score.label.hidden = of?.scores.length === 1;
    layout.field.value = settings.layout;
    layout.label.hidden = (of?.layouts.length ?? 2) < 2;
    exceptions.field.value = settings.exceptions;
    exceptions.label.hidden = lacks('exceptions');
    undo.field.value = settings.undo;
    cheats.field.value = settings.cheats;
    cheats.label.hidden = settings.undo !== 'any';
    ranking.field.value = settings.ranking;
    offer(limit.field, limits(settings.time_limit_s));
    limit.field.value = String(settings.time_limit_s ?? '');
    if (focused !== rounds.field) rounds.field.value = String(settings.rounds);
    match.field.value = settings.match_ranking;
    match.label.hidden = settings.rounds < 2;
    spectate.field.value = settings.spectate;
    delay.label.hidden = settings.spectate !== 'boards';
    if (focused !== delay.field) delay.field.value = String(settings.board_delay_s);
    auto.field.checked = settings.auto_remove;
    auto.label.hidden = lacks('auto_remove');
    relaxed.field.checked = settings.relaxed_deal;
    relaxed.label.hidden = lacks('relaxed_deal');
    hints.field.checked = settings.hints;
    chasers.field.checked = settings.chasers;
    open.field.checked = settings.public;
  }

  // What goes with what is not known yet: a choice made now would be refused.
  for (const { field } of parts) field.disabled = true;

  whenKnown(() => {
    for (const { field } of parts) field.disabled = false;
    const { games, presets } = catalogue();
    offer(
      game.field,
      games.map(({ id }) => [id, strings.gameName(id)]),
    );
    offer(preset.field, [
      ...presets.map(({ id }) => /** @type {[string, string]} */ ([id, strings.PRESETS[id] ?? id])),
      ['custom', words.own],
    ]);
    if (known) draw(known);
  });

  return {
    /** @param {Settings} settings */
    update(settings) {
      if (settings === known) return;
      known = settings;
      draw(settings);
    },
    /** What was chosen cannot be: back to what holds. @param {string} why */
    refuse(why) {
      write(problem, why);
      if (known) draw(known);
    },
  };
}
