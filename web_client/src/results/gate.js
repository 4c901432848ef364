// The gate is the page before a game that starts only when the player presses Start. It shows the game, a lane for each
// runner, and the table with its cards face down. Today's race has a gate, and so has a ghost's link.

import { canStore } from '../browser/history.js';
import { kept, prefer, preference } from '../browser/storage.js';
import { bestOfYesterday } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { makeNameField, makeRadios, spiderCoin } from '../widgets/controls.js';
import { h, set } from '../widgets/element.js';
import { seatMark } from '../widgets/names.js';
import { FULL_DATE } from './days.js';

/**
 * @import {Days} from '../contract/messages.d.ts'
 * @typedef {{name: string, small?: string, colour: string, level?: string, isGhost?: boolean}} Lane
 *   a runner's track: `small` is a note after the name, `level` a computer player's; a ghost is drawn as an outline
 */

const DEALS = 5;
const COLUMNS = 10;
/** Each column has this many cards, and the first `LONG_COLUMNS` have one more. */
const CARDS = 5;
const LONG_COLUMNS = 4;
/** How many minutes a game usually takes. @type {Record<string, number>} */
const MINUTES = { 'spider-1': 5, 'spider-2': 9, 'spider-4': 15 };

/** Make the picture of a freshly dealt table with a lock on it. */
function makeTable() {
  const back = { class: 'card', 'data-back': true };
  const stock = Array.from({ length: DEALS }, (_, i) =>
    h('i', { ...back, 'data-top': true, '--x': i * 0.14 }),
  );
  // `--d` and `--u` count the face-down and the face-up cards under a card (see `hero.js`).
  const columns = Array.from({ length: COLUMNS }, (_, x) =>
    Array.from({ length: CARDS + Number(x < LONG_COLUMNS) }, (_card, at) =>
      h('i', { ...back, '--x': x, '--d': at, '--u': 0, '--most': 1 }),
    ),
  );
  const lock = h('b', { class: 'icon gate-lock', '--icon': 'var(--icon-lock)' });
  const looks = { class: 'landing-table gate-table', 'data-small': true, 'aria-hidden': 'true' };
  return h('div', looks, ...stock, ...columns.flat(), lock);
}

/** Make a lane, with its runner at the start. @param {Lane} lane */
export function makeLane({ name, small = '', colour, level, isGhost }) {
  const who = h('b', { dir: 'auto', text: name });
  const about = h('small', { class: 'text-note', text: small });
  const makeMark = () => (level ? spiderCoin(level) : seatMark(colour));
  const runner = h('span', { class: 'landing-token' }, makeMark());
  const track = h('span', { class: 'landing-track grow', 'aria-hidden': 'true' }, runner);
  const looks = { class: 'line', 'data-colour': colour, 'data-ghost': isGhost };
  const label = h('span', { class: 'gate-name text-cut' }, who, ' ', about);
  return h('div', looks, makeMark(), label, track);
}

/**
 * Make the gate of a game. From top to bottom: the `title`, the `facts`, the `lanes`, the table with the lines `about`
 * it, the `fields` for the player's choices, and the `note` beside the `start` button.
 * @param {{title: HTMLElement, facts: HTMLElement[], lanes: HTMLElement, about: HTMLElement[],
 *   fields: (HTMLElement | false)[], note: HTMLElement, start: HTMLElement}} parts
 */
export function makeGate({ title, facts, fields, lanes, about, note, start }) {
  const words = h('header', { class: 'row landing-words gate-words' }, title, ...facts);
  const below = h('div', { class: 'row between text-note' }, ...about);
  const looks = { class: 'pane pane-lit landing-stage gate-stage' };
  const stage = h('figure', looks, lanes, makeTable(), below);
  const choices = h('div', { class: 'stack' }, ...fields);
  const first = h('div', { class: 'stack landing-first' }, words, stage, choices);
  const page = h('div', { class: 'page stack landing-front grow gate-page' }, first);
  const bar = h('footer', { class: 'bar' }, note, start);
  return h('div', { class: 'results', id: 'gate' }, page, bar);
}

/** Return the lanes for today's race: this player's, and the chosen pacemaker's. @returns {Lane[]} */
function lanesOfDay() {
  const { you, ghost } = strings.GATE;
  const level = preference('pace');
  const own = { name: you, colour: 'blue' };
  if (level === 'nobody') return [own];
  const name = strings.STRENGTHS[level];
  return [own, { name, small: ghost, colour: 'violet', level, isGhost: true }];
}

/** Make the field for choosing a computer player as pacemaker. @param {() => void} changed called after each choice */
function makePacemakers(changed) {
  const { beside, nobody } = strings.GATE;
  const makeSample = (/** @type {string} */ level) =>
    h('i', { 'data-ghost': level === 'nobody' }, spiderCoin(level));
  const looks = { class: 'choice gate-choice', makeSample };
  const choice = makeRadios('pace', beside, { nobody, ...strings.STRENGTHS }, looks);
  choice.querySelector(`[value="${preference('pace')}"]`)?.toggleAttribute('checked', true);
  choice.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) prefer('pace', /** @type {any} */ (target.value));
    changed();
  });
  return choice;
}

/**
 * Make the gate of a game of today's race.
 * @param {{day: string, game: string}} address @param {(name: string) => void} onStart gets the typed name, or ''
 */
export function makeDayGate({ day, game }, onStart) {
  const words = strings.GATE;
  const name = makeNameField(words.name);
  set(name.input, { required: false, placeholder: strings.LANDING.nameless });
  const title = h('h1', { id: 'winner', text: strings.LANDING.today });
  const timeLeft = h('span', { class: 'pill', id: 'day-left' });
  const date = h('p', { text: strings.dayDate(day, FULL_DATE) });
  const facts = [date, h('b', { text: strings.suitsOf(game) }), timeLeft];
  const about = h('b', { id: 'about' });
  const best = h('span', { id: 'day-best' });
  // Without storage this player could not come back to the game.
  const lost = !canStore() && h('p', { class: 'field-problem', id: 'day-lost', text: words.lost });
  const paceNote = h('p', { class: 'text-note', id: 'day-pace', text: words.about });
  const lanes = h('div', { class: 'stack' });
  function drawPacemaker() {
    lanes.replaceChildren(...lanesOfDay().map(makeLane));
    set(paceNote, { hidden: preference('pace') === 'nobody' });
  }
  const beside = h('b', { 'aria-hidden': 'true', text: words.beside });
  const pacemakers = makePacemakers(drawPacemaker);
  const fields = [beside, pacemakers, paceNote, !kept('name') && name.element, lost];
  const once = h('b', { text: strings.gateOnce(MINUTES[game] ?? 0) });
  const note = h('p', {}, once, ' ', words.clock);
  const looks = { id: 'day-play', 'data-kind': 'primary', 'data-size': 'big', text: words.start };
  const start = h('button', { ...looks, onclick: () => onStart(name.typed()) });
  drawPacemaker();
  return {
    element: makeGate({ title, facts, lanes, fields, about: [about, best], note, start }),
    /** Draw the changing parts. @param {string} players how many @param {string} time left @param {boolean} isOpen */
    draw(players, time, isOpen) {
      set(about, { text: players });
      set(timeLeft, { hidden: time === '', text: time });
      set(start, { hidden: !isOpen });
    },
    /** Show the best result of yesterday's race. @param {Days} days */
    async showBest(days) {
      best.replaceChildren(...(await bestOfYesterday(days, game)));
    },
  };
}
