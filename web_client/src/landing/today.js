// Today's race on the front page: a card for each of its games, which leads to its gate. A game that this player has
// started leads to its board, and its card turns up with the place and the time.

import { keptOf } from '../browser/storage.js';
import { bestOfYesterday, fetchDocument, followDays } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { cardFan, makePane } from '../widgets/controls.js';
import { h, keyed, set } from '../widgets/element.js';

/**
 * @import {DayBoard, DayRow, Days} from '../contract/messages.d.ts'
 * @typedef {{game: string, cards: string, hasBegun: boolean, degree?: string | null}} Deal
 */

/** Fetch a game's board with the rows around the game of a key. @param {string} cards @param {string} key @returns {Promise<DayBoard | null>} */
const fetchBoard = (cards, key) =>
  fetchDocument(`/api/days/${cards}?rows=1&key=${encodeURIComponent(key)}`).catch(() => null);

/** Make the link to one of today's games, with a face-down card for each suit. @param {Deal} deal */
function makeDeal({ cards, hasBegun, game, degree }) {
  const { board, play } = strings.LANDING;
  const words = [
    cardFan(...Array(Number(game.slice(-1)) || 1).fill(undefined)),
    h('b', { text: strings.suitsOf(game) }),
    ' ',
    degree && h('small', { class: 'text-note', text: strings.DEGREES[degree] }),
    ' ',
    h('small', { class: 'text-note', 'data-part': 'about' }),
    ' ',
    h('b', { text: hasBegun ? board : play }),
  ];
  const looks = { class: 'buttons-link landing-pick', 'data-day': game, href: `/d/${cards}` };
  return h('a', looks, ...words);
}

/** Return the changing line of a game: how many play it, or this player's place. @param {Element} deal */
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

/** Turn up the games that this player has finished. @param {Days} days @param {HTMLElement} games */
function showResults({ day }, games) {
  for (const deal of /** @type {HTMLElement[]} */ ([...games.children])) {
    const cards = `${day}/${deal.dataset.day}`;
    const key = keptOf('day', cards);
    if (!key) continue;
    fetchBoard(cards, key).then((board) => {
      const row = board?.around.find(({ entry }) => entry === board.own);
      if (board && row) turnUp(deal, row, board.finished);
    });
  }
}

/** Show yesterday's best. @param {Days} days @param {HTMLElement} best */
async function showBest(days, best) {
  set(best, { hidden: days.past.length === 0 });
  const found = await bestOfYesterday(days, 'spider-1');
  if (found.length > 0) best.replaceChildren(...found);
}

/**
 * Bind the pane, which is hidden while there is no race.
 * @param {(hasRace: boolean) => void} settled is called after each answer
 */
export function bindToday(settled) {
  const words = strings.LANDING;
  const left = h('span', { class: 'pill', id: 'today-left' });
  const games = h('div', { class: 'landing-picks', id: 'today-games' });
  const best = h('p', { class: 'text-note', hidden: true, text: '\u00a0' }); // as high as later
  const past = h('a', { id: 'past-days', href: '/days', text: words.past });
  const once = h('p', { class: 'row between text-note' }, h('span', { text: words.once }), past);
  const element = makePane('today', words.today, left, games, once, best);
  set(element, { class: 'pane pane-lit landing-today' });
  let day = '';

  /** Show or hide the pane. @param {boolean} hasRace */
  function settle(hasRace) {
    set(element, { hidden: !hasRace });
    settled(hasRace);
  }

  /** Show today's games. Once the day is over, all lead to their boards. @param {Days | null} days @param {number} ms the time that is left */
  function show(days, ms) {
    if (!days) return settle(false); // no answer, for now
    const isOver = ms === 0;
    const all = days.games.map((each) => {
      const cards = `${days.day}/${each.game}`;
      return { ...each, cards, hasBegun: isOver || keptOf('day', cards) !== null };
    });
    keyed(
      games,
      all,
      ({ cards, hasBegun }) => `${cards} ${hasBegun}`,
      makeDeal,
      (each, { players }) => {
        const about = aboutOf(each);
        if (about && !each.querySelector('[data-place]'))
          set(about, { text: strings.dayPlayers(players) });
      },
    );
    set(left, { text: isOver ? words.dayOver : strings.dayLeft(ms) });
    settle(all.length > 0);
    if (day === days.day) return;
    day = days.day;
    showResults(days, games);
    showBest(days, best);
  }

  const following = followDays(show);
  return { element, unbind: following.stop };
}
