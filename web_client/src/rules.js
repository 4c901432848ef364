// The settings of a room: in words for all, as a form for the host.
//
// What goes with what is the server's knowledge: the form is filled from its catalogue.

import { h } from './element.js';
import { GAMES, gameName, LAYOUTS, PRESETS, SCORES, settingsInWords } from './strings.js';

/**
 * @import {Catalogue, GameInfo, Settings, SettingsInput} from './protocol.d.ts'
 * @typedef {[value: string, words: string][]} Choices
 */

const HIGHEST_NUMBER = 1_000_000_000;
const LOOKED_UP = 32_000;
const MOST_ROUNDS = 12;

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

/** Settings as a list in words. @param {HTMLElement} root */
export function bindWords(root) {
  const list = h('ul', { class: 'words', id: 'rules' });
  root.replaceChildren(list);
  let shown = '';
  return {
    /** @param {Settings} settings */
    update(settings) {
      const words = settingsInWords(settings);
      if (shown === words.join()) return;
      shown = words.join();
      list.replaceChildren(...words.map((text) => h('li', { text })));
    },
  };
}

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

/** @param {string} id @param {string} words @param {number} most */
function figure(id, words, most) {
  const field = h('input', { id: `set-${id}`, type: 'number', min: 1, max: most, step: 1 });
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
  return value >= 1 && value <= Number(field.max) ? value : otherwise;
}

/**
 * @param {HTMLElement} root
 * @param {(settings: SettingsInput) => void} configure
 */
export function bindForm(root, configure) {
  /** @type {Settings | null} */
  let known = null;
  /** @type {Catalogue} */
  let catalogue = { games: [], presets: [] };

  const preset = select('preset', 'Preset', [['custom', 'Your own']]);
  const game = select('game', 'Game', Object.entries(GAMES));
  const deal = select('deal', 'Deal', [
    ['secret', 'Fresh and secret'],
    ['numbered', 'By number'],
  ]);
  const number = figure('number', 'Deal number', HIGHEST_NUMBER);
  const layout = select('layout', 'Extra cards', Object.entries(LAYOUTS));
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
  const rounds = figure('rounds', 'Rounds', MOST_ROUNDS);
  const auto = check('auto', 'Complete suits leave by themselves');
  const relaxed = check('relaxed', 'Dealing on empty columns is allowed');
  const open = check('public', 'List this room on the front page');
  const parts = [preset, game, deal, number, layout, undo, score, ranking, limit, rounds];
  const form = h(
    'form',
    { class: 'rules', id: 'settings', onsubmit: (event) => event.preventDefault() },
    ...[...parts, auto, relaxed, open].map(({ label }) => label),
  );
  root.replaceChildren(form);

  /** @param {string} id @returns {GameInfo | undefined} */
  const info = (id) => catalogue.games.find((each) => each.id === id);

  /** What the form says, with what the game does not know put right. @returns {SettingsInput} */
  function collected() {
    const numbered = deal.field.value === 'numbered';
    const drawn = known?.number ?? 1 + Math.floor(Math.random() * LOOKED_UP);
    const of = info(game.field.value);
    const knows = (/** @type {string} */ option) => of?.options.includes(option) ?? true;
    const fitting = (/** @type {string} */ value, /** @type {string[] | undefined} */ among) =>
      !among || among.includes(value) ? value : (among[0] ?? value);
    return /** @type {SettingsInput} */ ({
      ...known,
      game: game.field.value,
      deal: deal.field.value,
      number: numbered ? whole(number.field, drawn) : null,
      seed: deal.field.value === 'seed' ? (known?.seed ?? null) : null,
      layout: fitting(layout.field.value, of?.layouts),
      undo: score.field.value === 'dos' ? 'off' : undo.field.value,
      score: fitting(score.field.value, of?.scores),
      ranking: ranking.field.value,
      time_limit_s: limit.field.value ? Number(limit.field.value) : null,
      rounds: whole(rounds.field, known?.rounds ?? 1),
      exceptions: knows('exceptions') ? known?.exceptions : 'off',
      auto_remove: auto.field.checked && knows('auto_remove') && score.field.value !== 'dos',
      relaxed_deal: relaxed.field.checked && knows('relaxed_deal'),
      public: open.field.checked,
    });
  }

  form.addEventListener('change', (event) => {
    const chosen = catalogue.presets.find((each) => each.id === preset.field.value);
    if (event.target !== preset.field) configure(collected());
    else if (chosen) configure({ ...chosen.settings, public: open.field.checked });
  });

  /** Which preset these settings are. @param {Settings} settings */
  function presetOf(settings) {
    const plain = (/** @type {Settings} */ some) =>
      JSON.stringify({ ...some, public: false }, Object.keys(settings).toSorted());
    return catalogue.presets.find((each) => plain(each.settings) === plain(settings))?.id;
  }

  /** @param {Settings} settings */
  function draw(settings) {
    const of = info(settings.game);
    preset.field.value = presetOf(settings) ?? 'custom';
    game.field.value = settings.game;
    deal.field.value = settings.deal;
    number.label.hidden = settings.deal !== 'numbered';
    if (document.activeElement !== number.field) number.field.value = String(settings.number ?? '');
    offer(
      score.field,
      (of?.scores ?? Object.keys(SCORES)).map((id) => [id, SCORES[id] ?? id]),
    );
    score.field.value = settings.score;
    score.label.hidden = of?.scores.length === 1;
    layout.field.value = settings.layout;
    layout.label.hidden = (of?.layouts.length ?? 2) < 2;
    undo.field.value = settings.undo;
    ranking.field.value = settings.ranking;
    const value = String(settings.time_limit_s ?? '');
    const listed = LIMITS.some(([each]) => each === value);
    const own = `${Math.round(Number(value) / 6) / 10} minutes`;
    offer(limit.field, listed ? LIMITS : [...LIMITS, [value, own]]);
    limit.field.value = value;
    if (document.activeElement !== rounds.field) rounds.field.value = String(settings.rounds);
    auto.field.checked = settings.auto_remove;
    auto.label.hidden = of ? !of.options.includes('auto_remove') : false;
    relaxed.field.checked = settings.relaxed_deal;
    relaxed.label.hidden = of ? !of.options.includes('relaxed_deal') : false;
    open.field.checked = settings.public;
  }

  async function fill() {
    const answer = await fetch('/api/catalogue').catch(() => null);
    if (!answer?.ok) return; // the form works without: the server says what does not go together
    catalogue = await answer.json();
    const games = catalogue.games.map(
      ({ id }) => /** @type {[string, string]} */ ([id, gameName(id)]),
    );
    const presets = catalogue.presets.map(
      ({ id }) => /** @type {[string, string]} */ ([id, PRESETS[id] ?? id]),
    );
    offer(game.field, games);
    offer(preset.field, [...presets, ['custom', 'Your own']]);
    if (known) draw(known);
  }
  fill();

  return {
    /** @param {Settings} settings */
    update(settings) {
      if (settings === known) return;
      known = settings;
      draw(settings);
    },
  };
}
