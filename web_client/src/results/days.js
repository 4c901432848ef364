// The parts of a day's page: its elements, the rows of its board, and the chart of all results; then the parts made
// from this browser's history: tabs, calendar and latest days. At the end is the page that lists past days.

import { hasFinished, keptEntries, streakOf } from '../browser/history.js';
import { DAY_MS, fetchDocument, keepFetching } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { makeCell, makeRanking, makeRow, makeToggle } from './parts.js';

/**
 * @import {DayBoard, DayRow, Days} from '../contract/messages.d.ts'
 * @import {Entry} from '../state/entries.js'
 * @typedef {{day: string, game: string, ownRow?: DayRow | undefined}} Shown the game that a day's page shows, with
 *   this player's row on its board
 */

const GAMES = /** @type {const} */ (['spider-1', 'spider-2', 'spider-4']);
const PAST_DAYS_LISTED = 4;
const WEEK = 7;
export const POLL_MS = 20_000;
const HALF_MINUTE_MS = 30_000;
/** At most this many bars of wins fit on a phone, and this many labels below them. */
const MAX_BARS = 16;
const MAX_LABELS = 4;
export const FULL_DATE = /** @type {const} */ ({ weekday: 'long', day: 'numeric', month: 'long' });

/**
 * Make a row of a board, with a button that shows its game in the replay.
 * @param {DayRow | null} row null for a gap @param {boolean} isOwn @param {(row: DayRow) => void} show
 */
export function makeBoardRow(row, isOwn, show) {
  if (!row) return h('tr', { class: 'results-row', role: 'row' }, makeCell('gap', '⋯'));
  const { entry, kind, level, state, won, ms, suits } = row;
  const name = level ? strings.STRENGTHS[level] : row.name || strings.LANDING.nameless;
  const looks = { class: 'icon day-see', 'data-kind': 'quiet', 'data-size': 'small' };
  const onclick = () => show(row);
  const see = h('button', { ...looks, 'aria-label': strings.dayWatch(name), onclick });
  const figures = {
    ...{ entry, isOwn, name: isOwn ? strings.you(name) : name },
    small: won ? '' : strings.ending({ won, state, finished_ms: ms, suits }),
    result: strings.dayResult(row),
    program: level ?? (kind === 'program' ? null : undefined), // null: of unknown strength
  };
  const unplaced = { place: null, colour: 'blue', isFirst: false }; // `drawRow` fills in the place
  return makeRow({ ...figures, ...unplaced }, makeCell('see', see));
}

/** Return whether a game was won or has points, so that its place counts. @param {Pick<DayRow, 'won' | 'score'>} row */
export const hasScored = ({ won, score }) => won || score > 0;

/** Draw a row's place, which changes as others finish. @param {HTMLElement} line @param {DayRow | null} row */
export function drawRow(line, row) {
  const place = line.querySelector('[data-part="place"]');
  if (!row || !place) return;
  set(place, { text: row.level ? '' : String(row.place) });
  place.toggleAttribute('data-first', row.place === 1 && hasScored(row));
}

/** Compare two rows, to sort the best first. @param {DayRow} row @param {DayRow} other */
const compareRows = (row, other) =>
  Number(other.won) - Number(row.won) ||
  (row.won ? (row.ms ?? 0) - (other.ms ?? 0) : other.score - row.score);

/**
 * Add the computer players' rows, each before the first row of a person that ranks below it.
 * @param {(DayRow | null)[]} rows null stands for a gap @param {readonly DayRow[]} computers best first
 */
export function withComputers(rows, computers) {
  return computers.reduce((all, computer) => {
    const at = all.findIndex((row) => row && !row.level && compareRows(row, computer) > 0);
    return all.toSpliced(at < 0 ? all.length : at, 0, computer);
  }, rows);
}

/**
 * Return a sentence that names the computer players next to this player: the best one beaten, and the weakest one that
 * was better. Returns '' without computer players.
 * @param {DayRow} own @param {readonly DayRow[]} computers best first
 */
export function comparedWithComputers(own, computers) {
  const nameOf = (/** @type {DayRow} */ { level }) => (level ? strings.STRENGTHS[level] : '');
  const beaten = computers.find((each) => compareRows(each, own) > 0);
  const ahead = computers.findLast((each) => compareRows(own, each) > 0);
  const words = [
    beaten && strings.dayBeaten(nameOf(beaten), own, beaten),
    ahead && strings.dayAhead(nameOf(ahead), own, ahead),
  ].filter(Boolean);
  return words.length > 0 ? `${words.join('; ')}.` : '';
}

/**
 * Make the elements of a day's page; `shown` has the outermost ones, from top to bottom.
 * @param {string} day @param {HTMLElement} sign the form for signing the game
 */
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
    timeLeft: h('p', { class: 'pill', id: 'day-left', hidden: true }),
    place: h('p', { class: 'results-place', 'aria-hidden': 'true', hidden: true }),
    about: h('p', { id: 'about', text: strings.REPLAY.loading }),
    /** This player's place among earlier opponents, and beside the computer players. */
    opponents: h('p', { id: 'day-among', hidden: true }),
    computers: h('p', { id: 'day-beaten', hidden: true }),
    sign,
    /** Says that the deal can be won, and how hard that is. */
    winDegree: h('p', { class: 'text-small', id: 'day-degree', hidden: true }),
    chart: h('div', { id: 'day-spread' }),
    playAgain: button('day-play', words.again),
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
  const hint = h('p', { class: 'text-small', text: words.press });
  const head = h('header', {}, h('h2', { id: 'day-board', text: words.board }), hint);
  parts.board.append(head, table, parts.more);
  const { title, place, about, chart } = parts;
  const own = h('section', { class: 'pane', 'aria-labelledby': title.id });
  const lines = h('div', {}, about, parts.computers, parts.opponents, parts.winDegree);
  const acts = h('div', { class: 'row day-acts' }, parts.share, parts.watch, parts.playAgain);
  own.append(h('header', {}, h('div', {}, title, parts.date), parts.timeLeft));
  own.append(place, lines, sign, chart, acts, sharing);
  const side = h('div', { class: 'stack day-side' }, parts.board, parts.past);
  const pair = h('div', { class: 'stack day-pair' }, parts.month, parts.ghosts);
  return { ...parts, shown: [parts.tabs, own, side, pair, parts.deal] };
}

// The chart of a day's results: first the wins, a bar for each span of time, then the games that were not won, a bar
// for each number of completed suits.

/**
 * Return the bars of the chart: first the wins, fastest first, each bar with those that took from `ms` up to `end`; then
 * the other games by the number of `suits` that they completed, most first.
 * @param {DayBoard['spread']} spread the number of wins in each half minute, and of other games by their suits
 */
export function barsOf({ finished, suits }) {
  const fastest = finished.findIndex((n) => n > 0);
  const halfMinutes = fastest < 0 ? 0 : finished.length - fastest;
  const step = Math.max(1, Math.ceil(halfMinutes / MAX_BARS)); // half minutes in a bar
  const wins = Array.from({ length: Math.ceil(halfMinutes / step) }, (_, i) => {
    const first = fastest + i * step;
    const count = finished.slice(first, first + step).reduce((sum, n) => sum + n, 0);
    return { count, ms: first * HALF_MINUTE_MS, end: (first + step) * HALF_MINUTE_MS, suits: null };
  });
  const others = suits.map((count, n) => ({ count, ms: null, end: null, suits: n })).toReversed();
  return [...wins, ...(others.some(({ count }) => count > 0) ? others : [])];
}

/** Make a legend: a sample of each mark, with its meaning. @param {Record<string, string>} names by `data-state` */
function makeLegend(names) {
  const items = Object.entries(names).map(([state, text]) =>
    h('span', { class: 'line' }, h('i', { 'data-state': state }), text),
  );
  return h('p', { class: 'row day-key text-note' }, ...items);
}

/** Return whether a bar includes this game. @param {ReturnType<typeof barsOf>[number]} bar @param {DayRow} own */
const isBarOf = ({ ms, end, suits }, own) =>
  own.won ? ms !== null && own.ms !== null && ms <= own.ms && own.ms < end : suits === own.suits;

/** Make the chart and legend, if there are results. @param {DayBoard['spread']} [spread] @param {DayRow} [own] */
export function makeChart(spread, own) {
  const bars = spread ? barsOf(spread) : [];
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const wins = bars.filter(({ ms }) => ms !== null).length;
  const step = Math.ceil(wins / MAX_LABELS); // every `step`th bar of wins has a label
  const labelOf = (/** @type {typeof bars[number]} */ { ms, suits }, /** @type {number} */ i) => {
    if (ms === null) return i === wins || suits === 0 ? String(suits) : ''; // label the first and the last
    // No label below the last bar of wins: it would run into the label of the bar beside it.
    return i % step === 0 && (i === 0 || i < wins - 1) ? strings.clock(ms) : '';
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
  return [chart, makeLegend(strings.DAY.halves)];
}

// The parts made from this browser's history. They get its entries newest first.

/** Return the date `n` days later. @param {string} day @param {number} n */
const dayAfter = (day, n) => new Date(Date.parse(day) + n * DAY_MS).toISOString().slice(0, 10);

/**
 * Return this player's result in a day's game, in short; '' if the player has not played it.
 * @param {readonly Entry[]} history @param {string} cards the day and the game @param {DayRow} [row] on the board
 */
function ownResult(history, cards, row) {
  const own = row ?? history.find(({ id }) => id === cards);
  if (!own) return '';
  const isUnknown = !row && own.ms === null; // the history has no time until the result is known
  const result = isUnknown ? strings.DAY.played : strings.dayResult(own);
  if (own.place === null || !hasScored(own)) return result;
  return `${strings.ordinal(own.place)} · ${result}`;
}

/** Link to a day's game. @param {string} cards @param {string} title @param {string} note @param {boolean} [isShown] */
function makeLink(cards, title, note, isShown = false) {
  const looks = { class: 'day-game', href: `/d/${cards}`, 'aria-current': isShown && 'page' };
  return h('a', looks, h('b', { text: title }), ' ', h('small', { class: 'text-cut', text: note }));
}

/** Make the tabs of a day's games. @param {Shown} shown @param {Days | null} days @param {readonly Entry[]} history */
export function makeTabs({ day, game, ownRow }, days, history) {
  const words = strings.DAY;
  return GAMES.map((id) => {
    const cards = `${day}/${id}`;
    const isShown = id === game;
    const ofToday = days?.day === day && days.games.find((each) => each.game === id);
    const ifUnplayed = ofToday ? strings.dayPlayers(ofToday.players) : words.notPlayed;
    const note = ownResult(history, cards, isShown ? ownRow : undefined) || ifUnplayed;
    return makeLink(cards, strings.suitsOf(id), note, isShown);
  });
}

/** Make a calendar of the shown month. @param {Shown} shown @param {Days} days @param {readonly Entry[]} history */
export function makeCalendar({ day, game }, { day: today, past }, history) {
  const words = strings.DAY;
  const month = day.slice(0, 7);
  const first = `${month}-01`;
  const emptyDays = (new Date(first).getUTCDay() + WEEK - 1) % WEEK; // before the first, from Monday
  const nextDates = Array.from({ length: 31 }, (_, i) => dayAfter(first, i)); // some of the next month
  const daysWithPage = new Set([today, ...past]);
  /** Make a day of the calendar: a link if the day has a page. @param {string} date */
  function makeDay(date) {
    const own = history.filter((entry) => entry.kind === 'day' && entry.day === date);
    const state = own.some(hasFinished) ? 'finished' : own.length > 0 ? 'played' : 'none';
    const looks = { 'data-state': state, text: String(Number(date.slice(-2))) };
    if (!daysWithPage.has(date)) return h('span', looks);
    const label = `${strings.dayDate(date)}: ${words.states[state]}`;
    const href = `/d/${date}/${own[0]?.game ?? game}`;
    const current = date === day && 'date';
    return h('a', { ...looks, href, 'aria-label': label, 'aria-current': current });
  }
  const streak = streakOf(history, today);
  const title = h('h2', { id: 'day-month', text: strings.dayDate(day, { month: 'long' }) });
  const looks = { id: 'day-streak', hidden: streak < 2, text: strings.dayStreak(streak) };
  const weekdays = Array.from({ length: WEEK }, (_, i) => {
    const text = strings.dayDate(dayAfter('2024-01-01', i), { weekday: 'narrow' }); // from a Monday
    return h('i', { 'aria-hidden': 'true', text });
  });
  const gaps = Array.from({ length: emptyDays }, () => h('i'));
  const days = nextDates.filter((date) => date.startsWith(month)).map(makeDay);
  return [
    h('header', {}, title, h('b', looks)),
    h('div', { class: 'stack day-calendar text-note' }, ...weekdays, ...gaps, ...days),
    makeLegend({ finished: words.states.finished, played: words.states.played }),
    h('p', { class: 'text-note', text: words.streak }),
  ];
}

/** List the latest days and one's results. @param {Shown} shown @param {Days} days @param {readonly Entry[]} history */
export function makeLatest({ game }, { past }, history) {
  const words = strings.DAY;
  const looks = { class: 'buttons-link', 'data-kind': 'link', href: '/days' };
  const links = past.slice(0, PAST_DAYS_LISTED).map((date) => {
    const when = strings.dayDate(date, { weekday: 'short', day: 'numeric', month: 'short' });
    const cards = `${date}/${game}`;
    return makeLink(cards, when, ownResult(history, cards) || words.notPlayed);
  });
  const title = h('h2', { id: 'day-past', text: strings.LANDING.past });
  const list = h('div', { class: 'stack day-pair', '--least': '8rem' }, ...links);
  return [h('header', {}, title, h('a', { ...looks, text: words.all })), list];
}

/** Bind the page that lists past days. @param {HTMLElement} root @returns {import('../page/app.d.ts').Bound} */
export function bindDays(root) {
  const words = strings.DAY;
  const list = h('ul', { class: 'day-lines', id: 'days' });
  const hashes = h('dl', { class: 'results-facts text-note', id: 'day-next' });
  const looks = { class: 'pill icon', '--icon': 'var(--icon-lock)', text: words.sealed };
  const sealedAbout = h('p', { class: 'text-small', text: words.sealedAbout });
  const sealed = h('details', { class: 'results-fold' }, h('summary', looks), sealedAbout, hashes);
  const about = h('p', { class: 'text-small', text: words.pastAbout });
  const head = h('header', {}, h('h1', { text: strings.LANDING.past }), about);
  const pane = h('section', { class: 'pane', 'aria-label': strings.LANDING.past }, list);
  const page = { class: 'page stack results-grid results-narrow' };
  root.replaceChildren(h('div', page, head, pane, sealed));
  /** Show the days; return the ms until the next request. @param {Days | null} [found] missing after a failure */
  function show(found) {
    if (!found) {
      // Keep the days that are already shown.
      if (!hashes.firstChild) list.replaceChildren(h('li', { text: strings.UNREACHED }));
      return POLL_MS;
    }
    list.replaceChildren(...found.past.map(makeDayItem));
    if (found.past.length === 0) list.append(h('li', { text: words.noPast }));
    const facts = [...found.games, ...found.next].flatMap(({ game, commitment }, i) => {
      const day = i < found.games.length ? found.day : ''; // '' for the next day
      return [h('dt', { text: strings.dayTitle(day, game) }), h('dd', { text: commitment })];
    });
    hashes.replaceChildren(...facts);
    return Math.max(POLL_MS, found.ends - found.now);
  }

  const { stop } = keepFetching(() => fetchDocument('/api/days'), show);
  return { update() {}, unbind: stop };
}

/** Make the list item of a past day, with a link to each game. @param {string} day */
function makeDayItem(day) {
  const tabs = makeTabs({ day, game: '' }, null, keptEntries());
  const title = h('b', { text: strings.dayDate(day, { ...FULL_DATE, weekday: 'short' }) });
  return h('li', { class: 'row between' }, title, h('div', { class: 'line day-tabs' }, ...tabs));
}
