// The help over the race: the lesson, the state of the game, the aid buttons, and the keys. On a touch screen it has
// the gestures instead of the mouse, and the list of keys is folded.

import { prefer, preference } from '../browser/storage.js';
import { GAMES, RANKS, SUITS } from '../contract/protocol.js';
import { shortRank, sign, suitsHome } from '../game/cards.js';
import { commandsOf, keysHere } from '../play/commands.js';
import { tableOf } from '../play/player.js';
import { isForOne, isIdle } from '../state/state.js';
import { prepareStrategy } from '../strategy/strategy.js';
import { strings } from '../strings/language.js';
import { makeRadios } from '../widgets/controls.js';
import { openDialog } from '../widgets/dialogs.js';
import { callAll, h, listen, restartAnimation } from '../widgets/element.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Aids} from '../play/aids.js'
 * @import {Player} from '../play/player.js'
 * @typedef {{app: App, player: Player, aids: Aids, lastReason: string}} Race `lastReason` is why the last move was
 *   refused, or ''
 */

/** Return whether a game has columns of spread cards; true without a game. @param {TableView | undefined} view */
const hasColumns = (view) => !view || view.piles.some(({ fan }) => fan === 'down');

/** Make the section about moving cards. @param {boolean} isTouch @param {boolean} withColumns if there are columns */
function gesturesSection(isTouch, withColumns) {
  const words = strings.HELP;
  const isOneTap = isTouch && preference('oneTap') !== 'off'; // on a touch screen `auto` means on
  const touches = [...(isOneTap ? words.oneTap : words.twoTaps), ...words.touching];
  let lines = isTouch ? touches : words.pointer;
  if (!withColumns) lines = [isOneTap ? words.oneTapNoColumns : words.twoPressesNoColumns];
  if (!isTouch) return makeLines(lines, 'help-mouse');
  const looks = { class: 'stack', id: 'help-touch' };
  return h('section', looks, h('h3', { text: words.touch }), makeLines(lines));
}

/** Make the section about the state of the game, or null if there is no game. @param {Race} race */
function statusSection({ app, lastReason }) {
  const { play, room } = app.state();
  if (!play) return null;
  const { piles, counts } = play.shown;
  const columns = piles.filter((pile) => pile.role === 'tableau').length;
  const status = strings.dealsLeft(Math.ceil(counts.stock / columns)); // a deal is a card for each column
  const { exceptions = 'off', undo = 'off' } = room?.settings ?? {};
  const removedSuits = suitsHome(piles).map((suit) => sign(`K${suit}`).slice(-1)); // ♠ of K♠
  const isCounted = undo === 'any' || undo === 'counted';
  const lines = hasColumns(play.shown)
    ? {
        status,
        level: exceptions !== 'off' && strings.LEVELS[exceptions],
        exceptions: exceptions !== 'off' && strings.EXCEPTION_ABOUT,
        suits: strings.suitsRemoved(removedSuits),
        cheats: isCounted && `${strings.cheatRule(undo)} (${strings.cheats(counts.cheats)})`,
        why: lastReason !== '' && strings.lastRefused(lastReason),
      }
    : { status: `${status} ${strings.cardsPlayed(counts.home)}` };
  const shown = Object.entries(lines).map(
    ([name, text]) => text && h('p', { id: `help-${name}`, text }),
  );
  return h('section', { class: 'stack' }, ...shown);
}

/** Make the button that opens the tips in place of the help. @param {Race} race @param {() => void} close the help */
function tipsButton({ app }, close) {
  async function showTips() {
    const open = await prepareStrategy(app.state().room?.settings.game ?? '').catch(() => null);
    if (!open) app.announce(strings.NOT_LOADED);
    else if (button.isConnected) {
      // The help is still open.
      close();
      open();
    }
  }
  const button = h('button', { id: 'help-tips', text: strings.HELP.tips, onclick: showTips });
  return button;
}

/** Make the aid buttons and the form that finds a card. @param {Race} race @param {() => void} close closes the help */
function aidsSection({ aids, player }, close) {
  const words = strings.HELP;
  /** Make an aid's button. @param {string} name @param {string} text @param {boolean} isOn @param {() => void} act */
  function makeButton(name, text, isOn, act) {
    const states = { 'aria-pressed': String(isOn), disabled: tableOf(player) === null };
    return h('button', { id: `help-${name}`, text, ...states, onclick: callAll(close, act) });
  }
  /**
   * Make the menu of all ranks or suits.
   * @param {'rank' | 'suit'} name @param {string} values @param {(value: string) => string} nameOf
   */
  function makeChoice(name, values, nameOf) {
    const options = [...values].map((value) => h('option', { value, text: nameOf(value) }));
    return h('select', { id: `find-${name}`, 'aria-label': words[name] }, ...options);
  }
  const isTyping = preference('moveBox');
  const rank = makeChoice('rank', RANKS, shortRank);
  const suit = makeChoice('suit', SUITS, (each) => words.suits[each] ?? '');
  const find = callAll(close, () => aids.find(rank.value + suit.value));
  const mark = makeButton('mark', strings.KEYS.mark, aids.isMarking(), aids.toggleMarks);
  const box = makeButton('box', strings.KEYS.type, isTyping, () => prefer('moveBox', !isTyping));
  const go = h('button', { id: 'find-go', type: 'submit', text: words.go });
  const form = h('form', { class: 'row help-tools', onsubmit: find });
  form.append(h('span', { text: words.find }), rank, suit, go);
  const tools = h('div', { class: 'row help-tools' }, mark, box);
  return h('section', { class: 'stack' }, h('h3', { text: words.aids }), tools, form);
}

/** Make the elements that show a command's keys; ten digits are `1 … 0`. @param {readonly string[]} keys */
function keyNames(keys) {
  const shown = keys.length === 10 ? ['1', '…', '0'] : keys;
  return shown.map((key) => h(key === '…' ? 'span' : 'kbd', { text: key }));
}

/** Make the choice among the sets of keys, and the list of the chosen ones. @param {boolean} isTouch */
function keysSection(isTouch) {
  const list = h('dl', { class: 'help-keys', id: 'help-keys' });
  const draw = () => {
    const lines = commandsOf(preference('keys')).map(({ command, keys }) => {
      const names = h('dt', { class: 'row' }, ...keyNames(keysHere(keys)));
      return h('div', {}, names, h('dd', { text: strings.KEYS[command] }));
    });
    list.replaceChildren(...lines);
  };
  const { title, names } = strings.PREFERENCES.keys;
  const presets = makeRadios('help-keys', title, names);
  for (const radio of presets.querySelectorAll('input'))
    radio.checked = radio.value === preference('keys');
  listen(presets, 'change', ({ target }) => {
    prefer('keys', target.value);
    draw();
  });
  draw();
  const heading = h('summary', {}, h('h3', { text: strings.HELP.keys }));
  const section = h('section', { class: 'stack' }, presets, list);
  return h('details', { class: 'help-fold', open: !isTouch }, heading, section);
}

/** Open the help over the race, unless it is open already. @param {Race} race */
export function openHelp(race) {
  if (document.getElementById('help-dialog')) return;
  const close = () => dialog.close();
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const { room, play } = race.app.state();
  const dialog = openDialog(
    'help',
    strings.LANDING.lesson,
    strings.BUTTONS.close,
    makeLesson(room?.settings.game),
    gesturesSection(isTouch, hasColumns(play?.shown)),
    statusSection(race),
    tipsButton(race, close),
    aidsSection(race, close),
    keysSection(isTouch),
  );
}

// The lesson: how to play, in three pictures. It is a part of the help and of the front page, and is shown alone before
// the first practice game. The cards of a picture move once, and again when the pointer enters it. With reduced motion
// they are shown in their final places.

/**
 * @typedef {readonly [x: number, y: number]} Position in widths and heights of a card
 * @typedef {{card: string, at: Position, to?: Position, delay?: number}} Placed a card and its position; with `to` it
 *   moves there, after a `delay` in seconds
 */

const SUIT = [...RANKS].toReversed().map((rank) => `${rank}S`);

/** The cards of each picture; '' is a face-down card. @type {Readonly<Record<'move' | 'deal' | 'suit', Placed[]>>} */
const PICTURES = {
  move: [
    { card: '9S', at: [1.7, 0] },
    { card: '', at: [0, 0] },
    { card: '8S', at: [0, 0.22], to: [1.7, 0.42] },
    { card: '7S', at: [0, 0.64], to: [1.7, 0.84] },
  ],
  deal: [
    { card: 'QS', at: [0, 0] },
    { card: '4S', at: [1.1, 0] },
    { card: '', at: [2.35, 0.66] },
    { card: '', at: [2.4, 0.6] },
    { card: '6S', at: [2.4, 0.6], to: [0, 0.42] },
    { card: 'KS', at: [2.4, 0.6], to: [1.1, 0.42], delay: 0.25 },
  ],
  suit: SUIT.map((card, i) => {
    const y = i > 0 ? 0.25 + i * 0.055 : 0;
    return { card, at: [0.2, y], to: [2.1, 0.5], delay: (SUIT.length - 1 - i) * 0.05 };
  }),
};

/** Make a card in one of the lesson's pictures. @param {Placed} placed */
const makeCard = ({ card, at: [x, y], to, delay = 0 }) =>
  h('div', {
    ...{ class: 'card', 'data-back': !card, 'data-card': card || null, 'data-moves': Boolean(to) },
    ...{ '--x': x, '--y': y, '--delay': `${delay}s` },
    ...(to && { '--dx': to[0] - x, '--dy': to[1] - y }),
  });

const FIGURES = /** @type {(keyof typeof PICTURES)[]} */ (Object.keys(PICTURES));

/** Make a picture of the lesson, with its sentence. @param {keyof typeof PICTURES} name */
function makeFigure(name) {
  const looks = { class: 'help-stage', 'data-small': true, 'aria-hidden': 'true' };
  const stage = h('div', { ...looks, 'data-figure': name }, ...PICTURES[name].map(makeCard));
  const play = () => restartAnimation(stage, 'data-playing');
  play();
  const caption = h('figcaption', { text: strings.LESSON[name] });
  return h('figure', { class: 'row help-figure', onpointerenter: play }, stage, caption);
}

/** Make the lesson: three pictures, each with a sentence; for Little Spider only sentences. @param {string} [game] */
const makeLesson = (game = '') =>
  GAMES[game]?.family === 'little-spider'
    ? makeLines(strings.LITTLE_LESSON)
    : h('div', { class: 'help-lesson' }, ...FIGURES.map(makeFigure));

/** Make a list of sentences. @param {readonly string[]} lines @param {string} [id] */
const makeLines = (lines, id) =>
  h('ul', { id, class: 'stack help-lines' }, ...lines.map((text) => h('li', { text })));

/** Make the line about fair deals, which unfolds the explanation. */
function fairLine() {
  const { title, about } = strings.FAIR;
  const lines = about.map((text) => h('p', { text }));
  return h('details', { class: 'help-fair text-small' }, h('summary', { text: title }), ...lines);
}

/** Show the lesson, unless a dialog is open. @param {() => void} [closed] called when the player has closed it */
export function showLesson(closed) {
  if (document.querySelector('dialog[open]')) return;
  const { lesson } = strings.LANDING;
  openDialog('lesson', lesson, strings.LESSON.close, makeLesson()).addEventListener('close', () => {
    document.getElementById('board')?.focus({ preventScroll: true });
    closed?.();
  });
}

/** Show the lesson over a first game, then restart the game, since its clock has been running. @param {App} app */
export const showFirstLesson = (app) => showLesson(() => restart(app));

/** Restart the game with the same deal, unless the player has acted or others play, too. @param {App} app */
function restart({ state, send }) {
  const { room, play } = state();
  const hasActed = !isIdle(play) || play?.base.at !== 0;
  if (room?.state !== 'RUNNING' || !isForOne(room) || hasActed) return;
  send({ type: 'abort' });
  send({ type: 'start', again: true });
}

/** Fill a panel of the front page with the lesson. @param {HTMLElement} panel */
export function fillLesson(panel) {
  panel.setAttribute('aria-labelledby', 'lesson-title');
  const heading = h('h2', { id: 'lesson-title', text: strings.LANDING.lesson });
  panel.append(heading, makeLesson(), fairLine());
}
