// The gate before a game that starts only when the player presses Start: what it is, who runs beside the
// player, and the table with its cards face down. Today's race has one, and so has the link of a ghost.

import { seatMark, spiderCoin } from '../widgets/controls.js';
import { h } from '../widgets/element.js';

/**
 * @typedef {{name: string, small?: string, colour: string, level?: string, isGhost?: boolean}} Lane
 *   who runs: `small` are words after the name, `level` is that of a computer player; a ghost is an outline
 */

const DEALS = 5;
const COLUMNS = 10;
/** The first columns have a card more than the others. */
const LONG_COLUMNS = 4;
const CARDS = 5;

/** Make the table before the first act, locked. */
function makeTable() {
  const back = { class: 'card', 'data-back': true };
  const stock = Array.from({ length: DEALS }, (_, i) =>
    h('i', { ...back, 'data-top': true, '--x': i * 0.14 }),
  );
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
function makeLane({ name, small = '', colour, level, isGhost }) {
  const who = h('b', { dir: 'auto', text: name });
  const about = h('small', { class: 'text-note', text: small });
  const makeMark = () => (level ? spiderCoin(level) : seatMark(colour));
  const runner = h('span', { class: 'landing-token' }, makeMark());
  const track = h('span', { class: 'landing-track grow', 'aria-hidden': 'true' }, runner);
  const looks = { class: 'line mark-tone', 'data-colour': colour, 'data-ghost': isGhost };
  const label = h('span', { class: 'gate-name text-cut' }, who, ' ', about);
  return h('div', looks, makeMark(), label, track);
}

/**
 * Make a gate.
 * @param {object} parts
 * @param {HTMLElement} parts.title
 * @param {HTMLElement[]} parts.facts below the title: the game, and more
 * @param {(HTMLElement | false)[]} parts.fields what the player chooses or types
 * @param {readonly Lane[]} parts.lanes
 * @param {HTMLElement[]} parts.about the lines below the table
 * @param {HTMLElement} parts.note what Start means, beside it
 * @param {HTMLElement} parts.start the button
 */
export function makeGate({ title, facts, fields, lanes, about, note, start }) {
  const words = h('header', { class: 'row landing-words gate-words' }, title, ...facts);
  const runners = h('div', { class: 'stack' });
  const below = h('div', { class: 'row between text-note' }, ...about);
  const looks = { class: 'pane pane-lit landing-stage gate-stage' };
  const stage = h('figure', looks, runners, makeTable(), below);
  const choices = h('div', { class: 'stack' }, ...fields);
  const first = h('div', { class: 'stack landing-first' }, words, stage, choices);
  const page = h('div', { class: 'page stack landing-front grow gate-page' }, first);
  const gate = {
    element: h('div', { class: 'results', id: 'gate' }, page),
    /** Show who runs. @param {readonly Lane[]} shown */
    showLanes: (shown) => runners.replaceChildren(...shown.map(makeLane)),
  };
  gate.element.append(h('footer', { class: 'bar' }, note, start));
  gate.showLanes(lanes);
  return gate;
}
