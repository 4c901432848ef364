// The settings of a room: in words for all, as a form for the host.

import { h, write } from './element.js';
import { settingsInWords } from './strings.js';

/**
 * @import {Settings, SettingsInput} from './protocol.d.ts'
 * @typedef {[value: string, words: string][]} Choices
 */

/** @type {Record<string, {words: string, settings: SettingsInput}>} */
export const PRESETS = {
  friends: {
    words: 'Friends’ race',
    settings: {
      game: 'spider-4',
      deal: 'secret',
      number: null,
      layout: 'left4',
      auto_remove: false,
      relaxed_deal: false,
      undo: 'no_reveal',
      score: 'woods',
      ranking: 'first_home',
      time_limit_s: 1_800,
      public: false,
    },
  },
  classic: {
    words: 'Classic 1989',
    settings: {
      game: 'spider-4',
      deal: 'secret',
      number: null,
      layout: 'left4',
      auto_remove: false,
      relaxed_deal: false,
      undo: 'any',
      score: 'woods',
      ranking: 'best_score',
      time_limit_s: null,
      public: false,
    },
  },
};

const HIGHEST_NUMBER = 1_000_000_000;
const LOOKED_UP = 32_000;

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

/** Which preset these settings are; `custom` if none. @param {Settings} settings */
function presetOf(settings) {
  const same = (/** @type {SettingsInput} */ preset) =>
    Object.entries(preset).every(
      ([key, value]) => key === 'public' || settings[/** @type {keyof Settings} */ (key)] === value,
    );
  return Object.keys(PRESETS).find((id) => same(PRESETS[id]?.settings ?? {})) ?? 'custom';
}

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

/**
 * @param {HTMLElement} root
 * @param {(settings: SettingsInput) => void} configure
 */
export function bindForm(root, configure) {
  /** @type {Settings | null} */
  let known = null;

  /** @param {string} id @param {string} words @param {Choices} choices */
  function select(id, words, choices) {
    const field = h('select', { id: `set-${id}` });
    for (const [value, text] of choices) field.append(h('option', { value, text }));
    const label = h('label', { class: 'field' }, h('span', { text: words }), field);
    return { field, label };
  }
  /** @param {string} id @param {string} words */
  function check(id, words) {
    const field = h('input', { id: `set-${id}`, type: 'checkbox' });
    return { field, label: h('label', { class: 'check' }, field, h('span', { text: words })) };
  }

  const preset = select('preset', 'Preset', [
    ...Object.entries(PRESETS).map(
      ([id, { words }]) => /** @type {[string, string]} */ ([id, words]),
    ),
    ['custom', 'Your own'],
  ]);
  const game = select('game', 'Game', [
    ['spider-4', 'Spider, four suits'],
    ['spider-2', 'Spider, two suits'],
    ['spider-1', 'Spider, one suit'],
  ]);
  const deal = select('deal', 'Deal', [
    ['secret', 'Fresh and secret'],
    ['numbered', 'By number'],
  ]);
  const number = h('input', {
    id: 'set-number',
    type: 'number',
    min: 1,
    max: HIGHEST_NUMBER,
    step: 1,
    inputmode: 'numeric',
  });
  const numberLabel = h('label', { class: 'field' }, h('span', { text: 'Deal number' }), number);
  const layout = select('layout', 'Extra cards', [
    ['left4', 'Columns 1–4'],
    ['spread', 'Columns 1, 4, 7, 10'],
  ]);
  const undo = select('undo', 'Undo', [
    ['no_reveal', 'Not what turned a card'],
    ['any', 'Anything, counted'],
    ['off', 'Off'],
  ]);
  const ranking = select('ranking', 'Who wins', [
    ['first_home', 'First one home'],
    ['best_score', 'Best score'],
  ]);
  const limit = select('limit', 'Time limit', LIMITS);
  const auto = check('auto', 'Complete suits leave by themselves');
  const relaxed = check('relaxed', 'Dealing on empty columns is allowed');
  const open = check('public', 'List this room on the front page');

  const form = h(
    'form',
    { class: 'rules', id: 'settings', onsubmit: (event) => event.preventDefault() },
    preset.label,
    game.label,
    deal.label,
    numberLabel,
    layout.label,
    undo.label,
    ranking.label,
    limit.label,
    auto.label,
    relaxed.label,
    open.label,
  );
  root.replaceChildren(form);

  /** @returns {SettingsInput} */
  function collected() {
    const numbered = deal.field.value === 'numbered';
    const typed = Math.floor(Number(number.value));
    const valid = typed >= 1 && typed <= HIGHEST_NUMBER;
    const fallback = known?.number ?? 1 + Math.floor(Math.random() * LOOKED_UP);
    return /** @type {SettingsInput} */ ({
      ...known,
      game: game.field.value,
      deal: deal.field.value,
      number: numbered ? (valid ? typed : fallback) : null,
      layout: layout.field.value,
      undo: undo.field.value,
      ranking: ranking.field.value,
      time_limit_s: limit.field.value ? Number(limit.field.value) : null,
      auto_remove: auto.field.checked,
      relaxed_deal: relaxed.field.checked,
      public: open.field.checked,
    });
  }

  form.addEventListener('change', (event) => {
    const chosen = PRESETS[preset.field.value];
    if (event.target !== preset.field) configure(collected());
    else if (chosen) configure({ ...chosen.settings, public: open.field.checked });
  });

  return {
    /** @param {Settings} settings */
    update(settings) {
      if (settings === known) return;
      known = settings;
      preset.field.value = presetOf(settings);
      game.field.value = settings.game;
      deal.field.value = settings.deal;
      numberLabel.hidden = settings.deal !== 'numbered';
      if (document.activeElement !== number) number.value = String(settings.number ?? '');
      layout.field.value = settings.layout;
      undo.field.value = settings.undo;
      ranking.field.value = settings.ranking;
      const value = String(settings.time_limit_s ?? '');
      if (!LIMITS.some(([known]) => known === value)) {
        const minutes = `${Math.round(Number(value) / 6) / 10} minutes`;
        let own = limit.field.querySelector('[data-own]');
        if (!own) own = limit.field.appendChild(h('option', { 'data-own': true }));
        own.setAttribute('value', value);
        write(own, minutes);
      }
      limit.field.value = value;
      auto.field.checked = settings.auto_remove;
      relaxed.field.checked = settings.relaxed_deal;
      open.field.checked = settings.public;
    },
  };
}
