// The race that plays itself on the front page, to show the game: two recorded games of one deal by computer
// players. It can't be focused, and needs no rules: the script says which cards each act moves. It starts in the middle
// of the race, and stays there if the player wants no motion.

import { RANKS } from '../contract/protocol.js';
import { isCalm } from '../page/looks.js';
import { strings } from '../strings/language.js';
import { spiderCoin } from '../widgets/controls.js';
import { h, set } from '../widgets/element.js';

/**
 * @typedef {ReturnType<typeof makeTable>} Table
 * @typedef {ReturnType<typeof makeLane>} Lane
 * @typedef {{tick: number, leader: number, news: string, tables: Table[]}} Race `leader` is an index, or -1
 */

/** The cards of each column, bottom card first, and how many of them lie face down. */
const COLUMNS = 'QJ9K48 TTQJ47 3JT466 58AK5Q 63A62 72374 5539J A93T8 8K36A J75AJ';
const FACE_DOWN = '5555444444';
const ALL_FACE_DOWN = 44;
const DEALS = '8752Q4982Q 938KQT976A 4K2J2Q23KK K7TJA94TQ6 4A87T25956'; // the cards of each deal
/**
 * The acts of each game. `213` moves one card from column 2 to column 3. A final `h` (home) says that this completes a
 * suit, which then leaves column 3. `d` deals a card to each column. Numbers are in base 36.
 */
const GAMES = [
  '613 016 116 216 814 d 016 116 226 016 910 910 913 119 114 d 413 514 614 654 114 817 814 914 4b3h 210 927 756 910 914 810 328 836 328 513 320 113 691 1a8h 114 423 643 023 613 411 423h 610 614 210 062 270 211 210 514 435 547 517 510 518 310h',
  '613 016 116 216 814 d 016 116 512 236 d 817 210 615 735 811 126 916 913 559 659 9b3h 913 916 910 914 116 810 328 836 428 114 839 d 511 617 720 311 328 033 340 d 810 718 512 223 330 117 917 730 711 427 429 736 711 712 647 650h 648 048',
].map((game) => game.split(' '));
/** The computer player of each game. The server gives the first computer player of that level the same name. */
const RACERS = /** @type {const} */ ([
  { name: 'Ara', level: 'expert', colour: 'blue' },
  { name: 'Web', level: 'club', colour: 'red' },
]);

const TICK_MS = 1_000;
const PLAYED_MS = 2_000; // how much of the recorded race passes per tick
const IDLE_MS = 1_500; // the pause before the race starts to move
const LAST_TICK = 126; // the race restarts after this tick, some ticks after its last act
const FIRST_SHOWN_TICK = 86; // the race is first shown at this tick
const SUITS = 8;

/** Make a card. @param {string} rank @param {boolean} isDown whether it lies face down */
const makeCard = (rank, isDown) =>
  h('i', { class: 'card', [isDown ? 'data-back' : 'data-card']: `${rank}S` });

/** Make a table before the first act. Its `stock` has one card per deal. `toAppend` are the cards to be shown or put on top. */
function makeTable() {
  const columns = COLUMNS.split(' ').map((ranks, column) =>
    [...ranks].map((rank, index) => makeCard(rank, index < Number(FACE_DOWN[column]))),
  );
  const deals = DEALS.split(' ');
  const stock = deals.map(() => makeCard('A', true));
  for (const [i, card] of stock.entries()) set(card, { 'data-top': true, '--x': i * 0.12 });
  return { columns, deals, stock, home: 0, turned: 0, toAppend: [...stock, ...columns.flat()] };
}

/** Turn a column's last card up if it lies face down. @param {Table} table @param {HTMLElement[] | undefined} column */
function turnUp(table, column) {
  const last = column?.at(-1);
  if (!last?.dataset.back) return;
  set(last, { 'data-card': last.dataset.back, 'data-back': false });
  table.turned += 1;
}

/** Play an act of `GAMES`; `213h` moves a card from column 2 to 3 and takes a suit home. @param {Table} table @param {string} act @returns {boolean} whether a suit went home */
function playAct(table, act) {
  const { columns, deals, stock, toAppend } = table;
  if (act === 'd') {
    const cards = [...(deals.shift() ?? '')].map((rank) => makeCard(rank, false));
    for (const [at, card] of cards.entries()) columns[at]?.push(card);
    stock.pop()?.remove();
    toAppend.push(...cards);
    return false;
  }
  const [from = 0, count = 0, to = 0] = [...act].map((digit) => Number.parseInt(digit, 36));
  const moved = columns[from]?.splice(-count) ?? [];
  columns[to]?.push(...moved);
  toAppend.push(...moved); // to lie above all others while they glide
  turnUp(table, columns[from]);
  if (!act.endsWith('h')) return false;
  const [king, ...others] = columns[to]?.splice(-RANKS.length) ?? [];
  turnUp(table, columns[to]);
  if (king) set(king, { 'data-top': true, '--x': 2 + table.home }); // beside the stock
  for (const card of others) card.dataset.gone = '';
  table.home += 1;
  return true;
}

/**
 * Place each card: `--d` face-down and `--u` face-up cards lie under it. `--most` is the largest `--u` of its column.
 * @param {Table} table @param {HTMLElement} place the element that has the cards
 */
function showTable({ columns, toAppend }, place) {
  for (const card of toAppend.splice(0)) place.append(card); // one that moved twice is listed twice
  for (const [x, cards] of columns.entries()) {
    const down = cards.filter(({ dataset }) => dataset.back).length;
    const most = Math.max(1, cards.length - down - 1); // at least 1: the style divides by it
    for (const [index, card] of cards.entries()) {
      const upBelow = Math.max(0, index - down);
      set(card, { '--x': x, '--d': index - upBelow, '--u': upBelow, '--most': most });
    }
  }
}

/** Make the lane of a racer, and their token on the track. @param {typeof RACERS[number]} racer */
function makeLane({ name, level, colour }) {
  const looks = {
    'data-racer': level,
    '--mark': `var(--mark-${colour})`,
    '--mark-bright': `var(--mark-${colour}-bright)`,
  };
  const state = h('span');
  const notches = Array.from({ length: SUITS }, () => h('i'));
  const table = h('div', { class: 'landing-table', 'data-small': true, 'aria-hidden': 'true' });
  const strength = h('small', { class: 'text-note', text: strings.STRENGTHS[level] });
  const who = h('span', {}, h('b', { text: name }), ' ', strength);
  const head = h('div', { class: 'line between' }, who, state);
  const home = h('div', { class: 'notches', 'aria-hidden': 'true' }, ...notches);
  const about = h('div', { class: 'stack grow' }, head, home);
  const racer = h('div', { class: 'line landing-racer' }, spiderCoin(level), about);
  const element = h('div', { class: 'stack grow landing-lane', ...looks }, racer, table);
  const token = h('span', { class: 'landing-token', ...looks }, spiderCoin(level));
  return { element, token, head, state, notches, table };
}

/** Play the next act of the game whose turn it is, and update the news. @param {Race} race */
function playNext(race) {
  const { tables, tick } = race;
  const turn = tick % 2;
  const act = GAMES[turn]?.[Math.floor(tick / 2)];
  const table = tables[turn];
  race.tick += 1;
  if (!act || !table) return;
  const tookSuit = playAct(table, act);
  // A suit that is home counts as much as turning up all the cards.
  const [one = 0, other = 0] = tables.map(({ home, turned }) => home * ALL_FACE_DOWN + turned);
  const leader = one === other ? race.leader : Number(other > one);
  const { name = '' } = RACERS[turn] ?? {};
  // Before the first suit is home the lead changes too often to be news.
  const tookLead = leader !== race.leader && tables.some(({ home }) => home > 0);
  if (tookLead) race.news = `${strings.clock(tick * PLAYED_MS)} ${strings.tookLead(name)}`;
  else if (tookSuit) race.news = `${strings.clock(tick * PLAYED_MS)} ${strings.tookSuit(name)}`;
  race.leader = leader;
}

/** Show the tables of the race in its lanes, and the news. @param {Race} race @param {Lane[]} lanes @param {HTMLElement} caption */
function showRace({ tables, leader, news }, lanes, caption) {
  for (const [i, { token, head, state, notches, table }] of lanes.entries()) {
    const shown = tables[i];
    if (!shown) continue;
    const { home, turned } = shown;
    showTable(shown, table);
    // Each card that is home counts, and each card that was turned up.
    const progress = (home * RANKS.length + turned) / (SUITS * RANKS.length + ALL_FACE_DOWN);
    set(token, { '--at': progress, 'data-leads': i === leader });
    set(head, { 'data-leads': i === leader });
    set(state, { text: i === leader ? strings.LANDING.leads : strings.suitsHome(home, SUITS) });
    for (const [n, notch] of notches.entries()) set(notch, { 'data-on': n < home });
  }
  set(caption, { text: news });
}

/** Make the element of the race, which plays until it is removed from the page. */
export function makeHero() {
  const lanes = RACERS.map(makeLane);
  const caption = h('b', { class: 'text-cut' });
  const replay = h('span', { class: 'text-cut', text: strings.LANDING.replay });
  const tokens = lanes.map(({ token }) => token);
  const track = h('div', { class: 'landing-track', 'aria-hidden': 'true' }, ...tokens);
  const both = h('div', { class: 'line landing-lanes' }, ...lanes.map(({ element }) => element));
  const words = h('figcaption', { class: 'line between text-note' }, caption, replay);
  const stage = h('figure', { class: 'pane pane-lit landing-stage' }, track, both, words);

  const makeRace = () => ({ tick: 0, leader: -1, news: '', tables: GAMES.map(makeTable) });
  /** @type {Race} */
  let race = { tick: 0, leader: -1, news: '', tables: [] };

  /** Play the next act, or start over at the end. */
  function play() {
    if (!stage.isConnected) return;
    setTimeout(play, TICK_MS);
    if (document.hidden || isCalm()) return; // until the next tick
    set(stage, { 'data-living': true });
    playNext(race);
    if (race.tick > LAST_TICK) {
      race = makeRace();
      for (const { table } of lanes) table.replaceChildren();
    }
    showRace(race, lanes, caption);
  }

  /** Draw the cards, for which space is reserved, once the page is usable. */
  function start() {
    race = makeRace();
    while (race.tick < FIRST_SHOWN_TICK) playNext(race);
    showRace(race, lanes, caption);
    setTimeout(play, IDLE_MS);
  }

  requestAnimationFrame(() => setTimeout(start));
  return stage;
}
