// The parts of every results page: the verdict with the place, the podium, and the rows of the ranking. The pages of a
// race and of a day fill in the words.

import { isGhostSeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { seatMark, writeName } from '../widgets/names.js';
import { withFullStop } from './verdict.js';

/**
 * @import {Program} from '../state/state.js'
 * @typedef {{seat?: number, name: string, place: number | null, result: string | number, colour: string,
 *   program: Program | undefined, isOwn: boolean}} Step a player on the podium. The `result` is the time or how far
 *   the player came; a person has no `program`
 * @typedef {Step & {small: string, isFirst: boolean, entry?: string, suits?: number, of?: number,
 *   behind?: string}} Row a row of a ranking. `small` is a remark on the game, where `suits` of its `of` suits are
 *   home, and `behind` the distance to the first. Rows of a day's board have an `entry`, but no suits and no seat
 */

/** The face cards of the podium's three steps. */
const FACES = ['KS', 'QS', 'JS'];

/** Make the verdict: a heading, with the distance and more lines below. @param {...(Node | null)} more */
export function makeVerdict(...more) {
  const lead = h('span');
  const figure = h('b', { hidden: true });
  const tail = h('span');
  const title = h('h1', { class: 'results-place', id: 'winner' }, lead, figure, tail);
  const distanceLine = h('p', { id: 'margin', hidden: true });
  const remarkLine = h('p', { class: 'text-small', id: 'best', hidden: true });
  return {
    element: h('header', { class: 'stack' }, title, distanceLine, remarkLine, ...more),
    /**
     * Write the verdict, and return it as sentences.
     * @param {{before?: string, large?: string, rest: string, distance?: string, remark?: string,
     *   isFirst?: boolean}} words The heading has a place or a time in `large` type, with words `before` it and the
     *   `rest` after it; `isFirst` makes it golden. The `distance` and the `remark` are the lines below
     */
    write({ before = '', large = '', rest, distance = '', remark = '', isFirst }) {
      set(title, { 'data-first': isFirst });
      set(lead, { text: before && `${before} ` });
      set(figure, { hidden: large === '', text: large });
      set(tail, { text: large && rest ? ` ${rest}` : rest });
      set(distanceLine, { hidden: distance === '', text: distance });
      set(remarkLine, { hidden: remark === '', text: remark });
      const said = [before, large, rest].filter(Boolean).join(' ');
      return [withFullStop(said), distance, remark].filter(Boolean).join(' ');
    },
  };
}

/** Make a button that shows or hides a part. @param {{[name: string]: string}} props @param {HTMLElement} part */
export function makeToggle(props, part) {
  part.hidden = true;
  const states = { 'aria-controls': part.id, 'aria-expanded': 'false' };
  const button = h('button', { ...states, ...props });
  button.addEventListener('click', () => {
    part.hidden = !part.hidden;
    set(button, { 'aria-expanded': String(!part.hidden) });
  });
  return button;
}

/** Make a player's step of the podium. @param {Step} step */
export function makeStep({ seat, name, place, result, colour, program, isOwn }) {
  const label = h('b', { dir: 'auto' });
  writeName(label, name, program);
  const face = FACES[(place ?? 1) - 1] ?? ''; // the podium has no lower places
  const step = h('li', { 'data-colour': colour, 'data-place': place });
  set(step, { 'data-own': isOwn, 'data-ghost': isGhostSeat(seat) });
  step.append(h('span', { class: 'card', 'data-card': face }, seatMark(colour)), label, ' ');
  const about = h('small', { class: 'text-note', text: result });
  step.append(about, ' ', h('span', { class: 'results-step', text: place }));
  return step;
}

/**
 * Make the table of a ranking, still without rows. Only wide layouts show its head.
 * @param {{[name: string]: string}} label the attributes that name the table
 * @param {...string} columns the headings; none for the board of a day
 */
export function makeRanking(label, ...columns) {
  const rows = h('tbody', { class: 'pane-rows', role: 'rowgroup' });
  const headings = columns.map((text) => h('th', { role: 'columnheader', scope: 'col', text }));
  const line = h('tr', { class: 'results-row text-note', role: 'row' }, ...headings);
  const head = columns.length > 0 && h('thead', { role: 'rowgroup' }, line);
  const looks = { class: head ? 'pane-rows results-rank' : 'pane-rows', role: 'table' };
  return { element: h('table', { ...looks, id: 'ranking', ...label }, head, rows), rows };
}

/** Make a cell of a row; `part` names its column. @param {string} part @param {...(Node | string)} nodes */
export const makeCell = (part, ...nodes) => h('td', { role: 'cell', 'data-part': part }, ...nodes);

/** Make a row of a ranking or of a day's board. @param {Row} row @param {...HTMLElement} more cells */
export function makeRow(row, ...more) {
  const { seat, entry, place, name, small, suits, of = 0, result, colour, isOwn } = row;
  const label = h('b', { dir: 'auto' });
  writeName(label, name, row.program);
  const about = h('small', { class: 'text-note', 'data-part': 'about', text: small });
  const line = h('tr', { class: 'pane-row results-row', role: 'row' });
  set(line, { 'data-seat': seat, 'data-entry': entry, 'data-colour': colour, 'data-own': isOwn });
  set(line, { 'data-ghost': isGhostSeat(seat) });
  const first = makeCell('place', String(place ?? ''));
  set(first, { 'data-first': row.isFirst });
  const mark = seat === undefined ? '' : seatMark(colour);
  line.append(first, makeCell('name', mark, label, ' ', about));
  const isOfRound = suits !== undefined; // the board of a day shows neither suits nor distances
  if (isOfRound) line.append(makeCell('suits', ...notches(suits, of)));
  line.append(makeCell('result', String(result)), ...more);
  const behind = h('small', { class: 'text-note', text: row.behind });
  if (isOfRound) line.append(makeCell('behind', behind));
  return line;
}

/** Make a notch for each suit. @param {number} home how many suits are home @param {number} of how many in all */
function notches(home, of) {
  const all = Array.from({ length: of }, (_, i) => h('i', { 'data-on': i < home }));
  const count = h('span', { class: 'text-spoken', text: strings.suitsHome(home, of) });
  return [count, h('span', { class: 'notches', 'aria-hidden': 'true' }, ...all)];
}
