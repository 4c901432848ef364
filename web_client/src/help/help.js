// The help over the race: how the game is played, its state, buttons of the aids, and the keys in use. On
// a touch screen the gestures stand for the mouse, and the keys are folded.

import { prefer, preference } from '../browser/storage.js';
import { RANKS, SUITS } from '../contract/protocol.js';
import { shortRank, sign } from '../game/cards.js';
import { commandOf, commandsOf, keyName, keysHere } from '../play/commands.js';
import { tableOf } from '../play/player.js';
import { prepareStrategy } from '../strategy/strategy.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { makeLesson, makeLines, openDialog } from './lesson.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {TableView} from '../contract/notation.js'
 * @import {Aids} from '../play/aids.js'
 * @import {Preset} from '../play/commands.js'
 * @import {Player} from '../play/player.js'
 * @typedef {{app: App, player: Player, aids: Aids, lastReason: string}} Race `lastReason` of a refusal, or ''
 */

/** @type {readonly Preset[]} */
const PRESETS = ['modern', 'classic'];

/** Return whether a table has columns, in which runs are built. @param {TableView | undefined} view */
const hasColumns = (view) => !view || view.piles.some(({ fan }) => fan === 'down');

/** Make the list of what a finger or a mouse does. @param {boolean} isTouch @param {boolean} ofColumns whether the game has columns */
function handsSection(isTouch, ofColumns) {
  const { touch, oneTap, twoTaps, touching, littleTap, littleHands, pointer } = strings.HELP;
  if (!isTouch) return makeLines(ofColumns ? pointer : [littleHands], 'help-mouse');
  const isOneTap = preference('oneTap') !== 'off';
  const ofLittle = isOneTap ? littleTap : littleHands;
  const lines = ofColumns ? [...(isOneTap ? oneTap : twoTaps), ...touching] : [ofLittle];
  return h('section', { id: 'help-touch' }, h('h3', { text: touch }), makeLines(lines));
}

/** Make the section about the state of the game. @param {Race} race */
function statusSection({ app, lastReason }) {
  const { play, room } = app.state();
  if (!play) return null;
  const { piles, counts } = play.shown;
  const columns = piles.filter((pile) => pile.role === 'tableau').length;
  const status = strings.dealsLeft(Math.ceil(counts.stock / columns));
  const { exceptions = 'off', undo = 'off' } = room?.settings ?? {};
  const removed = piles.flatMap(({ role, up: [card], up: { length } }) =>
    role === 'foundation' && card && length === RANKS.length ? [sign(card).slice(-1)] : [],
  );
  const isCounted = undo === 'any' || undo === 'counted';
  /** @type {Record<string, string | false>} */
  const lines = hasColumns(play.shown)
    ? {
        status,
        level: strings.LEVELS[exceptions],
        exceptions: exceptions !== 'off' && strings.EXCEPTION_ABOUT,
        suits: strings.suitsRemoved(removed),
        cheats: isCounted && `${strings.cheatRule(undo)} (${strings.cheats(counts.cheats)})`,
        why: lastReason !== '' && strings.lastRefused(lastReason),
      }
    : { status: `${status} ${strings.cardsPlayed(counts.home)}` };
  return h(
    'section',
    {},
    ...Object.entries(lines).map(([name, text]) => text && h('p', { id: `help-${name}`, text })),
  );
}

/** Make the button that replaces the help by the tips for this game. @param {Race} race @param {() => void} close */
function tipsButton({ app }, close) {
  /** Show the tips, unless the help has been closed while they came. */
  function show() {
    prepareStrategy(app.state().room?.settings.game ?? '').then(
      (open) => {
        if (!button.isConnected) return;
        close();
        open();
      },
      () => app.announce(strings.NOT_LOADED),
    );
  }
  const button = h('button', { id: 'help-tips', text: strings.HELP.tips, onclick: show });
  return button;
}

/** Make the buttons of the aids, and the form that finds a card. @param {Race} race @param {() => void} close */
function aidsSection({ aids, player }, close) {
  const words = strings.HELP;
  /** Make a button that closes the help and acts. @param {string} name @param {boolean} isOn @param {() => void} act */
  const makeButton = (name, isOn, act) =>
    h('button', {
      id: `help-${name}`,
      text: words[/** @type {'mark' | 'box'} */ (name)],
      'aria-pressed': String(isOn),
      disabled: tableOf(player) === null,
      onclick() {
        close();
        act();
      },
    });
  const isTyping = preference('moveBox');
  /** Make a choice. @param {'rank' | 'suit'} name @param {string} values @param {(value: string) => string} nameOf */
  const makeChoice = (name, values, nameOf) =>
    h(
      'select',
      { id: `find-${name}`, 'aria-label': words[name] },
      ...[...values].map((value) => h('option', { value, text: nameOf(value) })),
    );
  const rank = makeChoice('rank', RANKS, shortRank);
  const suit = makeChoice('suit', SUITS, (each) => words.suits[each] ?? '');
  const find = h(
    'form',
    {
      class: 'help-tools',
      onsubmit(/** @type {SubmitEvent} */ event) {
        event.preventDefault();
        close();
        aids.find(rank.value + suit.value);
      },
    },
    h('span', { text: words.find }),
    rank,
    suit,
    h('button', { id: 'find-go', type: 'submit', text: words.go }),
  );
  return h(
    'section',
    {},
    h('h3', { text: words.aids }),
    h(
      'div',
      { class: 'help-tools' },
      makeButton('mark', aids.isMarking(), aids.toggleMarks),
      makeButton('box', isTyping, () => prefer('moveBox', !isTyping)),
    ),
    find,
  );
}

/** Make the names of keys; all ten digits are abbreviated. @param {readonly string[]} keys */
const keyNames = (keys) =>
  (keys.length === 10 ? ['1', '…', '0'] : keys).map((key) =>
    h(key === '…' ? 'span' : 'kbd', { text: key }),
  );

/** Make the choice of the keys, their list, and the place to try them: a key lights its line. */
function keysSection() {
  const words = strings.HELP;
  const list = h('dl', { class: 'help-keys', id: 'help-keys' });
  const draw = () =>
    list.replaceChildren(
      ...commandsOf(preference('keys')).map(({ command, keys }) =>
        h(
          'div',
          { 'data-command': command },
          h('dt', {}, ...keyNames(keysHere(keys))),
          h('dd', { text: strings.KEYS[command] }),
        ),
      ),
    );
  const radios = PRESETS.map((preset) =>
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
      h('span', { text: strings.PREFERENCES.keys.names[preset] }),
    ),
  );
  const letters = h('input', {
    type: 'checkbox',
    id: 'help-letters',
    checked: preference('letterKeys'),
    onchange: () => prefer('letterKeys', letters.checked),
  });
  const said = h('p', { id: 'help-said', class: 'help-said', role: 'status', text: words.trial });
  /** Light the line of a key. @param {KeyboardEvent} event */
  function press(event) {
    if (event.key === 'Tab' || event.key === 'Escape') return;
    const command = commandOf(event, preference('keys'), preference('letterKeys'));
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    set(said, { text: `${keyName(event)}: ${strings.KEYS[command]}` });
    list.querySelector('[data-lit]')?.removeAttribute('data-lit');
    const line = list.querySelector(`[data-command="${command}"]`);
    line?.setAttribute('data-lit', '');
    line?.scrollIntoView({ block: 'nearest' });
  }
  draw();
  return h(
    'section',
    {},
    h('h3', { text: words.keys }),
    h('fieldset', {}, h('legend', { class: 'text-spoken', text: words.keys }), ...radios),
    h(
      'label',
      { class: 'field-check' },
      letters,
      h('span', { text: strings.PREFERENCES.letterKeys }),
    ),
    h(
      'div',
      {
        id: 'help-trial',
        class: 'help-trial',
        tabindex: 0,
        role: 'application',
        'aria-label': words.trial,
        onkeydown: press,
      },
      said,
    ),
    list,
  );
}

/** Fold a section below its heading. @param {HTMLElement} section */
function folded(section) {
  const text = section.querySelector('h3')?.textContent;
  section.querySelector('h3')?.remove();
  return h('details', { class: 'help-fold' }, h('summary', { text }), section);
}

/** Open the help. @param {Race} race */
export function openHelp(race) {
  if (document.getElementById('help-dialog')) return;
  const close = () => dialog.close();
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const { room, play } = race.app.state();
  const keys = keysSection();
  const dialog = openDialog(
    'help',
    strings.HELP.close,
    makeLesson(room?.settings.game),
    handsSection(isTouch, hasColumns(play?.shown)),
    statusSection(race),
    tipsButton(race, close),
    aidsSection(race, close),
    isTouch ? folded(keys) : keys,
  );
}
