// Today's race on the front page: a card for each of its games. One tap starts it. A game already started
// links to its board, and its card is turned up with the place and the time.

import { keptOf } from '../browser/storage.js';
import { fetchDocument, followDays } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { cardFan, makePane } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';

/**
 * @import {DayBoard, DayRow, Days} from '../contract/messages.d.ts'
 * @typedef {{game: string, cards: string, isLink: boolean, degree?: string | null}} Deal
 */

const DAY_MS = 86_400_000;

/** Fetch the first row of a game's board, and those around the game of a key. @param {string} cards @param {string} [key] @returns {Promise<DayBoard | null>} */
const fetchBoard = (cards, key) =>
  fetchDocument(`/api/days/${cards}?rows=1${key ? `&key=${encodeURIComponent(key)}` : ''}`).catch(
    () => null,
  );

/** Make the button that starts one of today's games, or the link to its board: with cards face down, as many as it has suits. @param {Deal} deal @param {() => void} begin */
function makeDeal({ isLink, game, degree }, begin) {
  const { board, play } = strings.LANDING;
  const words = [
    cardFan(...Array(Number(game.slice(-1)) || 1).fill(undefined)),
    h('b', { text: strings.suitsOf(game) }),
    ' ',
    degree && h('small', { class: 'text-note', text: strings.DEGREES[degree] }),
    ' ',
    h('small', { class: 'text-note', 'data-part': 'about' }),
    ' ',
    h('b', { text: isLink ? board : play }),
  ];
  const looks = { class: 'buttons-link landing-pick', 'data-day': game };
  return isLink
    ? h('a', { ...looks, href: '/' }, ...words)
    : h('button', { ...looks, onclick: begin }, ...words);
}

/** Return the line of a game that changes: how many play it, or this player's place. @param {Element} deal */
const aboutOf = (deal) => deal.querySelector('[data-part="about"]');

/** Turn the card of a game up, with the place and the time. @param {HTMLElement} deal @param {DayRow} row @param {number} finished */
function turnUp(deal, { place, ms, won, suits, score }, finished) {
  const result = won && ms !== null ? strings.clock(ms) : `${suits}/8`;
  const isPlaced = won || score > 0;
  const looks = { class: 'card landing-face', '--turn': -0.5 };
  deal.firstElementChild?.replaceChildren(
    h('i', { ...looks, 'data-place': isPlaced ? place : '', text: result }),
  );
  const spoken = h('span', { class: 'text-spoken', text: ` · ${result}` });
  aboutOf(deal)?.replaceChildren(isPlaced ? strings.placeOf(place, finished) : '', spoken);
}

/**
 * Bind the pane, which is hidden while there is no race.
 * @param {(cards: string) => void} begin begins a game with these cards
 * @param {(hasRace: boolean) => void} settled called once it is known, and again when it changes
 */
export function bindToday(begin, settled) {
  const words = strings.LANDING;
  const left = h('span', { class: 'pill', id: 'today-left' });
  const games = h('div', { class: 'landing-picks', id: 'today-games' });
  const best = h('p', { class: 'text-note', hidden: true, text: '\u00a0' }); // as high as later
  const past = h('a', { id: 'past-days', href: '/days', text: words.past });
  const once = h('p', { class: 'row between text-note' }, h('span', { text: words.once }), past);
  const element = makePane('today', words.today, left, games, once, best);
  set(element, { class: 'pane pane-lit landing-today' });
  let isOver = false;
  let day = '';

  /** Say whether there is a race. @param {boolean} hasRace */
  function settle(hasRace) {
    set(element, { hidden: !hasRace });
    settled(hasRace);
  }

  /** Show the results that rarely change: this player's own, and yesterday's best. @param {Days} days */
  function showResults({ past: [last = ''] }) {
    for (const deal of /** @type {HTMLElement[]} */ ([...games.children])) {
      const cards = `${day}/${deal.dataset.day}`;
      const key = keptOf('day', cards);
      if (!key) continue;
      fetchBoard(cards, key).then((board) => {
        const row = board?.around.find(({ entry }) => entry === board.own);
        if (board && row) turnUp(deal, row, board.finished);
      });
    }
    const hasBest = Date.parse(day) - Date.parse(last) === DAY_MS;
    set(best, { hidden: !hasBest });
    if (!hasBest) return;
    fetchBoard(`${last}/spider-1`).then((board) => {
      const { name, ms, won } = board?.rows[0] ?? {};
      if (!won || ms == null) return;
      best.replaceChildren(
        words.best,
        h('b', {}, h('bdi', { text: name }), ` ${strings.clock(ms)}`),
      );
    });
  }

  /** Show the games of a day. Once it is over, none of them begins any more: it would be practice. @param {Days | null} days @param {number} ms that are left */
  function show(days, ms) {
    if (!days) return settle(false); // no answer, for now
    isOver = ms === 0;
    const all = days.games.map((each) => {
      const cards = `${days.day}/${each.game}`;
      return { ...each, cards, isLink: isOver || keptOf('day', cards) !== null };
    });
    keyed(
      games,
      all,
      ({ cards, isLink }) => `${cards} ${isLink}`,
      (deal) => makeDeal(deal, () => beginOrTurn(deal.cards)),
      (each, { cards, isLink, players }) => {
        if (isLink) set(each, { href: `/d/${cards}` });
        const about = aboutOf(each);
        if (about && !each.querySelector('[data-place]')) write(about, strings.dayPlayers(players));
      },
    );
    write(left, isOver ? words.dayOver : strings.dayLeft(ms));
    settle(all.length > 0);
    if (day === days.day) return;
    day = days.day;
    showResults(days);
  }

  /** Begin a game, unless its day has just ended. @param {string} cards */
  function beginOrTurn(cards) {
    following.tick();
    if (!isOver) begin(cards);
  }

  const following = followDays(show);
  return { element, unbind: following.stop };
}
