// The elements of the page of a day's game, and the rows of its board.

import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, set, write } from '../widgets/element.js';

/** @import {DayRow} from '../contract/messages.d.ts' */

/** How the date of the page is written. */
const FULL = /** @type {const} */ ({ weekday: 'long', day: 'numeric', month: 'long' });

/** Make the row of a board, with the button that shows its game. @param {DayRow | null} row @param {boolean} isOwn @param {(row: DayRow) => void} show */
export function makeRow(row, isOwn, show) {
  const cell = (/** @type {string} */ part, /** @type {(Node | string)[]} */ ...nodes) =>
    h('td', { role: 'cell', 'data-part': part }, ...nodes);
  if (!row) return h('tr', { class: 'day-gap', role: 'row' }, cell('gap', '⋯'));
  const { entry, name, kind, state, won, ms, suits } = row;
  const shown = name || strings.DAY.hidden;
  const who = h('b');
  writeName(who, isOwn ? strings.you(shown) : shown, kind === 'program' ? null : undefined);
  const end = won ? '' : strings.ending({ won, state, finished_ms: ms, suits });
  const see = h('button', {
    class: 'icon day-see',
    'data-kind': 'quiet',
    onclick: () => show(row),
  });
  set(see, { 'aria-label': strings.dayWatch(shown) });
  const line = h(
    'tr',
    { class: 'day-row mark-tone', role: 'row', 'data-entry': entry },
    cell('place'),
    cell('name', who, ' ', h('small', { class: 'text-small', text: end })),
    cell('result', strings.dayResult(row)),
    cell('see', see),
  );
  set(line, { 'data-own': isOwn, 'data-colour': 'blue' });
  return line;
}

/** Draw the place in a row, which changes while others finish. @param {HTMLElement} line @param {DayRow | null} row */
export function drawRow(line, row) {
  const place = line.querySelector('[data-part="place"]');
  if (!row || !place) return;
  write(place, String(row.place));
  place.toggleAttribute('data-first', row.place === 1);
}

/** Make the elements of the page of a day's game. @param {string} day */
export function makeParts(day) {
  const words = strings.DAY;
  const rows = h('tbody', { class: 'day-rows', role: 'rowgroup' });
  const table = h(
    'table',
    { class: 'day-rows', id: 'ranking', role: 'table', 'aria-labelledby': 'day-board' },
    rows,
  );
  const button = (/** @type {string} */ id, /** @type {string} */ text) =>
    h('button', { id, text, hidden: true });
  const parts = {
    tabs: h('nav', { class: 'day-tabs', 'aria-label': words.tabs }),
    left: h('p', { class: 'pill day-left', id: 'day-left', hidden: true }),
    place: h('p', { class: 'results-place', 'aria-hidden': 'true', hidden: true }),
    about: h('p', { id: 'about', text: strings.REPLAY.loading }),
    among: h('p', { id: 'day-among', hidden: true }),
    win: h('p', { class: 'text-small', id: 'day-degree', hidden: true }),
    spread: h('div', { id: 'day-spread' }),
    play: button('day-play', ''),
    watch: button('day-watch', words.watch),
    share: h('details', { class: 'day-fold', hidden: true }),
    squares: h('p', {
      class: 'day-squares',
      role: 'img',
      'aria-label': words.squares,
      hidden: true,
    }),
    rows,
    more: button('day-more', words.more),
    month: h('section', { class: 'pane', hidden: true, 'aria-labelledby': 'day-month' }),
    ghosts: h('section', { class: 'pane', hidden: true, 'aria-labelledby': 'day-ghosts' }),
    past: h('section', { class: 'pane', hidden: true, 'aria-labelledby': 'day-past' }),
    deal: h('div', { class: 'day-folds' }),
    note: h(
      'details',
      { class: 'day-fold', id: 'day-note', hidden: true },
      h('summary', { class: 'pill', text: words.how }),
      h('p', { class: 'pane', text: words.once }),
    ),
  };
  set(parts.more, { 'data-size': 'small' });
  const { tabs, left, place, about, among, win, spread, play, watch, share, squares, more } = parts;
  const title = h('h1', { class: 'day-date', id: 'winner', text: strings.dayDate(day, FULL) });
  const beside = h('p', { class: 'text-small', text: words.press });
  const boardHead = h('header', {}, h('h2', { id: 'day-board', text: words.board }), beside);
  const looks = { class: 'pane', hidden: true, 'aria-labelledby': 'day-board' };
  const pane = h('section', looks, boardHead, table, more);
  const me = h(
    'section',
    { class: 'pane', 'aria-labelledby': title.id },
    h('header', {}, title, left),
    h('div', { class: 'day-score' }, place, h('div', {}, about, among, win)),
    spread,
    h('div', { class: 'day-acts' }, share, watch, play, squares),
  );
  const side = h('div', { class: 'day-side' }, pane, parts.past);
  const pair = h('div', { class: 'day-pair' }, parts.month, parts.ghosts);
  parts.deal.append(parts.note);
  return { ...parts, board: pane, all: [tabs, me, side, pair, parts.deal] };
}
