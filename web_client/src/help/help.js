// The help over the race: how the game is played, its state, buttons of the aids, and both presets of keys,
// the one in use first. On a touch screen the gestures come first, and the keys are folded.

import { prefer, preference } from '../browser/storage.js';
import { RANKS, SUITS } from '../contract/protocol.js';
import { shortRank, sign } from '../game/cards.js';
import { keysHere, PRESETS } from '../play/key-bindings.js';
import { tableOf } from '../play/player.js';
import { prepareStrategy } from '../strategy/strategy.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { makeKeyTrial } from './key-trial.js';
import { makeLesson } from './lesson.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {TableView} from '../contract/notation.js'
 * @import {Aids} from '../play/aids.js'
 * @import {Command, Preset} from '../play/key-bindings.js'
 * @import {Player} from '../play/player.js'
 * @typedef {{app: App, player: Player, aids: Aids, lastReason: string}} Race `lastReason` of a refusal, or ''
 */

const DIGITS = 10;

/** Make the names of keys; all ten digits are abbreviated. @param {readonly string[]} keys */
function keyNames(keys) {
  const shown = keys.length === DIGITS ? ['1', '…', '0'] : keys;
  return shown.map((key) => h(key === '…' ? 'span' : 'kbd', { text: key }));
}

/** Make the list of the keys of a preset. @param {Preset} preset */
function keyList(preset) {
  const rows = PRESETS[preset].map(([keys, command]) =>
    h(
      'div',
      { 'data-command': command },
      h('dt', {}, ...keyNames(keysHere(keys))),
      h('dd', { text: strings.KEYS[command] }),
    ),
  );
  return h('section', {}, h('h4', { text: strings.HELP.presets[preset] }), h('dl', {}, ...rows));
}

/** Return whether a tap of a finger makes the best move. */
function isOneTap() {
  const choice = preference('oneTap');
  return choice === 'auto' || choice === 'on';
}

/** Make the section about gestures. @param {boolean} ofColumns whether the game has columns */
function touchSection(ofColumns) {
  const { touch, oneTap, twoTaps, touching, littleTap, littleHands } = strings.HELP;
  const ofLittle = isOneTap() ? littleTap : littleHands;
  const lines = ofColumns ? [...(isOneTap() ? oneTap : twoTaps), ...touching] : [ofLittle];
  return h(
    'section',
    { id: 'help-touch' },
    h('h3', { text: touch }),
    h('ul', { class: 'help-pointer' }, ...lines.map((text) => h('li', { text }))),
  );
}

/** Make the list of what a mouse does. @param {boolean} ofColumns whether the game has columns */
function mouseSection(ofColumns) {
  const { pointer, littleHands } = strings.HELP;
  const lines = ofColumns ? pointer : [littleHands];
  return h(
    'ul',
    { class: 'help-pointer', id: 'help-mouse' },
    ...lines.map((text) => h('li', { text })),
  );
}

/** Fold a section. @param {string} title @param {HTMLElement} section */
function folded(title, section) {
  section.querySelector('h3')?.remove();
  return h('details', { class: 'help-fold' }, h('summary', { text: title }), section);
}

/** Make the choice of the preset, and the lists of both. */
function keysSection() {
  /** @type {readonly Preset[]} */
  const presets = ['modern', 'classic'];
  const lists = h('div', { class: 'help-keys', id: 'help-keys' });
  /** Draw the lists, that of the chosen preset first. */
  function draw() {
    const used = preference('keys');
    const order = presets.toSorted((a, b) => Number(b === used) - Number(a === used));
    lists.replaceChildren(...order.map(keyList));
  }
  const radios = presets.map((preset) =>
    h(
      'label',
      { class: 'field-check' },
      h('input', {
        type: 'radio',
        name: 'help-keys',
        value: preset,
        checked: preference('keys') === preset,
        onchange() {
          prefer('keys', preset);
          draw();
        },
      }),
      h('span', { text: strings.HELP.presets[preset] }),
    ),
  );
  /** Light the row of a command in the list of the chosen preset. @param {Command} command */
  function light(command) {
    for (const row of lists.querySelectorAll('[data-lit]')) row.removeAttribute('data-lit');
    const row = lists.querySelector(`[data-command="${command}"]`);
    row?.toggleAttribute('data-lit', true);
    row?.scrollIntoView({ block: 'nearest' });
  }
  const letters = h('input', {
    type: 'checkbox',
    id: 'help-letters',
    checked: preference('letterKeys'),
    onchange: () => prefer('letterKeys', letters.checked),
  });
  draw();
  return h(
    'section',
    {},
    h('h3', { text: strings.HELP.keys }),
    h('fieldset', {}, h('legend', { text: strings.HELP.keys }), ...radios),
    h('label', { class: 'field-check' }, letters, h('span', { text: strings.HELP.letters })),
    makeKeyTrial(light),
    lists,
  );
}

/** Make the buttons of the aids, and the form that finds a card. @param {Race} race @param {() => void} close */
function aidsSection({ aids, player }, close) {
  const words = strings.HELP;
  const mark = h('button', { id: 'help-mark', text: words.mark });
  mark.setAttribute('aria-pressed', String(aids.isMarking()));
  const box = h('button', { id: 'help-box', text: words.box });
  box.setAttribute('aria-pressed', String(preference('moveBox')));
  const rank = h('select', { id: 'find-rank', 'aria-label': words.rank });
  for (const each of RANKS) rank.append(h('option', { value: each, text: shortRank(each) }));
  const suit = h('select', { id: 'find-suit', 'aria-label': words.suit });
  for (const each of SUITS)
    suit.append(h('option', { value: each, text: words.suits[each] ?? '' }));
  const find = h(
    'form',
    { class: 'help-tools' },
    h('span', { text: words.find }),
    rank,
    suit,
    h('button', { id: 'find-go', type: 'submit', text: words.go }),
  );
  mark.addEventListener('click', () => {
    close();
    aids.toggleMarks();
  });
  box.addEventListener('click', () => {
    close();
    prefer('moveBox', !preference('moveBox'));
  });
  find.addEventListener('submit', (event) => {
    event.preventDefault();
    close();
    aids.find(rank.value + suit.value);
  });
  for (const each of [mark, box]) each.disabled = tableOf(player) === null;
  return h(
    'section',
    {},
    h('h3', { text: words.aids }),
    h('div', { class: 'help-tools' }, mark, box),
    find,
  );
}

/** Return whether a table has columns, in which runs are built. @param {TableView} view */
const hasColumns = ({ piles }) => piles.some(({ fan }) => fan === 'down');

/** Make the section about the state of the game. @param {Race} race */
function statusSection({ app, lastReason }) {
  const view = app.state().play?.shown;
  if (!view) return null;
  const columns = view.piles.filter((pile) => pile.role === 'tableau').length;
  const deals = Math.ceil(view.counts.stock / columns);
  if (!hasColumns(view))
    return h('section', {}, h('p', { id: 'help-status', text: strings.littleStatus(view, deals) }));
  const text = strings.helpStatus(view, deals);
  const exceptions = app.state().room?.settings.exceptions ?? 'off';
  const removed = view.piles.flatMap(({ role, up: [card], up: { length } }) =>
    role === 'foundation' && card && length === RANKS.length ? [sign(card).slice(-1)] : [],
  );
  const undoPolicy = app.state().room?.settings.undo;
  return h(
    'section',
    {},
    h('p', { id: 'help-status', text }),
    h('p', { id: 'help-level', text: strings.LEVELS[exceptions] }),
    exceptions !== 'off' && h('p', { id: 'help-exceptions', text: strings.EXCEPTION_ABOUT }),
    h('p', { id: 'help-suits', text: strings.suitsRemoved(removed) }),
    (undoPolicy === 'any' || undoPolicy === 'counted') &&
      h('p', {
        id: 'help-cheats',
        text: `${strings.cheatRule(undoPolicy)} (${strings.cheats(view.counts.cheats)})`,
      }),
    lastReason && h('p', { id: 'help-why', text: strings.lastRefused(lastReason) }),
  );
}

/** Make the button that replaces the help by the tips for this game. @param {Race} race @param {() => void} close */
function tipsButton({ app }, close) {
  const button = h('button', { id: 'help-tips', text: strings.HELP.tips });
  button.addEventListener('click', () => {
    const game = app.state().room?.settings.game ?? '';
    prepareStrategy(game).then(
      (open) => {
        if (!button.isConnected) return; // the help has been closed meanwhile
        close();
        open();
      },
      () => app.announce(strings.NOT_LOADED),
    );
  });
  return button;
}

/** Open the help; a closed one is removed from the page. @param {Race} race */
export function openHelp(race) {
  if (document.getElementById('help-dialog')) return;
  const close = () => dialog.close();
  const words = strings.HELP;
  const isTouchScreen = matchMedia('(pointer: coarse)').matches;
  const { room, play } = race.app.state();
  const ofColumns = !play || hasColumns(play.shown);
  const dialog = h(
    'dialog',
    {
      id: 'help-dialog',
      class: 'dialog-tall help',
      'aria-labelledby': 'help-title',
      closedby: 'any',
    },
    h(
      'header',
      {},
      h('h2', { id: 'help-title', text: words.title }),
      h('button', { id: 'help-close', 'data-kind': 'primary', text: words.close, onclick: close }),
    ),
    h(
      'div',
      { class: 'help-sections' },
      isTouchScreen && touchSection(ofColumns),
      makeLesson(room?.settings.game),
      !isTouchScreen && mouseSection(ofColumns),
      statusSection(race),
      tipsButton(race, close),
      aidsSection(race, close),
      isTouchScreen ? folded(words.keys, keysSection()) : keysSection(),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
