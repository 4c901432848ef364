// Today's race on the front page: one tap begins it. A game that was begun leads to its board.

import { keptOf } from '../browser/storage.js';
import { parse } from '../contract/notation.js';
import { strings } from '../strings/language.js';
import { h, set, write } from '../widgets/element.js';

/** @import {DayGame, Days} from '../contract/messages.d.ts' */

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

/** Make the button of a game, or the link to its board once it was begun. @param {string} day @param {DayGame} game @param {(cards: string) => void} begin */
function makeGame(day, { game, players, degree }, begin) {
  const cards = `${day}/${game}`;
  const isBegun = keptOf('day', cards) !== null;
  const about = isBegun ? strings.LANDING.board : strings.dayPlayers(players, degree);
  const words = [
    h('b', { text: suitsOf(game) }),
    ' ',
    h('span', { class: 'text-small', text: about }),
  ];
  return isBegun
    ? h('a', { class: 'buttons-link', 'data-day': game, href: `/d/${cards}` }, ...words)
    : h('button', { 'data-day': game, onclick: () => begin(cards) }, ...words);
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
  let ends = 0;
  let ahead = 0; // how much the server's clock is ahead of this one, in ms

  /** Fetch the day, and show it. @param {number} [asked] how often it was asked for */
  async function fetchDay(asked = 0) {
    const answer = await fetch('/api/days').catch(() => null);
    if (!answer?.ok) return;
    /** @type {Days} */
    const { day, now, ends: end, games: ofDay } = parse(await answer.text());
    ends = end;
    ahead = now - Date.now();
    games.replaceChildren(...ofDay.map((game) => makeGame(day, game, begin)));
    set(element, { hidden: ofDay.length === 0 });
    tick();
    const pause = AGAIN_MS[asked];
    if (ofDay.length < GAMES && pause && element.isConnected)
      setTimeout(() => element.isConnected && fetchDay(asked + 1), pause);
  }

  /** Show the time that is left; the next day follows without a reload. */
  function tick() {
    const ms = ends - Date.now() - ahead;
    if (ends > 0 && ms <= 0) {
      ends = 0;
      fetchDay();
    } else write(left, strings.dayLeft(ms));
  }

  fetchDay();
  const timer = setInterval(() => ends > 0 && tick(), TICK_MS);
  return { element, unbind: () => clearInterval(timer) };
}
