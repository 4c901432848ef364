// What the front page fetches: who is at this browser's kept tables, the rooms that are open to everybody, and today's
// race. Each of its games has a card, which leads to the page that starts the game. Once this player has started
// it, the card leads to the board of results; once they have finished, it turns up and shows their place and time.

import { forgetRoom, keepSeatFacts, keptOf, keptTables } from '../browser/storage.js';
import { isolated } from '../contract/text.js';
import { fetchInvitation } from '../page/addresses.js';
import {
  bestOfYesterday,
  daysSince,
  fetchDocument,
  followDays,
  keepFetching,
} from '../page/loads.js';
import { strings } from '../strings/language.js';
import { cardFan, makePane } from '../widgets/controls.js';
import { h, keyed, set } from '../widgets/element.js';

/**
 * @import {DayBoard, DayRow, Days, PublicRoom} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @typedef {{game: string, cards: string, opensBoard: boolean, degree?: string | null}} Deal
 */

const POLL_MS = 10_000; // how often to fetch the open rooms
const KEPT_POLL_MS = 30_000; // how often to fetch the kept tables
const TABLES_SHOWN = 3; // how many tables are shown until the player asks for all

/** Return the words of a row: a title, and a line below it unless that is null. @param {(Node | string)[]} title @param {string | null} about */
export function rowWords(title, about) {
  const below = [' ', h('br'), h('small', { class: 'text-note', text: about })];
  return h('span', { class: 'grow' }, h('b', {}, ...title), ...(about === null ? [] : below));
}

/** Make a button as wide as its pane. @param {{[name: string]: string}} looks @param {() => void} onclick @param {...Node} parts */
export const makeRow = (looks, onclick, ...parts) =>
  h('button', { class: 'line landing-row', 'data-small': true, ...looks, onclick }, ...parts);

/** Make the row of a kept table. @param {App} app @param {ReturnType<typeof keptTables>[number]} table */
function makeTable(app, { code, name, raced }) {
  const textFor = (/** @type {string[]} */ here) =>
    strings.tableAbout(here, raced === undefined ? null : daysSince(raced));
  const words = rowWords([h('bdi', { text: name })], textFor([]));
  const about = /** @type {HTMLElement} */ (words.lastChild);
  const element = makeRow({ 'data-table': code }, () => app.visit(code), words);
  let isGone = false;
  /** Fetch the table and show who is there. If it no longer exists, say so; if it is no longer kept, remove its row. */
  async function update() {
    if (isGone) return;
    const found = await fetchInvitation(code);
    if (found === undefined) return; // no answer
    isGone = !found?.kept;
    if (found === null) {
      forgetRoom(code);
      const text = strings.tableGone(name);
      element.replaceWith(h('p', { class: 'text-small', role: 'status', text }));
    } else if (!found.kept) {
      keepSeatFacts(code, undefined); // the seat stays, but no longer at a kept table
      element.remove();
    } else {
      const here = (found.here ?? []).map(isolated);
      set(about, { text: textFor(here), 'data-live': here.length > 0 });
    }
  }
  return { element, update };
}

/** Bind the rows of the kept tables, most recent race first. All but the first few are folded. @param {App} app */
export function bindTables(app) {
  const tables = keptTables().map((each) => makeTable(app, each));
  const rows = tables.map((each) => each.element);
  const { tables: name, all } = strings.LANDING;
  const others = h('div', { class: 'stack' }, ...rows.slice(TABLES_SHOWN));
  const more = rows.length > TABLES_SHOWN && h('details', {}, h('summary', { text: all }), others);
  const looks = { class: 'stack', id: 'tables', 'aria-label': name, hidden: rows.length === 0 };
  const element = h('section', looks, ...rows.slice(0, TABLES_SHOWN), more);
  const fetchAll = () => Promise.all(tables.map(({ update }) => update()));
  const fetching = keepFetching(fetchAll, () => (rows.length > 0 ? KEPT_POLL_MS : 0));
  return { element, unbind: fetching.stop };
}

/**
 * Bind the list of open rooms; the lesson is shown while it is empty.
 * @param {App} app @param {HTMLElement} lesson @param {HTMLElement} computer the pane of computer players
 * @param {() => void} onAnswer is called after each answer
 */
export function bindOpenRooms(app, lesson, computer, onAnswer) {
  const words = strings.LANDING;
  const list = h('ul', { class: 'stack' });
  const element = makePane('public', words.open, '', list);
  element.hidden = true;

  const makeItem = (/** @type {PublicRoom} */ { code }) => {
    const button = h('button', { 'data-size': 'small', onclick: () => app.visit(code) });
    return h('li', { class: 'line' }, rowWords([], ''), button);
  };
  /** Show the open rooms; undefined if the server did not answer. @param {{rooms: PublicRoom[], computers?: boolean} | null | undefined} found */
  function show(found) {
    const rooms = found?.rooms ?? [];
    keyed(list, rooms, ({ code }) => code, makeItem, showRoom);
    set(element, { hidden: rooms.length === 0 });
    set(lesson, { hidden: rooms.length > 0 });
    if (found?.computers === false) {
      // This server has no computer players, so the pane offers only practice.
      computer.querySelector('#strengths')?.remove();
      set(/** @type {Element} */ (computer.querySelector('h2')), { text: words.practice });
    }
    onAnswer();
    return POLL_MS;
  }

  const fetching = keepFetching(() => fetchDocument('/api/rooms'), show);
  return { element, unbind: fetching.stop };
}

/** Update the item of an open room. @param {HTMLElement} item @param {PublicRoom} room */
function showRoom(item, room) {
  const words = strings.LANDING;
  // If a newcomer can only watch for now, the button says so before the next page asks for a name.
  const watchesOnly = room.full || room.state === 'RUNNING';
  const about = [strings.publicRoomFacts(room), room.full && words.full];
  const [host, facts, button] = /** @type {NodeListOf<HTMLElement>} */ (
    item.querySelectorAll('b, small, button')
  );
  if (!host || !facts || !button) return;
  set(host, { text: strings.tableOf(room.host) });
  set(facts, { 'data-live': room.state === 'RUNNING', text: about.filter(Boolean).join(' · ') });
  set(button, {
    text: watchesOnly ? words.watch : words.join,
    'aria-label': watchesOnly ? strings.watchRoomOf(room.host) : strings.joinRoomOf(room.host),
  });
}

/** Make the link to one of today's games, with a face-down card for each suit. @param {Deal} deal */
function makeDeal({ cards, opensBoard, game, degree }) {
  const { board, play } = strings.LANDING;
  const fan = cardFan(...Array(Number(game.slice(-1)) || 1).fill(undefined)); // `spider-4` has four suits
  const name = h('b', { text: strings.suitsOf(game) });
  const label = degree && h('small', { class: 'text-note', text: strings.DEGREES[degree] });
  const about = h('small', { class: 'text-note', 'data-part': 'about' });
  const step = h('b', { text: opensBoard ? board : play });
  const looks = { class: 'buttons-link landing-pick', 'data-day': game, href: `/d/${cards}` };
  return h('a', looks, fan, name, ' ', label, ' ', about, ' ', step);
}

/** Return a game's line that says how many people play it, or which place this player has. @param {Element} deal */
const aboutOf = (deal) => /** @type {Element} */ (deal.querySelector('[data-part="about"]'));

/** Show how many play a game, unless its card shows this player's result. @param {HTMLElement} deal @param {{players: number}} game */
function showPlayers(deal, { players }) {
  const about = aboutOf(deal);
  if (!deal.querySelector('[data-place]')) set(about, { text: strings.dayPlayers(players) });
}

/**
 * Turn a game's card face up to show this player's place and time.
 * @param {HTMLElement} deal the link to the game @param {DayRow} row this player's
 * @param {number} finished how many players have finished
 */
function turnUp(deal, { place, ms, won, suits, score }, finished) {
  const result = won && ms !== null ? strings.clock(ms) : `${suits}/8`; // all games of a day have eight
  const isPlaced = won || score > 0;
  const looks = { class: 'card landing-face', '--turn': -0.5 };
  const face = h('i', { ...looks, 'data-place': isPlaced ? place : '', text: result });
  deal.firstElementChild?.replaceChildren(face); // instead of the face-down cards
  const spoken = h('span', { class: 'text-spoken', text: ` · ${result}` });
  aboutOf(deal).replaceChildren(isPlaced ? strings.placeOf(place, finished) : '', spoken);
}

/** Turn up the cards of the games that this player has finished. @param {Days} days @param {HTMLElement} games */
function showResults({ day }, games) {
  for (const deal of /** @type {HTMLElement[]} */ ([...games.children])) {
    const cards = `${day}/${deal.dataset.day}`;
    const key = keptOf('day', cards);
    if (!key) continue; // not played in this browser
    const query = `rows=1&key=${encodeURIComponent(key)}`; // asks for the rows around this player's
    const show = (/** @type {DayBoard} */ { around, own, finished }) => {
      const row = around.find(({ entry }) => entry === own);
      if (row) turnUp(deal, row, finished);
    };
    fetchDocument(`/api/days/${cards}?${query}`).then(show, () => {});
  }
}

/** Show yesterday's best game, if there is one. @param {Days} days @param {HTMLElement} best the line for it */
async function showBest(days, best) {
  set(best, { hidden: days.past.length === 0 });
  const found = await bestOfYesterday(days, 'spider-1'); // the game of one suit
  if (found.length > 0) best.replaceChildren(...found);
}

/** Bind the pane of today's race, hidden until there is a race. @param {(hasRace: boolean) => void} onAnswer called after each answer */
export function bindToday(onAnswer) {
  const words = strings.LANDING;
  const timeLeft = h('span', { class: 'pill', id: 'today-left' });
  const games = h('div', { class: 'landing-picks', id: 'today-games' });
  const best = h('p', { class: 'text-note', hidden: true, text: '\u00a0' }); // the height of its later text
  const past = h('a', { id: 'past-days', href: '/days', text: words.past });
  const once = h('p', { class: 'row between text-note' }, h('span', { text: words.once }), past);
  const element = makePane('today', words.today, timeLeft, games, once, best);
  set(element, { class: 'pane pane-lit landing-today' });
  let day = '';

  /** Show the pane if there is a race, and report that the answer has arrived. @param {boolean} hasRace */
  function settle(hasRace) {
    set(element, { hidden: !hasRace });
    onAnswer(hasRace);
  }

  /** Show today's games. Once the day is over, each links to its board of results. @param {Days | null} days @param {number} ms the time left */
  function show(days, ms) {
    if (!days) return settle(false); // no answer, for now
    const isOver = ms === 0;
    const all = days.games.map((each) => {
      const cards = `${days.day}/${each.game}`; // names its deal, as in its address
      return { ...each, cards, opensBoard: isOver || keptOf('day', cards) !== null };
    });
    keyed(games, all, (each) => `${each.cards} ${each.opensBoard}`, makeDeal, showPlayers);
    set(timeLeft, { text: isOver ? words.dayOver : strings.dayLeft(ms) });
    settle(all.length > 0);
    if (day === days.day) return; // the rest is fetched once a day
    day = days.day;
    showResults(days, games);
    showBest(days, best);
  }

  return { element, unbind: followDays(show).stop };
}
