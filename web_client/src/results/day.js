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

/** Bind the page of a game of a day. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindDay(root, app) {
  const words = strings.DAY;
  const round = app.state().room?.round;
  const [day = '', game = ''] = round?.cards?.split('/') ?? [];
  const address = round?.key ? { day, game, entries: [] } : dayIn(location.pathname);
  const { day: date, game: id, entries } = address ?? { day: '', game: '', entries: [] };
  const games = (/** @type {string[]} */ some) =>
    idOfGames({ day: date, game: id, entries: some }, key);
  const key = round?.key ?? keptOf('day', `${date}/${id}`) ?? '';
  const title = h('h1', { id: 'winner', text: strings.dayTitle(date, id) });
  const about = h('p', { class: 'results-margin', id: 'about', text: strings.REPLAY.loading });
  const left = h('p', { id: 'day-left' });
  const win = h('p', { id: 'day-degree', hidden: true });
  const among = h('p', { id: 'day-among', hidden: true });
  const streak = h('p', { id: 'day-streak', hidden: true });
  const lines = h('div', { class: 'results-words' }, title, about, among, left, win, streak);
  const head = h('header', { class: 'page-title results-head' }, lines);
  const play = h('button', {
    id: 'day-play',
    'data-kind': 'primary',
    hidden: true,
    onclick: start,
  });
  const past = h('a', { class: 'buttons-link', id: 'day-past', href: '/days', text: words.past });
  const front = h('a', { class: 'buttons-link', href: '/', text: strings.BUTTONS.front });
  const buttons = h('div', { class: 'buttons buttons-wide buttons-cloth' }, play, past, front);
  const rows = h('tbody');
  const table = h(
    'table',
    { class: 'results-ranking day-ranking', id: 'ranking' },
    tableHead(words.columns),
    rows,
  );
  const more = h('button', { id: 'day-more', text: words.more, hidden: true });
  more.addEventListener('click', showMore);
  const boardPanel = h('section', { class: 'panel results-table', hidden: true }, table, more);
  set(boardPanel, { 'aria-label': words.board });
  const share = h('section', { class: 'panel', hidden: true, 'aria-labelledby': 'share-day' });
  const replay = bindReplay(
    showCourse,
    () => {},
    (cards, acts) => dealAgain(app, cards, acts),
  );
  const record = h('div', { class: 'results-record' });
  const note = h('p', { class: 'panel text-small', id: 'day-note', text: words.once });
  const page = h('div', { class: 'page results', id: 'results' });
  page.append(head, buttons, boardPanel, share, replay.element, record, note);
  replay.element.hidden = true;
  root.replaceChildren(page);

  /** @type {DayBoard | null} */
  let board = null;
  /** Why there is no board yet; '' if the server has none. */
  let missing = strings.REPLAY.loading;
  /** @type {Days | null} */
  let days = null;
  let msLeft = 0;
  /** Whether the button starts today's race. */
  let isToday = false;
  /** How many rows are shown. */
  let size = ROWS;
  let isSearched = false;
  /** Return the cards to play: today's race, or those of a past day with its best game as a ghost. */
  const playable = () => {
    const best = board?.over ? board.rows[0]?.entry : undefined;
    return best ? `${date}/${id}/${best}` : `${date}/${id}`;
  };
  /** The games that are shown. @type {string[]} */
  let shown = [];

  /** Start what the button says, unless its day has just ended. */
  function start() {
    const before = isToday;
    following.tick();
    if (isToday === before) dealAgain(app, playable());
  }

  /** Fetch the board with its first rows, all at once: those of two requests would mix old and new places. */
  const fetchBoard = (first = size) => {
    const query = new URLSearchParams({ rows: String(first), ...(key && { key }) });
    return fetchDocument(`/api/days/${date}/${id}?${query}`);
  };

  /** Show the board, and return when it can have changed. @param {DayBoard | null | undefined} found */
  function showBoard(found) {
    const isOnMore = document.activeElement === more;
    board = found ?? board;
    missing = found === null ? '' : strings.UNREACHED;
    drawDay();
    if (!board) return POLL_MS;
    drawBoard(board);
    // The button that has fetched the last rows is gone: the focus goes to the first of them.
    if (isOnMore && more.hidden) rows.children[size - ROWS]?.querySelector('button')?.focus();
    const isAwaited = key !== '' && board.own === '';
    return board.over ? 0 : isAwaited ? AGAIN_MS : POLL_MS;
  }

  /** Show what the time of the day allows. */
  function drawDay() {
    const { over = false } = board ?? {};
    isToday = days?.day === date && msLeft > 0 && !over;
    set(play, {
      hidden: !board || (!over && (!isToday || key !== '')),
      text: isToday ? words.play : words.again,
    });
    set(note, { hidden: !isToday });
    const isEnding = board && days && date <= days.day;
    const ended = over ? words.over : isEnding ? words.ending : '';
    write(left, isToday ? strings.dayLeft(msLeft) : ended);
    const none = days && (date < days.day ? words.gone : words.notYet);
    if (!board) write(about, missing || none || strings.REPLAY.loading);
  }

  /** Show the board. @param {DayBoard} next */
  function drawBoard(next) {
    const { over, own, players, finished, won } = next;
    const row = [...next.around, ...next.rows].find(({ entry }) => entry === own);
    const isPlaying = app.state().room?.state !== 'FINISHED';
    const waits = isPlaying ? words.begun : words.counting;
    const awaited = key !== '' && !own && !over ? waits : '';
    write(
      about,
      row ? strings.dayPlace(row.place, finished, won) : awaited || strings.dayPlayers(players, ''),
    );
    set(boardPanel, { hidden: next.rows.length === 0 });
    keyed(
      rows,
      rowsOf(next),
      (each) => each?.entry ?? '⋯',
      (each) => makeRow(each, show),
      (line, each) => drawRow(line, each, own),
    );
    set(more, { hidden: size >= Math.min(finished, MOST_ROWS) });
    if (row) tellOwn(row, next);
    if (shown.length > 0 || next.rows.length === 0) return;
    const others = next.rows.map(({ entry }) => entry).filter((entry) => entry !== own);
    const some = entries.length > 0 ? entries : [own, ...others.slice(0, own ? 1 : 2)];
    showGames(some.filter(Boolean));
  }

  /** Keep the own place with the day, and look for players of earlier races. @param {DayRow} own @param {DayBoard} next */
  function tellOwn(own, next) {
    const begun = keptEntries().find((each) => each.id === `${date}/${id}`);
    if (begun && next.finished !== begun.of)
      keepEntry({ ...begun, place: own.place, of: next.finished });
    const most = Math.min(next.finished, MOST_SEARCHED);
    if (next.rows.length >= most) tellAmong(next);
    else if (!isSearched) {
      isSearched = true;
      fetchBoard(most).then(tellAmong, () => {
        isSearched = false;
      });
    }
  }

  /** Say how this player is among those whom they have raced before. @param {DayBoard} searched */
  function tellAmong({ rows: all, around, own }) {
    const place = [...around, ...all].find(({ entry }) => entry === own)?.place ?? 0;
    const raced = new Set(keptEntries().flatMap(({ rivals }) => rivals));
    const known = all.filter(({ entry, name }) => entry !== own && raced.has(name));
    const better = known.filter((each) => each.place < place).length;
    const text = strings.dayAmong(better + 1, known.length + 1);
    set(among, { hidden: known.length === 0, text });
  }

  function showMore() {
    size += ROWS;
    boards.now();
  }

  /** Show a game beside the own one, or those that are shown. @param {DayRow} row */
  function show({ entry }) {
    const others = shown.filter((each) => each !== entry).slice(0, MOST_SHOWN);
    const own = board?.own ?? '';
    showGames(
      own && entry !== own
        ? [own, entry, ...others.filter((each) => each !== own)].slice(0, MOST_SHOWN + 1)
        : [entry, ...others],
    );
    replay.element.scrollIntoView({ block: 'start' });
  }

  /** Show some games in the replay. @param {string[]} some */
  function showGames(some) {
    shown = some;
    replay.element.hidden = some.length === 0;
    if (some.length > 0) replay.show(games(some), board?.own ? 0 : -1);
  }

  /** Show what goes with the games: the text to share, and the deal. @param {RoundCourse} course */
  function showCourse(course) {
    const own = board?.own ?? '';
    const at = shown.indexOf(own);
    const standing = course.ranking.find(({ seat }) => seat === at);
    const played = course.courses.find(({ seat }) => seat === at);
    if (standing && played)
      showShare(strings.dayShare(date, id, standing, squaresOf(played, endOf(course, at))));
    record.replaceChildren(makeDealRecord(games(shown), course.reveal, course.settings, null));
  }

  /** Show the text to share. @param {string} text */
  function showShare(text) {
    const url = linkFor(`/d/${date}/${id}`);
    const area = h('textarea', {
      class: 'day-share',
      id: 'day-share',
      readonly: true,
      rows: 6, // a long address takes two on a phone
      'aria-label': words.share,
    });
    area.value = `${text}\n${url}`;
    const field = /** @type {HTMLInputElement} */ (/** @type {unknown} */ (area));
    share.replaceChildren(
      h('h2', { id: 'share-day', text: words.share }),
      area,
      h(
        'div',
        { class: 'buttons' },
        copyButton('day-copy', field, app.announce),
        shareButton('day-hand-on', () => ({ text, url }), app.announce),
        ...pictureButtons(() => games([board?.own ?? '']), app.announce),
      ),
    );
    set(share, { hidden: false });
  }

  /** Show what today is, and turn the page at midnight. @param {Days | null} found @param {number} ms that are left of it */
  function showDays(found, ms) {
    const wasToday = isToday;
    msLeft = ms;
    if (found && found !== days) {
      const inRow = streakOf(keptEntries(), found.day);
      set(streak, { hidden: inRow < 2, text: strings.dayStreak(inRow) });
      const ofDay = found.day === date && found.games.find((each) => each.game === id);
      set(win, { hidden: !ofDay, text: ofDay ? strings.winLine(true, ofDay.degree) : '' });
    }
    days = found;
    drawDay();
    if (wasToday && !isToday) boards.now();
  }

  const following = followDays(showDays);
  const boards = keepFetching(() => fetchBoard(), showBoard);
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
  const page = h(
    'div',
    { class: 'page results' },
    h(
      'header',
      { class: 'page-title' },
      h('h1', { text: words.past }),
      h('p', { text: words.pastAbout }),
    ),
    h('section', { class: 'panel', 'aria-label': words.past }, list),
    h(
      'section',
      { class: 'panel', 'aria-labelledby': 'sealed' },
      h('h2', { id: 'sealed', text: words.sealed }),
      next,
    ),
    h(
      'div',
      { class: 'buttons buttons-wide' },
      h('a', { class: 'buttons-link', href: '/', text: strings.BUTTONS.front }),
    ),
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
