// The race that plays itself behind the title of the front page: two games of one deal, an act a
// second in turn. The race is an ornament without focus. It rests while the page is hidden, and where
// nothing may move. It knows no rules: the script says what each act changes.

import { isCalm } from '../page/appearance.js';
import { h } from '../widgets/element.js';
import { COLUMNS, DEALS, FACE_DOWN, GAMES } from './race-script.js';

/**
 * @typedef {object} LivingTable
 * @property {HTMLElement} element
 * @property {HTMLElement[][]} columns the cards of each column, the lowest first
 * @property {number} deals the deals that were made
 */

const TICK_MS = 1_000;
/** The ticks for which the end is shown. */
const REST = 6;
/** The tick whose tables are shown where nothing may move. */
const STILL_AT = 24;
const STEPS = GAMES.map((game) => game.split(' '));
const LAST = Math.max(...STEPS.map(({ length }) => length)) * GAMES.length;

/** Make a card. @param {string} rank @param {boolean} down whether it lies face down */
function makeCard(rank, down) {
  const card = h('div', { class: 'card' });
  card.dataset[down ? 'back' : 'card'] = `${rank}S`;
  return card;
}

/** Turn a card up. @param {HTMLElement} card */
function turnUp({ dataset }) {
  dataset.card = dataset.back;
  delete dataset.back;
}

/** Place the cards of a column. @param {LivingTable} table @param {number} at */
function arrange({ columns }, at) {
  const cards = columns[at] ?? [];
  const isUp = (/** @type {HTMLElement} */ { dataset }) => dataset.card !== undefined;
  const up = cards.filter(isUp).length;
  let down = 0;
  for (const [index, card] of cards.entries()) {
    const place = { x: at, d: down, u: index - down, most: Math.max(1, up - 1) };
    for (const [name, value] of Object.entries(place))
      card.style.setProperty(`--${name}`, String(value));
    if (!isUp(card)) down += 1;
  }
}

/** Make a table before the first act. @returns {LivingTable} */
function makeTable() {
  const columns = COLUMNS.split(' ').map((ranks, at) =>
    [...ranks].map((rank, index) => makeCard(rank, index < Number(FACE_DOWN[at]))),
  );
  const element = h('div', { class: 'living-table', 'data-small': true }, ...columns.flat());
  const table = { element, columns, deals: 0 };
  for (const at of columns.keys()) arrange(table, at);
  return table;
}

/** Deal a card to each column. @param {LivingTable} table */
function deal(table) {
  const ranks = DEALS.split(' ')[table.deals] ?? '';
  table.deals += 1;
  for (const [at, column] of table.columns.entries()) {
    const card = makeCard(ranks[at] ?? '', false);
    column.push(card);
    table.element.append(card);
    arrange(table, at);
  }
}

/**
 * Play an act of the script.
 * @param {LivingTable} table
 * @param {string} act `d` for a deal, or a move such as `213+2h3`: from column 2, one card, to column 3;
 *   then column 2 turns a card up, and a suit leaves column 3
 */
function play(table, act) {
  const { element, columns } = table;
  if (act === 'd') {
    deal(table);
    return;
  }
  const [from = 0, count = 0, to = 0] = [...act].map((digit) => Number.parseInt(digit, 36));
  const moved = columns[from]?.splice(-count) ?? [];
  columns[to]?.push(...moved);
  element.append(...moved); // above all others, while they glide
  for (const [, kind, at] of act.matchAll(/([+h])(\d)/g)) {
    const column = columns[Number(at)] ?? [];
    if (kind === 'h') for (const card of column.splice(-13)) card.dataset.gone = '';
    else if (column.length > 0) turnUp(/** @type {HTMLElement} */ (column.at(-1)));
    arrange(table, Number(at));
  }
  arrange(table, from);
  arrange(table, to);
}

/** Show the race in place of the picture beside the title. @param {HTMLElement} place @returns {() => void} the unbinder */
export function bindLivingRace(place) {
  /** @type {LivingTable[]} */
  let tables = [];
  let tick = 0;
  const race = h('div', { class: 'living' });

  /** Begin again. */
  function reset() {
    tick = 0;
    tables = GAMES.map(makeTable);
    race.replaceChildren(...tables.map(({ element }) => element));
  }

  /** Play the next act of the game whose turn it is. */
  function playNext() {
    const turn = tick % tables.length;
    const act = STEPS[turn]?.[Math.floor(tick / tables.length)];
    const table = tables[turn];
    if (table && act) play(table, act);
    tick += 1;
  }

  reset();
  while (isCalm() && tick < STILL_AT) playNext();
  place.append(race);
  place.toggleAttribute('data-living', true);
  const timer = setInterval(() => {
    if (document.hidden || isCalm()) return;
    if (tick > LAST + REST) reset();
    else playNext();
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    race.remove();
    place.removeAttribute('data-living');
  };
}
