// The race that plays itself behind the title of the front page: two games of one deal, an act a
// second in turn. The race is an ornament without focus. It rests while the page is hidden, and where
// nothing may move. It knows no rules: the script says what each act moves.

import { isCalm } from '../page/appearance.js';
import { h, set } from '../widgets/element.js';

/** @typedef {ReturnType<typeof makeTable>} Table */

/** The cards of each column, the lowest first, and how many of them lie face down. */
const COLUMNS = 'QJ9K48 TTQJ47 3JT466 58AK5Q 63A62 72374 5539J A93T8 8K36A J75AJ';
const FACE_DOWN = '5555444444';
/** The cards of each deal. */
const DEALS = '8752Q4982Q 938KQT976A 4K2J2Q23KK K7TJA94TQ6 4A87T25956';
/**
 * The acts of each game, as two computer players made them. `213` moves one card from column 2 to column
 * 3, and with `h` a complete suit leaves it; `d` deals a card to each column. Numbers have base 36.
 */
const GAMES = [
  '613 016 116 216 814 d 016 116 226 016 910 910 913 119 114 d 413 514 614 654 114 817 814 914 4b3h 210 927 756 910 914 810 328 836 328 513 320 113 691 1a8h 114 423 643 023 613 411 423h 610 614 210 062 270 211 210 514 435 547 517 510 518 310h',
  '613 016 116 216 814 d 016 116 512 236 d 817 210 615 735 811 126 916 913 559 659 9b3h 913 916 910 914 116 810 328 836 428 114 839 d 511 617 720 311 328 033 340 d 810 718 512 223 330 117 917 730 711 427 429 736 711 712 647 650h 648 048',
].map((game) => game.split(' '));

const TICK_MS = 1_000;
/** The time after which the page is at rest. */
const IDLE_MS = 1_500;
/** The ticks after which the race begins again; its end is shown for a while. */
const TICKS = 126;

/** Make a card. @param {string} rank @param {boolean} isDown whether it lies face down */
const makeCard = (rank, isDown) =>
  h('div', { class: 'card', [isDown ? 'data-back' : 'data-card']: `${rank}S` });

/** Make a table before the first act; `deals` are those to come. */
function makeTable() {
  const columns = COLUMNS.split(' ').map((ranks, at) =>
    [...ranks].map((rank, index) => makeCard(rank, index < Number(FACE_DOWN[at]))),
  );
  const element = h('div', { class: 'landing-table', 'data-small': true }, ...columns.flat());
  return { element, columns, deals: DEALS.split(' ') };
}

/** Turn up the free cards of a table, and place all. @param {Table} table */
function arrange({ columns }) {
  for (const [x, cards] of columns.entries()) {
    const last = cards.at(-1);
    if (last?.dataset.back) set(last, { 'data-card': last.dataset.back, 'data-back': false });
    const down = cards.filter(({ dataset }) => dataset.back).length;
    const most = Math.max(1, cards.length - down - 1);
    for (const [at, card] of cards.entries()) {
      const up = Math.max(0, at - down);
      set(card, { '--x': x, '--d': at - up, '--u': up, '--most': most });
    }
  }
}

/** Play an act of the script. @param {Table} table @param {string} act */
function play(table, act) {
  const { element, columns, deals } = table;
  if (act === 'd') {
    const cards = [...(deals.shift() ?? '')].map((rank) => makeCard(rank, false));
    for (const [at, card] of cards.entries()) columns[at]?.push(card);
    element.append(...cards);
  } else {
    const [from = 0, count = 0, to = 0] = [...act].map((digit) => Number.parseInt(digit, 36));
    const moved = columns[from]?.splice(-count) ?? [];
    columns[to]?.push(...moved);
    element.append(...moved); // above all others, while they glide
    if (act.endsWith('h'))
      for (const card of columns[to]?.splice(-13) ?? []) card.dataset.gone = '';
  }
  arrange(table);
}

/** Show the race in the title of the page, in place of its picture, from when the page is at rest until it goes. @param {HTMLElement} title */
export function startLivingRace(title) {
  /** @type {Table[]} */
  let tables = [];
  let tick = 0;
  const race = h('div', { class: 'landing-living' });

  /** Begin again, or play the next act of the game whose turn it is. */
  function playNext() {
    if (!title.isConnected) return;
    setTimeout(playNext, TICK_MS);
    if (document.hidden || isCalm()) return;
    if (tick % TICKS === 0) {
      tick = 0;
      tables = GAMES.map(makeTable);
      tables.forEach(arrange);
      race.replaceChildren(...tables.map(({ element }) => element));
      title.append(race);
      set(title, { 'data-living': true });
    }
    const turn = tick % 2;
    const act = GAMES[turn]?.[(tick - turn) / 2];
    if (act && tables[turn]) play(tables[turn], act);
    tick += 1;
  }

  setTimeout(playNext, IDLE_MS);
}
