// Today's race on the front page: one tap begins it. A game that was begun leads to its board.

import { keptOf } from '../browser/storage.js';
import { fetchDocument, keepFetching } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { h, keyed, set, write } from '../widgets/element.js';

/** @import {Days} from '../contract/messages.d.ts' */

const TICK_MS = 10_000;
/** The pauses before the day is asked for again whose deals a new server still chooses. */
const AGAIN_MS = [2_000, 4_000, 8_000, 16_000];
/** How many games a day has. */
const GAMES = 3;

/** Return the words for a game of the day: its suits. @param {string} game */
function suitsOf(game) {
  /** @type {Record<string, string>} */
  const suits = strings.LANDING.suits;
  return suits[game.slice(-1)] ?? strings.gameName(game);
}

/** Make the button that begins a game of today, or the link to its board. @param {boolean} isLink @param {string} game @param {() => void} begin */
function makeGame(isLink, game, begin) {
  const words = [h('b', { text: suitsOf(game) }), ' ', h('span', { class: 'text-small' })];
  return isLink
    ? h('a', { class: 'buttons-link', 'data-day': game }, ...words)
    : h('button', { 'data-day': game, onclick: begin }, ...words);
}

/** Bind the panel, which is hidden until there is a race. @param {(cards: string) => void} begin begins a game with these cards */
export function bindToday(begin) {
  const words = strings.LANDING;
  const left = h('span', { class: 'landing-left', id: 'today-left' });
  const games = h('div', { class: 'landing-today', id: 'today-games' });
  const element = h(
    'section',
    { class: 'panel landing-way', id: 'today', hidden: true, 'aria-labelledby': 'today-title' },
    h('h2', { id: 'today-title', text: words.today.title }),
    h('p', { class: 'text-small' }, words.today.about, ' ', left),
    games,
    h('a', { class: 'text-small landing-past', id: 'past-days', href: '/days', text: words.past }),
  );
  /** @type {Days | null} */
  let days = null;
  let ahead = 0; // how much the server's clock is ahead of this one, in ms
  let lacking = 0; // the answers in a row that lacked a game
  let isOver = false;

  const msLeft = () => (days?.ends ?? 0) - Date.now() - ahead;

  /** Draw the games of the day. Once it is over, none of them begins any more: it would be practice. */
  function draw() {
    const { day = '', games: ofDay = [] } = days ?? {};
    const isLink = (/** @type {string} */ cards) => isOver || keptOf('day', cards) !== null;
    keyed(
      games,
      ofDay,
      ({ game }) => `${day}/${game} ${isLink(`${day}/${game}`)}`,
      ({ game }) => makeGame(isLink(`${day}/${game}`), game, () => beginOrTurn(`${day}/${game}`)),
      (each, { game, players, degree }) => {
        const cards = `${day}/${game}`;
        const link = isOver ? words.overBoard : words.board;
        if (isLink(cards)) set(each, { href: `/d/${cards}` });
        const text = isLink(cards) ? link : strings.dayPlayers(players, degree);
        each.lastElementChild?.replaceChildren(text);
      },
    );
    write(left, isOver ? words.dayOver : strings.dayLeft(msLeft()));
    set(element, { hidden: ofDay.length === 0 });
  }

  /** Show the day. If it has all its games, the next one follows it: after midnight, not all pages at once. @param {Days | null | undefined} found */
  function show(found) {
    if (!found) return TICK_MS;
    days = found;
    ahead = found.now - Date.now();
    isOver = msLeft() <= 0;
    lacking = found.games.length < GAMES ? lacking + 1 : 0;
    draw();
    return AGAIN_MS[lacking - 1] ?? Math.max(0, msLeft()) + TICK_MS;
  }

  /** Show the time that is left, and turn the page of the calendar: a laptop may have slept over midnight. */
  function tick() {
    if (!days) return;
    const wasOver = isOver;
    isOver = msLeft() <= 0;
    draw();
    if (isOver && !wasOver) fetching.now();
  }

  /** Begin a game, unless its day has just ended. @param {string} cards */
  function beginOrTurn(cards) {
    tick();
    if (!isOver) begin(cards);
  }

  const fetching = keepFetching(() => fetchDocument('/api/days'), show);
  const timer = setInterval(tick, TICK_MS);
  return {
    element,
    unbind() {
      clearInterval(timer);
      fetching.stop();
    },
  };
}
