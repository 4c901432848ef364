// Today's race: the page of a day's game with its board, its games and the result to share, and the list of
// past days. When a game of today's race is over, it is the page of its result, too.

import { keepEntry, keptEntries, streakOf } from '../browser/history.js';
import { keptOf } from '../browser/storage.js';
import { fetchDocument, followDays, keepFetching } from '../page/loads.js';
import { endOf, indexAt } from '../replay/course.js';
import { bindReplay } from '../replay/replay.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';
import { copyButton, linkFor, shareButton, tableHead } from '../widgets/room-parts.js';
import { dealAgain, makeDealRecord, pictureButtons } from './round.js';

/**
 * @import {Course, DayBoard, DayRow, Days, RoundCourse} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @typedef {{day: string, game: string, entries: string[]}} Address of a page of a day
 * @typedef {ReturnType<typeof makePage>} Page
 */

/** The games of a board that are shown beside the own one, at most. */
const MOST_SHOWN = 7;
/** The squares of a text that is shared: each is a part of the own time. */
const SQUARES = 10;
/** A board grows by this many rows. */
const ROWS = 50;
/** The server sends no more rows at a time. */
const MOST_ROWS = 1_000;
/** Players of earlier races are looked for among this many rows. */
const MOST_SEARCHED = 500;
/** The time until a board is asked for again that does not have the own result yet, or is not over. */
const AGAIN_MS = 2_000;
export const POLL_MS = 20_000;

/** Return what the path of a day's page names; null for another page. @param {string} path @returns {Address | null} */
export function dayIn(path) {
  const found = /^\/d\/(\d{4}-\d\d-\d\d)\/([a-z0-9-]+)(?:\/([0-9a-f.]+))?$/.exec(path);
  const [, day, game, entries] = found ?? [];
  return day && game ? { day, game, entries: entries?.split('.') ?? [] } : null;
}

/** Return the id of some games of a board, as of one finished round. @param {Address} address @param {string} key of the own game, or '' @returns {RoundId} */
export const idOfGames = ({ day, game, entries }, key) => ({
  code: `${day}-${game}`,
  n: 1,
  data: `/api/days/${day}/${game}/${entries.join('.')}`,
  games: entries.map((entry) => `${day}/${game}/${entry}`),
  key,
});

/**
 * Return the squares of a game: one for each part of its time, filled where a suit came home.
 * @param {Pick<Course, 'ms' | 'suits'>} course
 * @param {number} length of the game in ms
 */
export function squaresOf({ ms, suits }, length) {
  const at = (/** @type {number} */ part) => suits[indexAt(ms, (length * part) / SQUARES)] ?? 0;
  const parts = Array.from({ length: SQUARES }, (_, i) => at(i + 1) > (i ? at(i) : 0));
  return parts.map((isHome) => (isHome ? '🟩' : '⬜')).join('');
}

/** Return the rows of a board to show: the first ones, and those around the own one, where a gap is marked. @param {DayBoard} board @returns {(DayRow | null)[]} */
export function rowsOf({ rows, around }) {
  const first = new Set(rows.map(({ entry }) => entry));
  const more = around.filter(({ entry }) => !first.has(entry));
  return more.length > 0 && more.length === around.length
    ? [...rows, null, ...more]
    : [...rows, ...more];
}

/** Make the row of a board; a press shows the game. @param {DayRow | null} row @param {(row: DayRow) => void} show */
function makeRow(row, show) {
  if (!row) return h('tr', {}, h('td', { colspan: 5, text: '⋯' }));
  const button = h('button', { class: 'results-see', onclick: () => show(row) });
  const cells = Array.from({ length: 3 }, () => h('td'));
  return h('tr', { 'data-entry': row.entry }, h('td'), h('td', {}, button), ...cells);
}

/** Draw a row of a board: while others finish, its place changes. @param {HTMLElement} line @param {DayRow | null} row @param {string} own */
function drawRow(line, row, own) {
  const button = line.querySelector('button');
  if (!row || !button) return;
  const { place, entry, name, kind, moves, suits } = row;
  const isOwn = entry === own;
  const shown = name || strings.DAY.hidden;
  set(line, { 'data-own': isOwn });
  writeName(button, isOwn ? strings.you(shown) : shown, kind === 'program' ? null : undefined);
  for (const [i, text] of [place, null, strings.dayResult(row), moves, suits].entries())
    if (text !== null) line.children[i]?.replaceChildren(String(text));
}

/** Make the elements of the page of a day's game. @param {string} title */
function makeParts(title) {
  const words = strings.DAY;
  const link = (/** @type {string} */ href, /** @type {string} */ text) =>
    h('a', { class: 'buttons-link', href, text });
  const parts = {
    about: h('p', { class: 'results-margin', id: 'about', text: strings.REPLAY.loading }),
    among: h('p', { id: 'day-among', hidden: true }),
    left: h('p', { id: 'day-left' }),
    win: h('p', { id: 'day-degree', hidden: true }),
    streak: h('p', { id: 'day-streak', hidden: true }),
    play: h('button', { id: 'day-play', 'data-kind': 'primary', hidden: true }),
    rows: h('tbody'),
    more: h('button', { id: 'day-more', text: words.more, hidden: true }),
    share: h('section', { class: 'pane', hidden: true, 'aria-labelledby': 'share-day' }),
    record: h('div', { class: 'results-record' }),
    note: h('p', { class: 'pane text-small', id: 'day-note', text: words.once }),
  };
  const { about, among, left, win, streak, rows } = parts;
  const heading = h('h1', { id: 'winner', text: title });
  const lines = h('div', { class: 'results-words' }, heading, about, among, left, win, streak);
  const looks = { class: 'results-ranking day-ranking', id: 'ranking' };
  const table = h('table', looks, tableHead(words.columns), rows);
  const panel = { class: 'pane results-table', hidden: true, 'aria-label': words.board };
  return {
    ...parts,
    head: h('header', { class: 'page-title results-head' }, lines),
    buttons: h(
      'div',
      { class: 'buttons buttons-wide' },
      ...[parts.play, link('/days', words.past), link('/', strings.BUTTONS.front)],
    ),
    board: h('section', panel, table, parts.more),
  };
}

/** Make the page of the day's game that the room or the address names. @param {App} app */
function makePage(app) {
  const round = app.state().room?.round;
  const [day = '', game = ''] = round?.cards?.split('/') ?? [];
  const none = { day, game, entries: /** @type {string[]} */ ([]) };
  const address = round?.key ? none : (dayIn(location.pathname) ?? none);
  const cards = `${address.day}/${address.game}`;
  return {
    ...{ app, ...address, cards },
    key: round?.key ?? keptOf('day', cards) ?? '',
    parts: makeParts(strings.dayTitle(address.day, address.game)),
    replay: /** @type {ReturnType<typeof bindReplay> | null} */ (null),
    board: /** @type {DayBoard | null} */ (null),
    /** Why there is no board yet; '' if the server has none. */
    missing: strings.REPLAY.loading,
    days: /** @type {Days | null} */ (null),
    msLeft: 0,
    /** Whether the button starts today's race. */
    isToday: false,
    /** How many rows are shown. */
    size: ROWS,
    isSearched: false,
    /** The entries whose games are shown. */
    shown: /** @type {string[]} */ ([]),
  };
}

/** Return the id of some games of the page's board. @param {Page} page @param {string[]} entries */
const gamesOf = ({ day, game, key }, entries) => idOfGames({ day, game, entries }, key);

/** Return the cards to play: today's race, or a past day's cards with its best game as a ghost. @param {Page} page */
function playable({ board, cards }) {
  const best = board?.over ? board.rows[0]?.entry : undefined;
  return best ? `${cards}/${best}` : cards;
}

/** Fetch the board with its first rows, all at once: two requests would mix old and new places. @param {Page} page @param {number} rows */
function fetchBoard({ cards, key }, rows) {
  const query = new URLSearchParams({ rows: String(rows), ...(key && { key }) });
  return fetchDocument(`/api/days/${cards}?${query}`);
}

/** Show the board, and return when it can have changed. @param {Page} page @param {DayBoard | null | undefined} found */
function showBoard(page, found) {
  const { more, rows } = page.parts;
  const isOnMore = document.activeElement === more;
  page.board = found ?? page.board;
  page.missing = found === null ? '' : strings.UNREACHED;
  drawDay(page);
  if (!page.board) return POLL_MS;
  drawBoard(page, page.board);
  // The button that has fetched the last rows is gone: the focus goes to the first of them.
  if (isOnMore && more.hidden) rows.children[page.size - ROWS]?.querySelector('button')?.focus();
  const isAwaited = page.key !== '' && page.board.own === '';
  return page.board.over ? 0 : isAwaited ? AGAIN_MS : POLL_MS;
}

/** Show what the time of the day allows. @param {Page} page */
function drawDay(page) {
  const words = strings.DAY;
  const { board, day, days, msLeft, key, missing, parts } = page;
  const { over = false } = board ?? {};
  const isToday = days?.day === day && msLeft > 0 && !over;
  page.isToday = isToday;
  set(parts.play, {
    hidden: !board || (!over && (!isToday || key !== '')),
    text: isToday ? words.play : words.again,
  });
  set(parts.note, { hidden: !isToday });
  const isEnding = board && days && day <= days.day;
  const ended = over ? words.over : isEnding ? words.ending : '';
  write(parts.left, isToday ? strings.dayLeft(msLeft) : ended);
  const none = days && (day < days.day ? words.gone : words.notYet);
  if (!board) write(parts.about, missing || none || strings.REPLAY.loading);
}

/** Show the board's rows, this player's place, and at first some games. @param {Page} page @param {DayBoard} next */
function drawBoard(page, next) {
  const { parts, key, app } = page;
  const { over, own, players, finished, won } = next;
  const row = [...next.around, ...next.rows].find(({ entry }) => entry === own);
  const isPlaying = app.state().room?.state !== 'FINISHED';
  const waits = isPlaying ? strings.DAY.begun : strings.DAY.counting;
  const awaited = key !== '' && !own ? waits : strings.dayPlayers(players, '');
  const others = over ? strings.dayTotal(players, won) : awaited;
  write(parts.about, row ? strings.dayPlace(row.place, finished, won) : others);
  set(parts.board, { hidden: next.rows.length === 0 });
  keyed(
    parts.rows,
    rowsOf(next),
    (each) => each?.entry ?? '⋯',
    (each) => makeRow(each, (pressed) => showBeside(page, pressed)),
    (line, each) => drawRow(line, each, own),
  );
  set(parts.more, { hidden: page.size >= Math.min(finished, MOST_ROWS) });
  if (row) tellOwn(page, row, next);
  if (page.shown.length > 0 || next.rows.length === 0) return;
  const best = next.rows.map(({ entry }) => entry).filter((entry) => entry !== own);
  const some = page.entries.length > 0 ? page.entries : [own, ...best.slice(0, own ? 1 : 2)];
  showGames(page, some.filter(Boolean));
}

/** Keep this player's place in the history, and look for players of earlier races. @param {Page} page @param {DayRow} own @param {DayBoard} next */
function tellOwn(page, own, next) {
  const kept = keptEntries();
  const begun = kept.find((each) => each.id === page.cards);
  if (begun && next.finished !== begun.of)
    keepEntry({ ...begun, place: own.place, of: next.finished });
  const raced = new Set(kept.flatMap(({ rivals }) => rivals));
  const most = Math.min(next.finished, MOST_SEARCHED);
  if (next.rows.length >= most) tellAmong(page, raced, next);
  else if (!page.isSearched && raced.size > 0) {
    page.isSearched = true;
    fetchBoard(page, most).then(
      (found) => tellAmong(page, raced, found),
      () => {
        page.isSearched = false;
      },
    );
  }
}

/** Say how this player is among those whom they have raced before. @param {Page} page @param {ReadonlySet<string>} raced their names @param {DayBoard} searched */
function tellAmong({ parts }, raced, { rows, around, own }) {
  const place = [...around, ...rows].find(({ entry }) => entry === own)?.place ?? 0;
  const known = rows.filter(({ entry, name }) => entry !== own && raced.has(name));
  const better = known.filter((each) => each.place < place).length;
  const text = strings.dayAmong(better + 1, known.length + 1);
  set(parts.among, { hidden: known.length === 0, text });
}

/** Show a game beside this player's, or beside the shown ones. @param {Page} page @param {DayRow} row */
function showBeside(page, { entry }) {
  const own = page.board?.own ?? '';
  const first = own && entry !== own ? [own, entry] : [entry];
  const others = page.shown.filter((each) => !first.includes(each));
  showGames(page, [...first, ...others].slice(0, MOST_SHOWN + 1));
  page.replay?.element.scrollIntoView({ block: 'start' });
}

/** Show some games in the replay. @param {Page} page @param {string[]} some */
function showGames(page, some) {
  page.shown = some;
  if (!page.replay || some.length === 0) return;
  page.replay.element.hidden = false;
  page.replay.show(gamesOf(page, some), page.board?.own ? 0 : -1);
}

/** Show what goes with the games: the text to share, and the deal. @param {Page} page @param {RoundCourse} course */
function showCourse(page, course) {
  const { day, game, shown, parts } = page;
  const { ranking, courses, reveal, settings } = course;
  const at = shown.indexOf(page.board?.own ?? '');
  const standing = ranking.find(({ seat }) => seat === at);
  const played = courses.find(({ seat }) => seat === at);
  const squares = played && squaresOf(played, endOf(course, at));
  if (standing && squares) showShare(page, strings.dayShare(day, game, standing, squares));
  parts.record.replaceChildren(...makeDealRecord(gamesOf(page, shown), reveal, settings, null));
}

/** Show the text to share. @param {Page} page @param {string} text */
function showShare(page, text) {
  const { announce } = page.app;
  const words = strings.DAY;
  const url = linkFor(`/d/${page.cards}`);
  const looks = { class: 'day-share', id: 'day-share', readonly: true, 'aria-label': words.share };
  const area = h('textarea', { ...looks, rows: 6 }); // a long address takes two on a phone
  area.value = `${text}\n${url}`;
  const field = /** @type {HTMLInputElement} */ (/** @type {unknown} */ (area));
  const buttons = [
    copyButton('day-copy', field, announce),
    shareButton('day-hand-on', () => ({ text, url }), announce),
    ...pictureButtons(() => gamesOf(page, [page.board?.own ?? '']), announce),
  ];
  const title = h('h2', { id: 'share-day', text: words.share });
  page.parts.share.replaceChildren(title, area, h('div', { class: 'buttons' }, ...buttons));
  set(page.parts.share, { hidden: false });
}

/** Show what today is; return whether the day of the page has just ended. @param {Page} page @param {Days | null} found @param {number} ms that are left of it */
function showDays(page, found, ms) {
  const { day, game, parts, isToday: wasToday } = page;
  if (found && found !== page.days) {
    const inRow = streakOf(keptEntries(), found.day);
    set(parts.streak, { hidden: inRow < 2, text: strings.dayStreak(inRow) });
    const ofDay = found.day === day && found.games.find((each) => each.game === game);
    set(parts.win, { hidden: !ofDay, text: ofDay ? strings.winLine(true, ofDay.degree) : '' });
  }
  page.days = found;
  page.msLeft = ms;
  drawDay(page);
  return wasToday && !page.isToday;
}

/** Bind the page of a game of a day. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindDay(root, app) {
  const page = makePage(app);
  const { head, buttons, board, share, record, note, play, more } = page.parts;
  const replay = bindReplay(
    (course) => showCourse(page, course),
    () => {},
    (cards, acts) => dealAgain(app, cards, acts),
  );
  replay.element.hidden = true;
  page.replay = replay;
  const all = [head, buttons, board, share, replay.element, record, note];
  root.replaceChildren(h('div', { class: 'page results', id: 'results' }, ...all));

  const boards = keepFetching(
    () => fetchBoard(page, page.size),
    (found) => showBoard(page, found),
  );
  const following = followDays((days, ms) => {
    if (showDays(page, days, ms)) boards.now();
  });
  more.addEventListener('click', () => {
    page.size += ROWS;
    boards.now();
  });
  play.addEventListener('click', () => {
    const before = page.isToday;
    following.tick();
    if (page.isToday === before) dealAgain(app, playable(page)); // else its day has just ended
  });
  return {
    update() {},
    unbind() {
      following.stop();
      boards.stop();
      replay.unbind();
    },
  };
}

/** Bind the list of past days. @param {HTMLElement} root @returns {Bound} */
export function bindDays(root) {
  const words = strings.DAY;
  const list = h('ul', { class: 'day-list', id: 'days' });
  const next = h('dl', { class: 'results-facts', id: 'day-next' });
  const title = h('h1', { text: words.past });
  const sealed = h('h2', { id: 'sealed', text: words.sealed });
  const front = h('a', { class: 'buttons-link', href: '/', text: strings.BUTTONS.front });
  const page = h(
    'div',
    { class: 'page results' },
    h('header', { class: 'page-title' }, title, h('p', { text: words.pastAbout })),
    h('section', { class: 'pane', 'aria-label': words.past }, list),
    h('section', { class: 'pane', 'aria-labelledby': sealed.id }, sealed, next),
    h('div', { class: 'buttons buttons-wide' }, front),
  );
  root.replaceChildren(page);
  /** Show the days. @param {Days | null | undefined} found */
  function show(found) {
    if (!found) {
      if (!next.firstChild) list.replaceChildren(h('li', { text: strings.UNREACHED }));
      return POLL_MS;
    }
    list.replaceChildren(...found.past.map((day) => makeDayItem(day, found)));
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

/** Make the item of a day, with a link to each game. @param {string} day @param {Days} days */
function makeDayItem(day, { games }) {
  const links = games.map(({ game }) =>
    h('a', { class: 'buttons-link', href: `/d/${day}/${game}`, text: strings.gameName(game) }),
  );
  return h(
    'li',
    {},
    h('b', { text: strings.dayDate(day) }),
    h('span', { class: 'buttons' }, ...links),
  );
}
