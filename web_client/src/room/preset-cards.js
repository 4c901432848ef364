// The presets as cards: a small picture of the table, the name, and half a sentence. A narrow screen
// shows the sentence of the chosen one only.

import { GAMES } from '../contract/games.js';
import { strings } from '../strings/language.js';
import { h, svg, write } from '../widgets/element.js';

/**
 * @import {Catalogue, Settings} from '../contract/messages.d.ts'
 * @typedef {Catalogue['presets'][number]} Preset
 */

/** The value of the card for rules that match no preset. */
export const CUSTOM = 'custom';

const SPADE =
  'M0-10C3-5 9-2 9 3.5 9 8.5 3.5 9 1.2 5.5Q1.5 8.5 4 10H-4Q-1.5 8.5-1.2 5.5C-3.5 9-9 8.5-9 3.5-9-2-3-5 0-10Z';
const HEART = 'M0 9C-8 3-10-2-8-6-5-10-1-8 0-4 1-8 5-10 8-6 10-2 8 3 0 9Z';
const DIAMOND = 'M0-10.5Q3.5-4 8 0 3.5 4 0 10.5-3.5 4-8 0-3.5-4 0-10.5Z';
const CLUB =
  'M1.2 4.5Q1.5 8.5 4 10H-4Q-1.5 8.5-1.2 4.5A4.6 4.6 0 1 1-4.4-2.6 4.6 4.6 0 1 1 4.4-2.6 4.6 4.6 0 1 1 1.2 4.5Z';
/** The pips, in the order in which games take them. */
const PIPS = [SPADE, HEART, CLUB, DIAMOND];
/** The width of a picture, in which the columns stand beside each other. */
const WIDTH = 52;
const HEIGHT = 40;
/** The face-up card below each column, and the face-down ones above it, by column. */
const DEPTHS = [5, 5, 5, 5, 4, 4, 4, 4, 4, 4];

/** Return how many cards lie in a column. @param {Settings['game']} game @param {number} at */
function depthOf(game, at) {
  if (game.startsWith('spiderette')) return at;
  return game === 'little-spider' ? 1 : (DEPTHS[at] ?? 0);
}

/** Draw the table of a preset: its columns, and a pip for each suit. @param {Settings} settings */
function drawTable({ game, score }) {
  const suits = GAMES[game]?.suits ?? 1;
  const columns = game.startsWith('spiderette') ? 7 : game === 'little-spider' ? 8 : 10;
  const step = (WIDTH - 6) / columns;
  const bars = Array.from({ length: columns }, (_, at) => {
    const depth = depthOf(game, at) * 1.6;
    return [
      svg('rect', {
        'data-part': 'back',
        x: 3.5 + at * step,
        y: 4,
        width: step - 1,
        height: depth + 2,
      }),
      svg('rect', {
        'data-part': 'face',
        x: 3.5 + at * step,
        y: 4 + depth,
        width: step - 1,
        height: 8,
      }),
    ];
  }).flat();
  const pips = PIPS.slice(0, suits).map((path, at) =>
    svg('path', {
      d: path,
      'data-part': 'pip',
      transform: `translate(${WIDTH / 2 + (at - (suits - 1) / 2) * 11} 31)scale(.48)`,
    }),
  );
  const picture = svg(
    'svg',
    { class: 'preset-table', viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
    ...bars,
    ...pips,
  );
  picture.dataset.look = score === 'dos' ? 'dos' : 'felt';
  return picture;
}

/** Make the card of a preset. @param {string} id @param {string} name @param {string} about */
const makeCard = (id, name, about) =>
  h(
    'label',
    { class: 'preset-card' },
    h('input', { type: 'radio', name: 'preset', value: id }),
    h('span', { 'data-part': 'picture', 'aria-hidden': 'true' }),
    h('b', { text: name }),
    h('span', { class: 'preset-sentence', text: about }),
  );

/** Bind the cards. @param {(id: string) => void} choose called with the preset that was chosen */
export function bindPresetCards(choose) {
  const list = h('div', { class: 'preset-list' });
  const about = h('p', {
    class: 'text-small preset-chosen',
    id: 'preset-about',
    'aria-hidden': 'true',
  });
  const element = h(
    'fieldset',
    { class: 'preset', id: 'set-preset' },
    h('legend', { text: strings.FORM.preset }),
    list,
    about,
  );
  element.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) choose(target.value);
  });
  const sentenceOf = (/** @type {string} */ id) =>
    id === CUSTOM ? strings.FORM.ownAbout : (strings.PRESETS_ABOUT[id] ?? '');
  return {
    element,
    /** Show the cards: the catalogue is loaded. @param {readonly Preset[]} presets */
    fill(presets) {
      list.replaceChildren(
        ...presets.map(({ id }) => makeCard(id, strings.PRESETS[id] ?? id, sentenceOf(id))),
        makeCard(CUSTOM, strings.FORM.own, sentenceOf(CUSTOM)),
      );
      for (const { id, settings } of presets) drawPicture(id, settings);
    },
    /** Show which preset is chosen; rules that match none are shown as one more card. @param {string} id @param {Settings} settings */
    draw(id, settings) {
      for (const card of list.querySelectorAll('input')) {
        card.checked = card.value === id;
        if (card.value === CUSTOM) card.parentElement?.toggleAttribute('hidden', id !== CUSTOM);
      }
      drawPicture(CUSTOM, settings);
      write(about, sentenceOf(id));
    },
  };

  /** Draw the picture of a card. @param {string} id @param {Settings} settings */
  function drawPicture(id, settings) {
    list
      .querySelector(`[value="${id}"] + [data-part="picture"]`)
      ?.replaceChildren(drawTable(settings));
  }
}
