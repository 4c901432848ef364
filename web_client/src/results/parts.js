// The parts of every results page: the verdict with the place, the podium, the rows of the ranking, and the bar
// with the next step. The pages of a race, a day and a ghost fill in the words.

import { strings } from '../strings/language.js';
import { seatMark, writeName } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';

/**
 * @import {Program} from '../state/state.js'
 * @typedef {object} Step a player on the podium or in the ranking
 * @property {number} seat
 * @property {string} name with `(you)` after the reader's own
 * @property {number | null} place
 * @property {string | number} result the time, or how far the player came
 * @property {string} colour
 * @property {Program | undefined} program undefined for a person
 * @property {boolean} isOwn
 * @typedef {Step & {small: string, suits: number, of: number, behind: string, isFirst: boolean}} Row of a ranking:
 *   `small`: a remark on the game. `suits`: how many of its `of` suits are home. `behind`: the distance to the first
 */

/** The cards behind the first three players, to give the podium faces. */
const FACES = ['KS', 'QS', 'JS'];

/** Make the verdict: a heading with the place in large type, the distance below it, and more lines. @param {...(Node | null)} more */
export function makeVerdict(...more) {
  const large = h('b', { hidden: true });
  const rest = h('span');
  const title = h('h1', { class: 'results-place', id: 'winner' }, large, rest);
  const say = h('p', { class: 'results-say', id: 'margin', hidden: true });
  const why = h('p', { class: 'text-small', id: 'best', hidden: true });
  return {
    element: h('header', { class: 'stack results-verdict' }, title, say, why, ...more),
    title,
    /**
     * Write the verdict, and return it as sentences.
     * @param {{large?: string, rest: string, distance?: string, remark?: string, isFirst?: boolean}} words
     *   `large` is the place or a time; `isFirst` paints it in gold
     */
    write({ large: place = '', rest: words, distance = '', remark = '', isFirst = false }) {
      set(title, { 'data-first': isFirst });
      set(large, { hidden: place === '', text: place });
      write(rest, place ? ` ${words}` : words);
      set(say, { hidden: distance === '', text: distance });
      set(why, { hidden: remark === '', text: remark });
      const said = `${place} ${words}`.trim();
      const heading = /[.!?…]$/.test(said) ? said : `${said}.`;
      return [heading, distance, remark].filter(Boolean).join(' ');
    },
  };
}

/** Make an empty podium. Screen readers have the ranking instead. */
export const makePodium = () =>
  h('ol', { class: 'results-podium', id: 'podium', 'aria-hidden': 'true' });

/** Draw the players on the podium, best first; a new step rises, an unchanged one stays. @param {HTMLElement} podium @param {readonly Step[]} steps */
export function drawPodium(podium, steps) {
  podium.hidden = steps.length === 0;
  keyed(podium, steps, JSON.stringify, makeStep);
}

/** Make the step of a player. @param {Step} step */
function makeStep({ name, place, result, colour, program, isOwn }) {
  const label = h('span', { class: 'results-name text-cut', dir: 'auto' });
  writeName(label, name, program);
  const card = h('span', { class: 'card', 'data-card': FACES[(place ?? 1) - 1] ?? 'TS' });
  const step = h('li', { class: 'mark-tone', 'data-colour': colour, 'data-place': place });
  set(step, { 'data-own': isOwn });
  step.append(h('span', { class: 'results-hand' }, card, seatMark(colour)), label, ' ');
  step.append(h('small', { text: result }), ' ', h('span', { class: 'results-step', text: place }));
  return step;
}

/** Make a ranking without rows. Only desktop layouts show its head. @param {string} label @param {readonly string[]} columns place, player, suits, result, behind */
export function makeRanking(label, columns) {
  const rows = h('tbody', { class: 'pane-rows', role: 'rowgroup' });
  const headings = columns.map((text) => h('th', { role: 'columnheader', scope: 'col', text }));
  const line = h('tr', { role: 'row' }, ...headings);
  const head = h('thead', { class: 'pane-rows', role: 'rowgroup' }, line);
  const looks = { class: 'pane-rows results-rank', id: 'ranking', role: 'table' };
  const table = { ...looks, 'aria-label': label };
  return { element: h('table', table, head, rows), rows };
}

/** Make a row. Make a new one if anything in it changes. @param {Row} row */
export function makeRow(row) {
  const { seat, place, name, small, suits, of, result, behind, colour } = row;
  const who = h('span', { class: 'results-who' });
  const label = h('b', { dir: 'auto' });
  writeName(label, name, row.program);
  const about = h('small', { 'data-part': 'about', text: small });
  who.append(seatMark(colour), label, ' ', about);
  const cell = (/** @type {Record<string, any>} */ looks, /** @type {Node[]} */ ...nodes) =>
    h('td', { role: 'cell', ...looks }, ...nodes);
  const line = h('tr', { class: 'pane-row mark-tone', role: 'row', 'data-seat': seat });
  set(line, { 'data-colour': colour, 'data-own': row.isOwn });
  line.append(
    cell({ 'data-part': 'place', 'data-first': row.isFirst, text: place }),
    cell({}, who),
    cell({ 'data-part': 'suits' }, ...notches(suits, of)),
    cell({ 'data-part': 'result', text: result }),
    cell({ 'data-part': 'behind', text: behind }),
  );
  return line;
}

/** Make the notches of a game, and the count for screen readers. @param {number} home suits @param {number} of */
const notches = (home, of) => [
  h('span', { class: 'text-spoken', text: strings.suitsHome(home, of) }),
  h(
    'span',
    { class: 'notches', 'aria-hidden': 'true' },
    ...Array.from({ length: of }, (_, i) => h('i', { 'data-on': i < home })),
  ),
];

/** Make the bar at the foot: a line about the wait, and buttons. The last button is the next step. @param {HTMLElement} words @param {...HTMLElement} buttons */
export const makeBar = (words, ...buttons) => h('footer', { class: 'bar' }, words, ...buttons);
