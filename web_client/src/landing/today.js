// Today's race on the front page: one tap begins it. A game that was begun leads to its board.

import { keptOf } from '../browser/storage.js';
import { followDays } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { h, keyed, set, write } from '../widgets/element.js';

/** @import {Days} from '../contract/messages.d.ts' */

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
    { class: 'pane landing-way', id: 'today', hidden: true, 'aria-labelledby': 'today-title' },
    h('h2', { id: 'today-title', text: words.today.title }),
    h('p', { class: 'text-small' }, words.today.about, ' ', left),
    games,
    h('a', { class: 'text-small landing-past', id: 'past-days', href: '/days', text: words.past }),
  );
  let isOver = false;

  /** Show the games of a day. Once it is over, none of them begins any more: it would be practice. @param {Days | null} days @param {number} ms that are left */
  function show(days, ms) {
    if (!days) return;
    isOver = ms === 0;
    const all = days.games.map((each) => {
      const cards = `${days.day}/${each.game}`;
      return { ...each, cards, isLink: isOver || keptOf('day', cards) !== null };
    });
    keyed(
      games,
      all,
      ({ cards, isLink }) => `${cards} ${isLink}`,
      ({ game, cards, isLink }) => makeGame(isLink, game, () => beginOrTurn(cards)),
      (each, { cards, isLink, players, degree }) => {
        if (isLink) set(each, { href: `/d/${cards}` });
        const link = isOver ? words.overBoard : words.board;
        each.lastElementChild?.replaceChildren(isLink ? link : strings.dayPlayers(players, degree));
      },
    );
    write(left, isOver ? words.dayOver : strings.dayLeft(ms));
    set(element, { hidden: all.length === 0 });
  }

  /** Begin a game, unless its day has just ended. @param {string} cards */
  function beginOrTurn(cards) {
    following.tick();
    if (!isOver) begin(cards);
  }

  const following = followDays(show);
  return { element, unbind: following.stop };
}
