// The settings of a room, as a form for the host.
//
// What goes with what is the server's knowledge: the form is filled from its catalogue, a change
// of game or score takes along what cannot stay, and the rest is refused in words.

import { catalogue, presetOf, whenKnown } from './catalogue.js';
import { h, write } from './element.js';
import { BAD_SEED, GAMES, gameName, LAYOUTS, PRESETS, SCORES } from './strings.js';

/**
 * @import {GameInfo, Settings, SettingsInput} from './protocol.d.ts'
 * @typedef {[value: string, words: string][]} Choices
 */

const HIGHEST_NUMBER = 1_000_000_000;
const LOOKED_UP = 32_000;
const MOST_ROUNDS = 12;
const LATEST = 600;
const SEED = /^[0-9a-f]{32}$/;

/** @type {Choices} */
const LIMITS = [
  ['300', '5 minutes'],
  ['600', '10 minutes'],
  ['900', '15 minutes'],
  ['1800', '30 minutes'],
  ['3600', '1 hour'],
  ['7200', '2 hours'],
  ['', 'No limit'],
];

/** @param {HTMLSelectElement} field @param {Choices} choices */
function offer(field, choices) {
  const value = field.value;
  field.replaceChildren(...choices.map(([id, text]) => h('option', { value: id, text })));
  field.value = value;
}

/** @param {string} id @param {string} words @param {Choices} choices */
function select(id, words, choices) {
  const field = h('select', { id: `set-${id}` });
  offer(field, choices);
  return { field, label: h('label', { class: 'field' }, h('span', { text: words }), field) };
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

/** @param {string} value @param {string[] | undefined} among */
const fitting = (value, among) => (!among || among.includes(value) ? value : (among[0] ?? value));

/**
 * @param {HTMLElement} root
 * @param {(settings: SettingsInput) => void} configure
 */
export function bindSettings(root, configure) {
  /** @type {Settings | null} */
  let known = null;

  const preset = select('preset', 'Preset', [['custom', 'Your own']]);
  const game = select('game', 'Game', Object.entries(GAMES));
  const deal = select('deal', 'Deal', [
    ['secret', 'Fresh and secret'],
    ['numbered', 'By number'],
    ['seed', 'Of a known seed'],
  ]);
  const number = figure('number', 'Deal number', 1, HIGHEST_NUMBER);
  const seedField = h('input', { id: 'set-seed', maxlength: 32, autocomplete: 'off' });
  seedField.spellcheck = false;
  const seed = {
    field: seedField,
    label: h('label', { class: 'field whole' }, h('span', { text: 'Seed' }), seedField),
  };
  const layout = select('layout', 'Extra cards', Object.entries(LAYOUTS));
  const exceptions = select('exceptions', 'Exceptions', [
    ['off', 'None'],
    ['easy', 'Easy: free'],
    ['hard', 'Hard: press X'],
  ]);
  const undo = select('undo', 'Undo', [
    ['no_reveal', 'If no card turned'],
    ['any', 'Anything, counted'],
    ['off', 'Off'],
  ]);
  const score = select('score', 'Score', Object.entries(SCORES));
  const ranking = select('ranking', 'Who wins', [
    ['first_home', 'First one home'],
    ['best_score', 'Best score'],
  ]);
  const limit = select('limit', 'Time limit', LIMITS);
  const rounds = figure('rounds', 'Rounds', 1, MOST_ROUNDS);
  const match = select('match', 'Match goes by', [
    ['wins', 'Rounds won'],
    ['score', 'Total score'],
  ]);
  const spectate = select('spectate', 'Spectators see', [
    ['standings', 'Standings'],
    ['boards', 'Boards'],
  ]);
  const delay = figure('delay', 'Boards late by (seconds)', 0, LATEST);
  const auto = check('auto', 'Complete suits leave by themselves');
  const relaxed = check('relaxed', 'Dealing on empty columns is allowed');
  const open = check('public', 'List this room on the front page');
  const selects = [preset, game, deal, number, seed, layout, exceptions, undo, score, ranking];
  const parts = [...selects, limit, rounds, match, spectate, delay, auto, relaxed, open];
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
    const scored = other ? fitting(score.field.value, of?.scores) : score.field.value;
    const dos = scored === 'dos' && (other || changed === score.field);
    return /** @type {SettingsInput} */ ({
      ...known,
      game: game.field.value,
      deal: deal.field.value,
      number: deal.field.value === 'numbered' ? whole(number.field, drawn) : null,
      seed: deal.field.value === 'seed' ? seed.field.value.trim().toLowerCase() : null,
      layout: other ? fitting(layout.field.value, of?.layouts) : layout.field.value,
      exceptions: knows('exceptions') ? exceptions.field.value : 'off',
      undo: dos ? 'off' : undo.field.value,
      score: scored,
      ranking: ranking.field.value,
      time_limit_s: limit.field.value ? Number(limit.field.value) : null,
      rounds: whole(rounds.field, known?.rounds ?? 1),
      match_ranking: match.field.value,
      spectate: spectate.field.value,
      board_delay_s: whole(delay.field, known?.board_delay_s ?? 0),
      auto_remove: auto.field.checked && knows('auto_remove') && !dos,
      relaxed_deal: relaxed.field.checked && knows('relaxed_deal'),
      public: open.field.checked,
    });
  }

  form.addEventListener('change', ({ target }) => {
    write(problem, '');
    const chosen = catalogue().presets.find((each) => each.id === preset.field.value);
    if (target === preset.field) {
      if (chosen) configure({ ...chosen.settings, public: open.field.checked });
      return;
    }
    const settings = collected(target);
    if (settings.deal !== 'seed' || SEED.test(settings.seed ?? '')) {
      configure(settings);
      return;
    }
    // A seed has to be typed first, or typed better.
    number.label.hidden = true;
    seed.label.hidden = false;
    if (target === seed.field) write(problem, BAD_SEED);
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
      (of?.scores ?? Object.keys(SCORES)).map((id) => [id, SCORES[id] ?? id]),
    );
    score.field.value = settings.score;
    score.label.hidden = of?.scores.length === 1;
    layout.field.value = settings.layout;
    layout.label.hidden = (of?.layouts.length ?? 2) < 2;
    exceptions.field.value = settings.exceptions;
    exceptions.label.hidden = lacks('exceptions');
    undo.field.value = settings.undo;
    ranking.field.value = settings.ranking;
    const value = String(settings.time_limit_s ?? '');
    const listed = LIMITS.some(([each]) => each === value);
    const own = `${Math.round(Number(value) / 6) / 10} minutes`;
    offer(limit.field, listed ? LIMITS : [...LIMITS, [value, own]]);
    limit.field.value = value;
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
    open.field.checked = settings.public;
  }

  whenKnown(() => {
    const { games, presets } = catalogue();
    offer(
      game.field,
      games.map(({ id }) => [id, gameName(id)]),
    );
    offer(preset.field, [
      ...presets.map(({ id }) => /** @type {[string, string]} */ ([id, PRESETS[id] ?? id])),
      ['custom', 'Your own'],
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
