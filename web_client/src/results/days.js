// The parts of a day's page: its elements, the rows of its board, and the chart of all results; then
// the parts from this browser's history: tabs, calendar and latest days. At the end is the page of past days.

import { hasFinished, keptEntries, streakOf } from '../browser/history.js';
import { fetchDocument, keepFetching } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { makeCell, makeRanking, makeRow, makeToggle } from './parts.js';

/**
 * @import {DayBoard, DayRow, Days} from '../contract/messages.d.ts'
 * @import {Entry} from '../state/entries.js'
 * @typedef {{day: string, game: string, own?: DayRow | undefined}} Shown a game of a day, with this player's row
 */

const GAMES = /** @type {const} */ (['spider-1', 'spider-2', 'spider-4']);
const PAST_DAYS_LISTED = 4;
export const DAY_MS = 86_400_000;
const WEEK = 7;
export const POLL_MS = 20_000;
const HALF_MINUTE_MS = 30_000;
/** At most this many bars of wins fit on a phone, and this many labels below them. */
const MOST_BARS = 16;
const MOST_LABELS = 4;
export const FULL_DATE = /** @type {const} */ ({ weekday: 'long', day: 'numeric', month: 'long' });

/**
 * Make a row of a board, with a button that shows its game.
 * @param {DayRow | null} row null for a gap @param {boolean} isOwn @param {(row: DayRow) => void} show
 */
export function makeBoardRow(row, isOwn, show) {
  if (!row) return h('tr', { class: 'results-row', role: 'row' }, makeCell('gap', '⋯'));
  const { entry, kind, level, state, won, ms, suits } = row;
  const shown = level ? strings.STRENGTHS[level] : row.name || strings.LANDING.nameless;
  const looks = { class: 'icon day-see', 'data-kind': 'quiet', 'data-size': 'small' };
  const onclick = () => show(row);
  const see = h('button', { ...looks, 'aria-label': strings.dayWatch(shown), onclick });
  const figures = {
    entry,
    name: isOwn ? strings.you(shown) : shown,
    small: won ? '' : strings.ending({ won, state, finished_ms: ms, suits }),
    result: strings.dayResult(row),
    program: level ?? (kind === 'program' ? null : undefined),
  };
  const unplaced = { place: null, colour: 'blue', isOwn, isFirst: false }; // `drawRow` adds the place
  return makeRow({ ...figures, ...unplaced }, makeCell('see', see));
}

/** Return whether a row has a result worth a place: even a player who gave up at once can be first. @param {Pick<DayRow, 'won' | 'score'>} row */
export const hasScored = ({ won, score }) => won || score > 0;

/** Draw the place in a row, which changes as others finish. Computer players have none. @param {HTMLElement} line @param {DayRow | null} row */
export function drawRow(line, row) {
  const place = line.querySelector('[data-part="place"]');
  if (!row || !place) return;
  set(place, { text: row.level ? '' : String(row.place) });
  place.toggleAttribute('data-first', row.place === 1 && hasScored(row));
}

/** Compare two rows; the result is above 0 if the first one ranks below the other. @param {DayRow} row @param {DayRow} other */
const compareRows = (row, other) =>
  Number(other.won) - Number(row.won) ||
  (row.won ? (row.ms ?? 0) - (other.ms ?? 0) : other.score - row.score);

/** Add the computer players' rows, each before the first row that ranks below it. @param {(DayRow | null)[]} rows @param {readonly DayRow[]} computers */
export function withComputers(rows, computers) {
  return computers.reduce((all, each) => {
    const at = all.findIndex((row) => row && !row.level && compareRows(row, each) > 0);
    return all.toSpliced(at < 0 ? all.length : at, 0, each);
  }, rows);
}

/** Say which computer player this player has just beaten, and which one is just ahead; '' for none. @param {DayRow} own @param {readonly DayRow[]} computers best first */
export function comparedWithComputers(own, computers) {
  const nameOf = (/** @type {DayRow} */ { level }) => strings.STRENGTHS[level ?? 'club'];
  const beaten = computers.find((each) => compareRows(each, own) > 0);
  const ahead = computers.findLast((each) => compareRows(own, each) > 0);
  const words = [
    beaten && strings.dayBeaten(nameOf(beaten), own, beaten),
    ahead && strings.dayAhead(nameOf(ahead), own, ahead),
  ].filter(Boolean);
  return words.length > 0 ? `${words.join('; ')}.` : '';
}

/** Make the elements of a day's page. @param {string} day @param {HTMLElement} sign the form for the name */
export function makeParts(day, sign) {
  const words = strings.DAY;
  const { element: table, rows } = makeRanking({ 'aria-labelledby': 'day-board' });
  const button = (/** @type {string} */ id, /** @type {string} */ text) =>
    h('button', { id, text, hidden: true });
  const pane = (/** @type {string} */ heading) =>
    h('section', { class: 'pane', hidden: true, 'aria-labelledby': heading });
  const sharing = h('div', { class: 'stack', id: 'day-shared' });
  const parts = {
    title: h('h1', { class: 'day-title', id: 'winner', text: strings.dayDate(day, FULL_DATE) }),
    date: h('p', { class: 'text-small', text: strings.dayDate(day, FULL_DATE), hidden: true }),
    tabs: h('nav', { class: 'line day-tabs', 'aria-label': words.tabs }),
    left: h('p', { class: 'pill', id: 'day-left', hidden: true }),
    place: h('p', { class: 'results-place', 'aria-hidden': 'true', hidden: true }),
    about: h('p', { id: 'about', text: strings.REPLAY.loading }),
    among: h('p', { id: 'day-among', hidden: true }),
    beaten: h('p', { id: 'day-beaten', hidden: true }),
    sign,
    win: h('p', { class: 'text-small', id: 'day-degree', hidden: true }),
    spread: h('div', { id: 'day-spread' }),
    play: button('day-play', words.again),
    watch: button('day-watch', words.watch),
    sharing,
    share: makeToggle({ id: 'day-sharing', 'data-kind': 'primary', text: words.share }, sharing),
    rows,
    more: button('day-more', words.more),
    board: pane('day-board'),
    month: pane('day-month'),
    ghosts: pane('day-ghosts'),
    past: pane('day-past'),
    deal: h('div', { class: 'row' }),
  };
  set(parts.more, { 'data-size': 'small' });
  set(parts.share, { hidden: true });
  const press = h('p', { class: 'text-small', text: words.press });
  const head = h('header', {}, h('h2', { id: 'day-board', text: words.board }), press);
  parts.board.append(head, table, parts.more);
  return parts;
}

/** Lay out the parts of the page, from top to bottom. @param {ReturnType<typeof makeParts>} parts */
export function layOut(parts) {
  const { title, date, tabs, left, place, about, among, beaten, win, sign, spread } = parts;
  const { share, watch, play, sharing, board, past, month, ghosts, deal } = parts;
  const head = h('header', {}, h('div', {}, title, date), left);
  const lines = h('div', {}, about, beaten, among, win);
  const acts = h('div', { class: 'row day-acts' }, share, watch, play);
  const me = h('section', { class: 'pane', 'aria-labelledby': title.id }, head);
  me.append(place, lines, sign, spread, acts, sharing);
  const side = h('div', { class: 'stack day-side' }, board, past);
  const pair = h('div', { class: 'stack day-pair' }, month, ghosts);
  return [tabs, me, side, pair, deal];
}

// The chart of all results of a day: a bar for the wins in each span of time, then for each number of suits a bar
// for the games that got no further.

/**
 * Return the bars of a board: wins by time from `ms` to `end`, fastest first, then other games by suits, most first.
 * @param {DayBoard['spread']} spread the number of wins in each half minute, and of other games by their suits
 */
export function barsOf({ finished, suits }) {
  const from = finished.findIndex((n) => n > 0);
  const halves = from < 0 ? 0 : finished.length - from; // how many half minutes
  const step = Math.max(1, Math.ceil(halves / MOST_BARS)); // of them for each bar
  const wins = Array.from({ length: Math.ceil(halves / step) }, (_, i) => {
    const first = from + i * step;
    const count = finished.slice(first, first + step).reduce((sum, n) => sum + n, 0);
    return { count, ms: first * HALF_MINUTE_MS, end: (first + step) * HALF_MINUTE_MS, suits: null };
  });
  const others = suits.map((count, n) => ({ count, ms: null, end: null, suits: n })).toReversed();
  return [...wins, ...(others.some(({ count }) => count > 0) ? others : [])];
}

/** Make the legend: a sample of each mark, and its meaning. @param {Record<string, string>} names by `data-state` of the mark */
function makeKey(names) {
  const items = Object.entries(names).map(([state, text]) =>
    h('span', { class: 'line' }, h('i', { 'data-state': state }), text),
  );
  return h('p', { class: 'row day-key text-note' }, ...items);
}

/** Return whether a bar counts this game. @param {ReturnType<typeof barsOf>[number]} bar @param {DayRow} own */
const isBarOf = ({ ms, end, suits }, own) =>
  own.won ? ms !== null && own.ms !== null && ms <= own.ms && own.ms < end : suits === own.suits;

/** Make the chart and its legend; return no elements if there are no results. @param {DayBoard['spread'] | undefined} spread @param {DayRow | undefined} own this player's row */
export function makeSpread(spread, own) {
  const bars = spread ? barsOf(spread) : [];
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const wins = bars.filter(({ ms }) => ms !== null).length;
  const step = Math.ceil(wins / MOST_LABELS); // each `step`th bar has a label
  const labelOf = (/** @type {typeof bars[number]} */ { ms, suits }, /** @type {number} */ i) => {
    // The last win bar's label would run into the suit labels.
    if (ms !== null) return i % step === 0 && (i === 0 || i < wins - 1) ? strings.clock(ms) : '';
    return i === wins || suits === 0 ? String(suits) : '';
  };
  const elements = bars.map((bar, i) => {
    const isOwn = own && isBarOf(bar, own);
    const mark = isOwn && h('b', {}, h('span', { class: 'text-note', text: strings.dayYou(own) }));
    const element = h('i', { 'data-own': isOwn, 'data-suits': bar.suits !== null }, mark);
    element.append(h('small', { class: 'text-note', text: labelOf(bar, i) }));
    set(element, { '--part': bar.count / most, '--at': i / bars.length });
    return element;
  });
  const highest = bars.find(({ count }) => count === most);
  if (!highest) return [];
  const looks = { class: 'day-bars day-spread', 'data-colour': 'blue', role: 'img' };
  const chart = h('div', { ...looks, 'aria-label': strings.daySpread(highest) }, ...elements);
  return [chart, makeKey(strings.DAY.halves)];
}

// The parts from this browser's history.

/** Return the date `n` days later. @param {string} day @param {number} n */
const dayAfter = (day, n) => new Date(Date.parse(day) + n * DAY_MS).toISOString().slice(0, 10);

/**
 * Return this player's result in a day's game, in short, or ''.
 * @param {readonly Entry[]} kept this browser's history @param {string} cards of the game @param {DayRow} [row] on the board
 */
function ownResult(kept, cards, row) {
  const own = row ?? kept.find(({ id }) => id === cards);
  if (!own) return '';
  // An entry has no time until the result is known.
  const result = !row && own.ms === null ? strings.DAY.played : strings.dayResult(own);
  if (own.place === null || !hasScored(own)) return result;
  return `${strings.ordinal(own.place)} · ${result}`;
}

/** Make the link to a day's game. @param {string} cards its day and game @param {string} title @param {string} note @param {boolean} [isShown] whether the page shows it */
function makeLink(cards, title, note, isShown = false) {
  const looks = { class: 'day-game', href: `/d/${cards}`, 'aria-current': isShown && 'page' };
  return h('a', looks, h('b', { text: title }), ' ', h('small', { class: 'text-cut', text: note }));
}

/** Make the tabs of a day's games. @param {Shown} shown @param {Days | null} days @param {readonly Entry[]} kept this browser's history */
export function makeTabs({ day, game, own }, days, kept) {
  const words = strings.DAY;
  return GAMES.map((each) => {
    const cards = `${day}/${each}`;
    const ofToday = days?.day === day && days.games.find((other) => other.game === each);
    const ifUnplayed = ofToday ? strings.dayPlayers(ofToday.players) : words.notPlayed;
    const note = ownResult(kept, cards, each === game ? own : undefined) || ifUnplayed;
    return makeLink(cards, strings.suitsOf(each), note, each === game);
  });
}

/**
 * Make the calendar of a day's month, which marks the days that were played and finished.
 * @param {Shown} shown the page's game @param {Days} days @param {readonly Entry[]} kept this browser's history
 */
export function makeCalendar({ day, game }, { day: today, past }, kept) {
  const words = strings.DAY;
  const first = `${day.slice(0, 7)}-01`;
  const emptyDays = (new Date(first).getUTCDay() + WEEK - 1) % WEEK; // weekdays before the first, from Monday
  const month = Array.from({ length: 31 }, (_, i) => dayAfter(first, i));
  const open = new Set([today, ...past]);
  /** Make a calendar day: a link if it can be opened. @param {string} date */
  function makeDay(date) {
    const own = kept.filter((each) => each.kind === 'day' && each.day === date);
    const state = own.some(hasFinished) ? 'finished' : own.length > 0 ? 'played' : 'none';
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
  const inRow = streakOf(kept, today);
  const title = h('h2', { id: 'day-month', text: strings.dayDate(day, { month: 'long' }) });
  const streak = { id: 'day-streak', hidden: inRow < 2, text: strings.dayStreak(inRow) };
  const heads = letters.map((each) =>
    h('i', { 'aria-hidden': 'true', text: strings.dayDate(each, { weekday: 'narrow' }) }),
  );
  const gaps = Array.from({ length: emptyDays }, () => h('i'));
  const days = month.filter((date) => date.startsWith(day.slice(0, 7))).map(makeDay);
  return [
    h('header', {}, title, h('b', streak)),
    h('div', { class: 'stack day-calendar text-note' }, ...heads, ...gaps, ...days),
    makeKey({ finished: words.states.finished, played: words.states.played }),
    h('p', { class: 'text-note', text: words.streak }),
  ];
}

/** Make the latest past days with this player's results. @param {Shown} shown @param {Days} days @param {readonly Entry[]} kept this browser's history */
export function makeLatest({ game }, { past }, kept) {
  const words = strings.DAY;
  const looks = { class: 'buttons-link', 'data-kind': 'link', href: '/days' };
  const links = past.slice(0, PAST_DAYS_LISTED).map((date) => {
    const when = strings.dayDate(date, { weekday: 'short', day: 'numeric', month: 'short' });
    const cards = `${date}/${game}`;
    return makeLink(cards, when, ownResult(kept, cards) || words.notPlayed);
  });
  const title = h('h2', { id: 'day-past', text: strings.LANDING.past });
  const list = h('div', { class: 'stack day-pair', '--least': '8rem' }, ...links);
  return [h('header', {}, title, h('a', { ...looks, text: words.all })), list];
}

/** Bind the list of past days. @param {HTMLElement} root @returns {import('../page/app.d.ts').Bound} */
export function bindDays(root) {
  const words = strings.DAY;
  const list = h('ul', { class: 'day-lines', id: 'days' });
  const next = h('dl', { class: 'results-facts text-note', id: 'day-next' });
  const looks = { class: 'pill icon', '--icon': 'var(--icon-lock)', text: words.sealed };
  const sealedAbout = h('p', { class: 'text-small', text: words.sealedAbout });
  const sealed = h('details', { class: 'results-fold' }, h('summary', looks), sealedAbout, next);
  const about = h('p', { class: 'text-small', text: words.pastAbout });
  const head = h('header', {}, h('h1', { text: strings.LANDING.past }), about);
  const pane = h('section', { class: 'pane', 'aria-label': strings.LANDING.past }, list);
  const page = { class: 'page stack results-grid results-narrow' };
  root.replaceChildren(h('div', page, head, pane, sealed));
  /** Show the days; return after how many ms to fetch them again. @param {Days | null | undefined} found none if the request failed */
  function show(found) {
    if (!found) {
      if (!next.firstChild) list.replaceChildren(h('li', { text: strings.UNREACHED }));
      return POLL_MS;
    }
    list.replaceChildren(...found.past.map(makeDayItem));
    if (found.past.length === 0) list.append(h('li', { text: words.noPast }));
    const hashes = [...found.games, ...found.next].flatMap(({ game, commitment }, i) => {
      const day = i < found.games.length ? found.day : ''; // '' for the next day
      return [h('dt', { text: strings.dayTitle(day, game) }), h('dd', { text: commitment })];
    });
    next.replaceChildren(...hashes);
    return Math.max(POLL_MS, found.ends - found.now);
  }

  const { stop } = keepFetching(() => fetchDocument('/api/days'), show);
  return { update() {}, unbind: stop };
}

/** Make a day's list item, with a link to each game. @param {string} day */
function makeDayItem(day) {
  const tabs = makeTabs({ day, game: '' }, null, keptEntries());
  const title = h('b', { text: strings.dayDate(day, { ...FULL_DATE, weekday: 'short' }) });
  return h('li', { class: 'row between' }, title, h('div', { class: 'line day-tabs' }, ...tabs));
}
