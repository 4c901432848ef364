// What this browser's history says of days: the tabs of a day's games, the calendar of its month, and the
// latest days. Then the page of past days.

import { keptEntries, streakOf } from '../browser/history.js';
import { fetchDocument, keepFetching } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';

/**
 * @import {Days} from '../contract/messages.d.ts'
 * @import {Entry} from '../state/history.js'
 * @typedef {{day: string, game: string}} Shown a game of a day
 */

const GAMES = /** @type {const} */ (['spider-1', 'spider-2', 'spider-4']);
/** The past days beside a board. */
const LATEST = 4;
const DAY_MS = 86_400_000;
const WEEK = 7;
export const POLL_MS = 20_000;

/** Return the date `n` days later. @param {string} day @param {number} n */
const dayAfter = (day, n) => new Date(Date.parse(day) + n * DAY_MS).toISOString().slice(0, 10);

/** Return this player's result in a game of a day, in short; '' without one. @param {readonly Entry[]} kept @param {string} cards */
function ownResult(kept, cards) {
  const own = kept.find(({ id }) => id === cards);
  if (!own) return '';
  const result = own.ms === null ? strings.DAY.played : strings.dayResult(own);
  return own.place === null ? result : `${strings.ordinal(own.place)} · ${result}`;
}

/** Make the link to a game of a day. @param {string} cards @param {string} title @param {string} note @param {boolean} [isShown] */
const makeLink = (cards, title, note, isShown = false) =>
  h(
    'a',
    { class: 'day-game', href: `/d/${cards}`, 'aria-current': isShown && 'page' },
    h('b', { text: title }),
    ' ',
    h('small', { text: note }),
  );

/** Make the tabs of the games of a day. @param {Shown} shown @param {Days | null} days @param {readonly Entry[]} kept */
export function makeTabs({ day, game }, days, kept) {
  const words = strings.DAY;
  return GAMES.map((each) => {
    const cards = `${day}/${each}`;
    const ofToday = days?.day === day && days.games.find((other) => other.game === each);
    const open = ofToday ? strings.dayPlay(ofToday.players) : words.notPlayed;
    const note = ownResult(kept, cards) || open;
    return makeLink(cards, strings.suitsOf(each), note, each === game);
  });
}

/** Make the calendar of a day's month: which of its days were played, and which finished. @param {Shown} shown @param {Days} days @param {readonly Entry[]} kept */
export function makeCalendar({ day, game }, days, kept) {
  const words = strings.DAY;
  const first = `${day.slice(0, 7)}-01`;
  const before = (new Date(first).getUTCDay() + WEEK - 1) % WEEK;
  const month = Array.from({ length: 31 }, (_, i) => dayAfter(first, i));
  const open = new Set([days.day, ...days.past]);
  /** @param {string} date */
  function makeDay(date) {
    const own = kept.filter((each) => each.kind === 'day' && each.day === date);
    const state = own.some(({ won }) => won) ? 'finished' : own.length > 0 ? 'played' : 'none';
    const text = String(Number(date.slice(-2)));
    const looks = { 'data-state': state, text };
    if (!open.has(date)) return h('span', looks);
    const label = `${strings.dayDate(date)}: ${words.states[state]}`;
    const href = `/d/${date}/${own[0]?.game ?? game}`;
    const current = date === day && 'date';
    return h('a', { ...looks, href, 'aria-label': label, 'aria-current': current });
  }
  // 2024 began on a Monday.
  const letters = Array.from({ length: WEEK }, (_, i) => dayAfter('2024-01-01', i));
  const inRow = streakOf(kept, days.day);
  return [
    h(
      'header',
      {},
      h('h2', { id: 'day-month', text: strings.dayDate(day, { month: 'long' }) }),
      h('b', { id: 'day-streak', hidden: inRow < 2, text: strings.dayStreak(inRow) }),
    ),
    h(
      'div',
      { class: 'day-calendar' },
      ...letters.map((each) =>
        h('i', { 'aria-hidden': 'true', text: strings.dayDate(each, { weekday: 'narrow' }) }),
      ),
      ...Array.from({ length: before }, () => h('i')),
      ...month.filter((date) => date.startsWith(day.slice(0, 7))).map(makeDay),
    ),
    h('p', { class: 'text-small', text: words.calendar }),
  ];
}

/** Make the latest past days with this player's results. @param {Shown} shown @param {Days} days @param {readonly Entry[]} kept */
export function makeLatest({ game }, { past }, kept) {
  const words = strings.DAY;
  return [
    h(
      'header',
      {},
      h('h2', { id: 'day-past', text: words.past }),
      h('a', { class: 'text-small', href: '/days', text: strings.dayAll(past.length) }),
    ),
    h(
      'div',
      { class: 'day-latest' },
      ...past.slice(0, LATEST).map((date) => {
        const when = strings.dayDate(date, { weekday: 'short', day: 'numeric', month: 'short' });
        const cards = `${date}/${game}`;
        return makeLink(cards, when, ownResult(kept, cards) || words.notPlayed);
      }),
    ),
  ];
}

/** Bind the list of past days. @param {HTMLElement} root @returns {import('../page/app.d.ts').Bound} */
export function bindDays(root) {
  const words = strings.DAY;
  const list = h('ul', { class: 'day-lines', id: 'days' });
  const next = h('dl', { class: 'results-facts', id: 'day-next' });
  const sealed = h('details', { class: 'day-fold' }, h('summary', { text: words.sealed }), next);
  const title = h('h1', { text: words.past });
  const head = h('header', {}, title, h('p', { class: 'text-small', text: words.pastAbout }));
  const pane = h('section', { class: 'pane', 'aria-label': words.past }, list);
  root.replaceChildren(h('div', { class: 'page day day-narrow' }, head, pane, sealed));
  /** Show the days. @param {Days | null | undefined} found */
  function show(found) {
    if (!found) {
      if (!next.firstChild) list.replaceChildren(h('li', { text: strings.UNREACHED }));
      return POLL_MS;
    }
    list.replaceChildren(...found.past.map(makeDayItem));
    if (found.past.length === 0) list.append(h('li', { text: words.noPast }));
    next.replaceChildren(
      ...[...found.games, ...found.next].flatMap(({ game, commitment }, i) => [
        h('dt', { text: strings.dayTitle(i < found.games.length ? found.day : '', game) }),
        h('dd', { text: commitment }),
      ]),
    );
    return Math.max(POLL_MS, found.ends - found.now);
  }

  const { stop } = keepFetching(() => fetchDocument('/api/days'), show);
  return { update() {}, unbind: stop };
}

/** Make the item of a day, with a link to each game. @param {string} day */
function makeDayItem(day) {
  const tabs = makeTabs({ day, game: '' }, null, keptEntries());
  return h(
    'li',
    {},
    h('b', { text: strings.dayDate(day) }),
    h('nav', { class: 'day-tabs' }, ...tabs),
  );
}
