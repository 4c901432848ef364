// The page of one game of today's race, or of an earlier day's: this player's place among all results, the board,
// and the result to share. It also appears when this player finishes a game of today's race.

import { keepEntry, keptEntries } from '../browser/history.js';
import { keepOf, keptOf } from '../browser/storage.js';
import { fetchInvitation } from '../page/addresses.js';
import { fetchDocument, followDays, keepFetching } from '../page/loads.js';
import { endOf, indexAt } from '../replay/course.js';
import { bindReplay, openReplay, showRound, unbindReplay } from '../replay/replay.js';
import { parseCards } from '../state/entries.js';
import { strings } from '../strings/language.js';
import { makeNameField } from '../widgets/controls.js';
import { callAll, h, keyed, set, writeSpoken } from '../widgets/element.js';
import { copyButton, linkFor, sendButton, shareButton } from '../widgets/sharing.js';
import * as views from './days.js';
import { makeDayGate } from './gate.js';
import { dealAgain, makeDealRecord, pictureButtons } from './round.js';

/**
 * @import {Course, DayBoard, DayRow, Days, RoundCourse, Standing} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @typedef {{day: string, game: string, entries: string[]}} Address what a day page's address names; the `entries`
 *   are ids of finished games on the day's board, to be shown in the replay
 * @typedef {ReturnType<typeof makePage>} Page
 */

const MAX_OTHERS_IN_REPLAY = 7;
/** The shared text has a square for each of this many equal parts of the game. */
const SQUARES = 10;
const FIRST_ROWS = 10;
const MORE_ROWS = 50;
const MIN_RESULTS_CHARTED = 5;
const MAX_GHOSTS = 3;
const MAX_ROWS_SENT = 1_000;
/** Look for earlier opponents once, among this many of the best rows. */
const MAX_ROWS_SEARCHED = 500;
const MISSING_RESULT_POLL_MS = 2_000;

/** Parse a day page's path: `/d/DAY/GAME`, maybe with `/ENTRY.ENTRY`. @param {string} path @returns {Address | null} */
export function dayIn(path) {
  const pattern = /^\/d\/(\d{4}-\d\d-\d\d)\/([a-z0-9-]+)(?:\/([0-9a-f.]+))?$/;
  const [, day, game, entries] = pattern.exec(path) ?? [];
  return day && game ? { day, game, entries: entries?.split('.') ?? [] } : null;
}

/**
 * Return the id that the replay uses to fetch games of a day's board, as if they were one round.
 * @param {{day: string, game: string, key: string}} board `key` is the secret of this player's own game that day,
 *   which gives access to the others; '' without one
 * @param {readonly string[]} entries the ids of the games on the board
 * @returns {RoundId}
 */
export const idOfGames = ({ day, game, key }, entries) => ({
  code: `${day}-${game}`,
  n: 1,
  data: `/api/days/${day}/${game}/${entries.join('.')}`,
  games: entries.map((entry) => `${day}/${game}/${entry}`),
  key,
});

/**
 * Return a game as a line of squares, one for each part of its time: green if a suit was completed in that part.
 * @param {Pick<Course, 'ms' | 'suits'>} course @param {number} lengthMs of the game
 */
export function squaresOf({ ms, suits }, lengthMs) {
  /** Return how many suits were home by the end of a part. @param {number} part from 1 */
  const homeAfter = (part) => suits[indexAt(ms, (lengthMs * part) / SQUARES)] ?? 0;
  return Array.from({ length: SQUARES }, (_, i) => {
    const before = i > 0 ? homeAfter(i) : 0;
    return homeAfter(i + 1) > before ? '🟩' : '⬜';
  }).join('');
}

/**
 * Return the rows to show: the best ones, and those around this player's row if they are further down the board.
 * @param {Pick<DayBoard, 'rows' | 'around'>} board @param {number} [size] how many of the best to show
 * @returns {(DayRow | null)[]} null stands for a gap between the two parts
 */
export function rowsOf({ rows, around }, size = rows.length) {
  const top = rows.slice(0, size);
  const shown = new Set(top.map(({ entry }) => entry));
  const more = around.filter(({ entry }) => !shown.has(entry));
  const hasGap = more.length > 0 && more.length === around.length; // the parts don't overlap
  return hasGap ? [...top, null, ...more] : [...top, ...more];
}

/** Make the form that lets a nameless player sign the game. @param {App} app */
function makeSignForm(app) {
  const { name: label, sign } = strings.GATE;
  const { element, input, demand } = makeNameField(label);
  function onsubmit() {
    const name = demand();
    if (name) app.send({ type: 'sign', name });
  }
  const looks = { class: 'field-framed', novalidate: true, onsubmit };
  set(input, { 'aria-label': label, placeholder: label });
  set(element, { id: 'day-sign', hidden: true });
  element.prepend(h('form', looks, input, h('button', { type: 'submit', text: sign })));
  element.querySelector('label')?.remove(); // the placeholder says the same
  return element;
}

/** Link to the room of this player's game if it has no name yet and can still be signed there. @param {Page} page */
async function offerSigning({ app, cards, parts }) {
  const code = app.state().room ? null : keptOf('unsigned', cards); // in the room there is a form
  if (!code || !(await fetchInvitation(code))) return;
  const looks = { class: 'buttons-link', id: 'day-unsigned', href: `/r/${code}` };
  parts.sign.before(h('a', { ...looks, text: strings.GATE.unsigned }));
}

/**
 * Make the object that holds the page's elements and state. The page shows the game of today's race that this player
 * has in a room; without one, it shows the game in the page's address.
 * @param {HTMLElement} root @param {App} app @param {(name: string) => void} start starts this player's only game
 */
function makePage(root, app, start) {
  const round = app.state().room?.round;
  const { day, game } = parseCards(round?.cards ?? '');
  const inRoom = { day, game, entries: /** @type {string[]} */ ([]) };
  const isOfToday = Boolean(round?.key); // only a game of today's race has a key
  const address = isOfToday ? inRoom : (dayIn(location.pathname) ?? inRoom);
  const cards = `${address.day}/${address.game}`; // as in `parseCards`
  const page = {
    ...{ root, app, ...address, cards },
    gate: makeDayGate(address, start),
    element: h('div', { class: 'page stack results-grid day-columns', id: 'results' }),
    /** The secret of this player's game, which leads the server to its row; '' without a game. */
    key: round?.key ?? keptOf('day', cards) ?? '',
    parts: views.makeParts(address.day, makeSignForm(app)),
    replay: bindReplay({
      onCourse: (course) => showCourse(page, course),
      deal: (gameCards, acts) => dealAgain(app, gameCards, acts),
    }),
    board: /** @type {DayBoard | null} */ (null),
    /** This player's row, once it is on the board. */
    ownRow: /** @type {DayRow | undefined} */ (undefined),
    /** Why there is no board yet; '' if the server has none: `drawDay` says why. */
    missing: strings.REPLAY.loading,
    days: /** @type {Days | null} */ (null),
    msLeft: 0,
    /** Whether the page's day is today and its race is still on. */
    isPlayable: false,
    /** Whether the game was just signed; the board shows the name a moment later. */
    isSigned: false,
    rowsShown: FIRST_ROWS,
    isSeekingOpponents: keptEntries().some(({ rivals }) => rivals.length > 0),
    shownEntries: /** @type {string[]} */ ([]),
  };
  return page;
}

/** Fetch the board and its first rows in one request: two requests could mix old and new places. @param {Page} page */
function fetchBoard({ cards, key, isSeekingOpponents, rowsShown }) {
  const rows = isSeekingOpponents ? MAX_ROWS_SEARCHED : Math.max(MORE_ROWS, rowsShown);
  const query = new URLSearchParams({ rows: String(rows), ...(key && { key }) });
  return fetchDocument(`/api/days/${cards}?${query}`);
}

/**
 * Show the board that was fetched; return after how many ms to fetch it again, or 0 to stop.
 * @param {Page} page @param {DayBoard | null | undefined} found null without a board, undefined if the request failed
 */
function showBoard(page, found) {
  const { more, rows } = page.parts;
  const hadFocus = document.activeElement === more;
  if (found) page.board = found;
  else page.missing = found === null ? '' : strings.UNREACHED;
  drawDay(page);
  if (!page.board) return views.POLL_MS;
  drawBoard(page, page.board);
  // The “more” button has fetched the last rows and is hidden now: focus the first of these rows.
  if (hadFocus && more.hidden)
    rows.children[page.rowsShown - MORE_ROWS]?.querySelector('button')?.focus();
  const { over, own } = page.board;
  // The server adds a finished game's row, or a signed game's name, a little later.
  const isRowAwaited = page.isSigned || (!over && page.key !== '' && own === '');
  page.isSigned = false;
  if (isRowAwaited) return MISSING_RESULT_POLL_MS;
  return over ? 0 : views.POLL_MS;
}

/** Return the sentence about the time left today, or ''. @param {Page} page */
function timeLine({ board, day, days, msLeft, isPlayable }) {
  const { over = false, own = '' } = board ?? {};
  // A player whose game is on the board waits for the next deal.
  if (isPlayable) return own ? strings.dayNext(msLeft) : strings.dayLeft(msLeft);
  if (over) return strings.DAY.over;
  // The day has ended, but its last games may still be running.
  return board && days && day <= days.day ? strings.DAY.ending : '';
}

/** Draw the page, or the gate instead if this player can still start the game of today's race. @param {Page} page */
function drawDay(page) {
  const words = strings.DAY;
  const { app, board, day, days, msLeft, key, missing, parts, gate } = page;
  const { over = false, own = '' } = board ?? {};
  page.isPlayable = days?.day === day && msLeft > 0 && !over;
  const isToday = day === (days?.day ?? new Date(app.now()).toISOString().slice(0, 10));
  const title = isToday ? strings.LANDING.today : strings.dayDate(day, views.FULL_DATE);
  set(parts.title, { text: title });
  set(parts.date, { hidden: !isToday });
  set(parts.playAgain, { hidden: !over, 'data-kind': !own && 'primary' });
  const time = timeLine(page);
  set(parts.timeLeft, { hidden: time === '', text: time });
  const whyNoRace = days && (day < days.day ? words.gone : words.notYet);
  const whyNoBoard = missing || whyNoRace || strings.REPLAY.loading;
  if (!board) set(parts.about, { text: whyNoBoard });
  const players = board ? strings.dayPlayers(board.players) : whyNoBoard;
  gate.draw(players, time, page.isPlayable && board !== null);
  const hasStarted = key !== '';
  // Until the days have been fetched, assume that today's race is on.
  const canStart = !hasStarted && !over && (days ? page.isPlayable : isToday);
  const shown = canStart ? gate.element : page.element;
  if (!shown.isConnected) page.root.replaceChildren(shown);
}

/** Draw the board and this player's place; load the first games. @param {Page} page @param {DayBoard} board */
function drawBoard(page, board) {
  const { parts, rowsShown } = page;
  const { own, finished, computers = [], rows } = board;
  const row = [...board.around, ...rows].find(({ entry }) => entry === own);
  page.ownRow = row;
  drawOwn(page, board);
  drawHistory(page);
  set(parts.board, { hidden: rows.length + computers.length === 0 });
  const compared = row && views.hasScored(row) ? views.comparedWithComputers(row, computers) : '';
  set(parts.computers, { hidden: compared === '', text: compared });
  keyed(
    parts.rows,
    views.withComputers(rowsOf(board, rowsShown), computers),
    (each) => `${each?.entry} ${each?.name}`, // a game that is signed later gets a new row
    (each) => views.makeBoardRow(each, each?.entry === own, (pressed) => showBeside(page, pressed)),
    views.drawRow,
  );
  set(parts.more, { hidden: rowsShown >= Math.min(finished, MAX_ROWS_SENT) });
  if (row) keepPlace(page, row, finished);
  // Name earlier opponents once, when this player's row and all the rows to search have arrived.
  if ((row || board.over) && rows.length >= Math.min(finished, MAX_ROWS_SEARCHED)) {
    page.isSeekingOpponents = false;
    drawOpponents(page, board);
  }
  if (page.shownEntries.length === 0) showFirstGames(page, [...rows, ...computers], own);
}

/**
 * Open the replay with the games that the address names. If it names none, load this player's game and the best other
 * one, or the two best games, but leave the replay closed.
 * @param {Page} page @param {readonly DayRow[]} rows best first @param {string} own this player's entry, or ''
 */
function showFirstGames(page, rows, own) {
  if (rows.length === 0) return;
  if (page.entries.length > 0) return showGames(page, page.entries, true);
  const others = rows.map(({ entry }) => entry).filter((entry) => entry !== own);
  showGames(page, own ? [own, ...others.slice(0, 1)] : others.slice(0, 2), false);
}

/** Return the sentence for a player without a row on the board. @param {Page} page @param {DayBoard} board */
function lineWithoutRow({ app, key }, { over, players, won }) {
  if (over) return strings.dayTotal(players, won);
  const hasStarted = key !== '';
  if (!hasStarted) return strings.dayPlayers(players);
  const isPlaying = app.state().room?.state !== 'FINISHED';
  return isPlaying ? strings.DAY.begun : strings.DAY.counting;
}

/** Write a player's place, large and in a sentence. @param {Page} page @param {DayBoard} board @param {DayRow} row */
function writePlace({ parts }, { over, finished, won }, row) {
  const place = strings.dayPlace(row.place, finished, over ? null : row); // over: nobody is “first today”
  const percentBeaten = Math.floor(((finished - row.place) * 100) / finished);
  const comparison = strings.dayRest(row.won, percentBeaten, won, finished - won);
  // The place stands beside the sentence in large type, so only screen readers need it in the sentence.
  if (finished > 1) writeSpoken(parts.about, `${place} ${comparison}`, `${place} `);
  else set(parts.about, { text: place });
  const result = h('span', {}, strings.ofPlayers(finished), ' · ', strings.dayResult(row));
  parts.place.replaceChildren(h('b', { text: strings.ordinal(row.place) }), ' ', result);
}

/** Draw this player's place, and the chart of all results. @param {Page} page @param {DayBoard} board */
function drawOwn(page, board) {
  const { parts, ownRow: row } = page;
  const { finished, won, spread } = board;
  const isPlaced = row !== undefined && views.hasScored(row);
  const counts = strings.dayRest(false, 0, won, finished - won); // of the games won and not won
  const withoutPoints = `${strings.DAY.none} ${counts}`;
  if (isPlaced) writePlace(page, board, row);
  else set(parts.about, { text: row ? withoutPoints : lineWithoutRow(page, board) });
  set(parts.place, { hidden: !isPlaced, 'data-first': row?.place === 1 });
  const hasChart = finished >= MIN_RESULTS_CHARTED;
  parts.chart.replaceChildren(...(hasChart ? views.makeChart(spread, row) : []));
}

/** Store this player's new place in the history. @param {Page} page @param {DayRow} row @param {number} finished */
function keepPlace({ cards }, { place }, finished) {
  const entry = keptEntries().find(({ id }) => id === cards);
  if (entry && finished !== entry.of) keepEntry({ ...entry, place, of: finished });
}

/** Place this player among earlier opponents; offer to race the nearest. @param {Page} page @param {DayBoard} board */
function drawOpponents({ parts, cards, ownRow }, { rows, own }) {
  const words = strings.DAY;
  const raced = new Set(keptEntries().flatMap(({ rivals }) => rivals));
  const opponents = rows.filter(({ entry, name }) => entry !== own && raced.has(name));
  const place = ownRow?.place ?? 0;
  const ahead = opponents.filter((each) => each.place < place);
  const text = strings.dayAmong(ahead.length + 1, opponents.length + 1);
  set(parts.opponents, { hidden: opponents.length === 0 || !ownRow, text });
  const near = ahead.length > 0 ? ahead.slice(-MAX_GHOSTS) : opponents.slice(0, MAX_GHOSTS);
  const items = near.map((rival) => makeGhostItem(rival, `/g/${cards}/${rival.entry}`, ownRow));
  set(parts.ghosts, { hidden: items.length === 0 });
  parts.ghosts.replaceChildren(
    h('header', {}, h('h2', { id: 'day-ghosts', text: words.ghosts })),
    h('ul', { class: 'day-lines' }, ...items),
    h('p', { class: 'text-small', text: words.ghostsAbout }),
  );
}

/**
 * Make the list item of an earlier opponent, with a link to race against the opponent's game of the day.
 * @param {DayRow} rival @param {string} href of that race @param {DayRow | undefined} own this player's row
 */
function makeGhostItem(rival, href, own) {
  const gapMs = own?.won && rival.won ? (own.ms ?? 0) - (rival.ms ?? 0) : 0;
  const result = [strings.dayResult(rival), gapMs !== 0 && strings.dayGap(gapMs)];
  const about = h('div', { class: 'text-note', text: result.filter(Boolean).join(' · ') });
  const text = strings.DAY.race;
  const race = h('a', { class: 'buttons-link', 'data-size': 'small', href, text });
  const who = h('div', { class: 'grow' }, h('bdi', { text: rival.name }), ' ', about);
  return h('li', { class: 'line' }, who, race);
}

/** Replay a row's game beside this player's and the games already there. @param {Page} page @param {DayRow} row */
function showBeside(page, { entry }) {
  const own = page.board?.own ?? '';
  const entries = new Set([own, entry, ...page.shownEntries].filter(Boolean)); // own game first
  showGames(page, [...entries].slice(0, MAX_OTHERS_IN_REPLAY + 1), true);
}

/** Open the replay, and bring it into view. @param {Page} page */
function revealReplay({ replay }) {
  replay.element.hidden = false;
  openReplay(replay);
}

/** Load games into the replay. @param {Page} page @param {string[]} entries own first @param {boolean} opens */
function showGames(page, entries, opens) {
  page.shownEntries = entries;
  showRound(page.replay, idOfGames(page, entries), page.board?.own ? 0 : -1);
  if (opens) revealReplay(page);
}

/** Show the deal of the replayed games. If this player's is one of them, offer to share its result. @param {Page} page @param {RoundCourse} course */
function showCourse(page, course) {
  const { shownEntries, board, parts } = page;
  const own = shownEntries.indexOf(board?.own ?? ''); // the seat of a game is its index
  const standing = course.ranking.find(({ seat }) => seat === own);
  const ownCourse = course.courses.find(({ seat }) => seat === own);
  if (standing && ownCourse) offerShare(page, standing, squaresOf(ownCourse, endOf(course, own)));
  const { reveal, settings } = course;
  const id = idOfGames(page, shownEntries);
  parts.deal.replaceChildren(...makeDealRecord(id, reveal, settings, null));
}

/**
 * Offer to share this player's result, to challenge somebody with it, and to watch the game again.
 * @param {Page} page @param {Standing} standing this player's @param {string} squares the line from `squaresOf`
 */
function offerShare(page, standing, squares) {
  const { app, day, game, cards, board, parts } = page;
  if (!parts.sharing.firstChild) {
    fillShare(page, strings.dayShare(day, game, standing, squares));
    const path = `/g/${cards}/${board?.own}`;
    const challenge = () => ({ path, text: strings.challengeText(standing) });
    const looks = { id: 'challenge', text: strings.GHOST.challenge };
    parts.share.after(sendButton(looks, challenge, app.announce));
  }
  for (const part of [parts.share, parts.watch]) set(part, { hidden: false });
}

/** Fill the part for sharing the result. @param {Page} page @param {string} text without the link */
function fillShare(page, text) {
  const { announce } = page.app;
  const words = strings.DAY;
  const url = linkFor(`/d/${page.cards}`);
  const looks = { id: 'day-share', readonly: true, 'aria-label': words.share };
  const area = h('textarea', { ...looks, rows: 6 }); // a long address takes two lines on a phone
  area.value = `${text}\n${url}`;
  const field = /** @type {HTMLInputElement} */ (/** @type {unknown} */ (area));
  const buttons = [
    copyButton('day-copy', field, announce),
    shareButton('day-hand-on', () => ({ text, url }), announce),
    ...pictureButtons(idOfGames(page, [page.board?.own ?? '']), announce),
  ];
  const about = h('p', { class: 'text-small', text: words.squares });
  page.parts.sharing.append(area, about, h('div', { class: 'buttons' }, ...buttons));
}

/**
 * Show the days as the server lists them, and how much of today is left. `followDays` calls this repeatedly.
 * @param {Page} page @param {Days | null} days null before the first answer @param {number} msLeft of today
 * @returns {boolean} whether the page's day has just ended
 */
function showDays(page, days, msLeft) {
  const { day, game, parts, isPlayable: wasPlayable } = page;
  const isNew = days !== page.days;
  page.days = days;
  if (days && isNew) {
    page.gate.showBest(days);
    const today = days.day === day && days.games.find((each) => each.game === game);
    const text = today ? strings.winLine(true, today.degree) : '';
    set(parts.winDegree, { hidden: !today, text });
    drawHistory(page);
  }
  page.msLeft = msLeft;
  drawDay(page); // updates `isPlayable`
  return wasPlayable && !page.isPlayable;
}

/** Draw the parts that come from this browser's history. @param {Page} page */
function drawHistory(page) {
  const { days, parts } = page;
  const history = keptEntries();
  parts.tabs.replaceChildren(...views.makeTabs(page, days, history));
  if (!days) return;
  parts.month.replaceChildren(...views.makeCalendar(page, days, history));
  parts.past.replaceChildren(...views.makeLatest(page, days, history));
  set(parts.month, { hidden: false });
  set(parts.past, { hidden: days.past.length === 0 });
}

/** Show nameless players the form; return whether it was just used. @param {Page} page @param {boolean} isNameless */
function drawSignForm(page, isNameless) {
  const { sign } = page.parts;
  const isSigned = !sign.hidden && !isNameless;
  set(sign, { hidden: !isNameless });
  if (isSigned) keepOf('unsigned', page.cards, null);
  page.isSigned ||= isSigned;
  return isSigned;
}

/** @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindDay(root, app) {
  const page = makePage(root, app, start);
  const { playAgain, more, watch } = page.parts;
  page.replay.element.hidden = true;
  page.element.append(...page.parts.shown, page.replay.element);
  drawHistory(page);
  drawDay(page);
  offerSigning(page);

  const boards = keepFetching(
    () => fetchBoard(page),
    (found) => showBoard(page, found),
  );
  const following = followDays((days, ms) => {
    if (showDays(page, days, ms)) boards.now();
  });
  more.addEventListener('click', () => {
    page.rowsShown += MORE_ROWS;
    boards.now();
  });
  watch.addEventListener('click', () => revealReplay(page));
  playAgain.addEventListener('click', () => {
    const best = page.board?.rows[0]?.entry; // the player races against the day's best game
    dealAgain(app, best ? `${page.cards}/${best}` : page.cards);
  });
  /** Start this player's only game of the day, unless the day has just ended. @param {string} name '' for none */
  function start(name) {
    following.tick(); // updates `isPlayable`
    const { cards, isPlayable } = page;
    const player = name ? { name } : { name: strings.LANDING.nameless, nameless: true };
    if (isPlayable) app.enter({ type: 'create', ...player, cards }, {});
  }
  return {
    update({ room }) {
      if (drawSignForm(page, room?.round?.nameless === true)) boards.now();
    },
    unbind: callAll(following.stop, boards.stop, () => unbindReplay(page.replay)),
  };
}
