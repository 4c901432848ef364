// Help over the race: where the game stands, aids that a pointer can reach, and both presets of
// keys, the one in use first.

import { PRESETS } from '../board/keys.js';
import { RANKS, SUITS, shortRank, sign } from '../core/cards.js';
import { fetchStrings, strings } from '../core/language.js';
import { prefer, preference } from '../core/preferences.js';
import { h, sheet } from '../shared/element.js';

/**
 * @import {App} from '../main.js'
 * @import {Aids} from '../board/helpers.js'
 * @import {Preset} from '../board/keys.js'
 * @import {Player} from '../board/player.js'
 * @typedef {{app: App, player: Player, aids: Aids, why: string}} Race
 */

const DIGITS = 10;

/** @param {readonly string[]} keys */
function keyNames(keys) {
  const shown = keys.length === DIGITS ? ['1', '…', '0'] : keys;
  return shown.map((key) => h(key === '…' ? 'span' : 'kbd', { text: key }));
}

/** @param {Preset} preset */
function keyList(preset) {
  const rows = PRESETS[preset].map(([keys, command]) =>
    h('div', {}, h('dt', {}, ...keyNames(keys)), h('dd', { text: strings.KEYS[command] })),
  );
  return h('section', {}, h('h4', { text: strings.HELP.presets[preset] }), h('dl', {}, ...rows));
}

function keys() {
  /** @type {readonly Preset[]} */
  const presets = ['modern', 'classic'];
  const lists = h('div', { class: 'key-lists' });
  function draw() {
    const used = preference('keys');
    const order = presets.toSorted((a, b) => Number(b === used) - Number(a === used));
    lists.replaceChildren(...order.map(keyList));
  }
  const radios = presets.map((preset) =>
    h(
      'label',
      { class: 'check' },
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
    h('fieldset', {}, h('legend', { class: 'unseen', text: strings.HELP.keys }), ...radios),
    h('label', { class: 'check' }, letters, h('span', { text: strings.HELP.letters })),
    lists,
  );
}

/** @param {Race} race @param {() => void} close */
function aidsOf({ aids, player }, close) {
  const words = strings.HELP;
  const mark = h('button', { type: 'button', id: 'help-mark', text: words.mark });
  mark.setAttribute('aria-pressed', String(aids.isMarking()));
  const box = h('button', { type: 'button', id: 'help-box', text: words.box });
  box.setAttribute('aria-pressed', String(preference('moveBox')));
  const rank = h('select', { id: 'find-rank', 'aria-label': words.rank });
  for (const each of RANKS) rank.append(h('option', { value: each, text: shortRank(each) }));
  const suit = h('select', { id: 'find-suit', 'aria-label': words.suit });
  for (const each of SUITS)
    suit.append(h('option', { value: each, text: words.suits[each] ?? '' }));
  const find = h(
    'form',
    { class: 'find' },
    h('span', { text: words.find }),
    rank,
    suit,
    h('button', { id: 'find-go', text: words.go }),
  );
  mark.addEventListener('click', () => {
    close();
    aids.mark();
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
  for (const each of [mark, box]) each.disabled = player.table() === null;
  return h(
    'section',
    {},
    h('h3', { text: words.aids }),
    h('div', { class: 'aids' }, mark, box),
    find,
  );
}

/** @param {Race} race */
function standing({ app, why }) {
  const view = app.state().play?.shown;
  if (!view) return null;
  const columns = view.piles.filter((pile) => pile.role === 'tableau').length;
  const text = strings.helpStatus(view, Math.ceil(view.counts.stock / columns));
  const level = strings.LEVELS[app.state().room?.settings.exceptions ?? 'off'];
  const removed = view.piles.flatMap(({ role, up: [card], up: { length } }) =>
    role === 'foundation' && card && length === RANKS.length ? [sign(card).slice(-1)] : [],
  );
  return h(
    'section',
    { class: 'standing' },
    h('p', { id: 'help-status', text }),
    h('p', { id: 'help-level', text: level }),
    h('p', { id: 'help-suits', text: strings.suitsRemoved(removed) }),
    app.state().room?.settings.undo === 'any' &&
      h('p', {
        id: 'help-cheats',
        text: `${strings.CHEAT} (${strings.cheats(view.counts.cheats)})`,
      }),
    why && h('p', { id: 'help-why', text: strings.lastRefused(why) }),
  );
}

/** Opens the advice on the game that is being played, in the place of the help. @param {Race} race @param {() => void} close */
function tips({ app }, close) {
  const button = h('button', { type: 'button', id: 'help-tips', text: strings.HELP.tips });
  button.addEventListener('click', async () => {
    const game = app.state().room?.settings.game ?? '';
    const open = await import('../strategy/strategy.js')
      .then(({ prepareStrategy }) => prepareStrategy(game))
      .catch(() => () => app.announce(strings.NOT_CONNECTED));
    if (!button.isConnected) return; // the help was closed meanwhile
    close();
    open();
  });
  return button;
}

/** Opens the help; once it is closed nothing of it is left. @param {Race} race */
export async function openHelp(race) {
  if (document.getElementById('help-dialog')) return;
  await Promise.all([sheet('help'), fetchStrings('help')]);
  const close = () => dialog.close();
  const words = strings.HELP;
  const dialog = h(
    'dialog',
    { id: 'help-dialog', class: 'tall', 'aria-labelledby': 'help-title', closedby: 'any' },
    h(
      'header',
      {},
      h('h2', { id: 'help-title', text: words.title }),
      h('button', {
        type: 'button',
        id: 'help-close',
        class: 'primary',
        text: words.close,
        onclick: close,
      }),
    ),
    h(
      'div',
      { class: 'sections' },
      standing(race),
      tips(race, close),
      aidsOf(race, close),
      h('ul', { class: 'pointer' }, ...words.pointer.map((text) => h('li', { text }))),
      keys(),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
