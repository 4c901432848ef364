// Today's race: the page of a day's game with this player's place among all results, its board, and the
// result to share. When a game of today's race is over, it is the page of its result, too.

import { keepEntry, keptEntries } from '../browser/history.js';
import { keepOf, keptOf } from '../browser/storage.js';
import { fetchInvitation } from '../page/addresses.js';
import { fetchDocument, followDays, keepFetching } from '../page/loads.js';
import { endOf, indexAt } from '../replay/course.js';
import { bindReplay, openReplay, showRound, unbindReplay } from '../replay/replay.js';
import { parseCards } from '../state/entries.js';
import { strings } from '../strings/language.js';
import { makeNameField } from '../widgets/controls.js';
import { h, keyed, set, writeSpoken } from '../widgets/element.js';
import { copyButton, linkFor, sendButton, shareButton } from '../widgets/sharing.js';
import {
  comparedWithComputers,
  drawRow,
  FULL,
  hasScored,
  makeBoardRow,
  makeCalendar,
  makeLatest,
  makeParts,
  makeSpread,
  makeTabs,
  POLL_MS,
  withComputers,
} from './days.js';
import { makeDayGate } from './gate.js';
import { dealAgain, makeDealRecord, pictureButtons } from './round.js';

/**
 * @import {Course, DayBoard, DayRow, Days, RoundCourse} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {Replay} from '../replay/replay.js'
 * @import {State} from '../state/state.js'
 * @typedef {{day: string, game: string, entries: string[]}} Address of a page of a day
 * @typedef {ReturnType<typeof makePage>} Page
 */

/** The games of a board that are shown beside the own one, at most. */
const MOST_SHOWN = 7;
/** The shared text has this many squares, each for an equal part of the game's time. */
const SQUARES = 10;
const HOME = '🟩';
/** A board shows a few rows at first, and grows by more. */
const FEW = 10;
const ROWS = 50;
/** With fewer results there is no chart. */
const FEWEST_OF_CHART = 5;
/** At most this many ghosts of earlier opponents are offered. */
const MOST_GHOSTS = 3;
/** The server sends no more rows at a time. */
const MOST_ROWS = 1_000;
/** Players of earlier races are looked for once, among this many rows. */
const MOST_SEARCHED = 500;
/** The time until a board is asked for again that does not have the own result yet, or is not over. */
const AGAIN_MS = 2_000;

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
  return parts.map((isHome) => (isHome ? HOME : '⬜')).join('');
}

/** Return the rows of a board to show: the first ones, and those around the reader's own, where a gap is marked. @param {Pick<DayBoard, 'rows' | 'around'>} board @param {number} [size] @returns {(DayRow | null)[]} */
export function rowsOf({ rows, around }, size = rows.length) {
  const top = rows.slice(0, size);
  const first = new Set(top.map(({ entry }) => entry));
  const more = around.filter(({ entry }) => !first.has(entry));
  return more.length > 0 && more.length === around.length
    ? [...top, null, ...more]
    : [...top, ...more];
}

/** Make the form that puts a name under a game that was started without one. @param {App} app */
function makeSign(app) {
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
  element.querySelector('label')?.remove(); // the field says it itself
  return element;
}

/** Add the link to the room of a game that was begun without a name, while it can be signed there. @param {Page} page */
async function offerSigning({ app, cards, parts }) {
  const code = app.state().room ? null : keptOf('unsigned', cards);
  if (!code || !(await fetchInvitation(code))) return;
  const looks = { class: 'buttons-link', id: 'day-unsigned', href: `/r/${code}` };
  parts.sign.before(h('a', { ...looks, text: strings.GATE.unsigned }));
}

/** Make the page of the day's game that the room or the address names. @param {HTMLElement} root @param {App} app @param {(name: string) => void} begin starts the one try */
function makePage(root, app, begin) {
  const round = app.state().room?.round;
  const { day, game } = parseCards(round?.cards ?? '');
  const none = { day, game, entries: /** @type {string[]} */ ([]) };
  const address = round?.key ? none : (dayIn(location.pathname) ?? none);
  const cards = `${address.day}/${address.game}`;
  return {
    ...{ root, app, ...address, cards },
    gate: makeDayGate(address, begin),
    element: h('div', { class: 'page stack results-grid day-columns', id: 'results' }),
    key: round?.key ?? keptOf('day', cards) ?? '',
    parts: makeParts(address.day, makeSign(app)),
    replay: /** @type {Replay | null} */ (null),
    board: /** @type {DayBoard | null} */ (null),
    /** This player's row, once it is on the board, for the tabs. */
    own: /** @type {DayRow | undefined} */ (undefined),
    /** Why there is no board yet; '' if the server has none. */
    missing: strings.REPLAY.loading,
    days: /** @type {Days | null} */ (null),
    msLeft: 0,
    /** Whether the day of the page is today. */
    isToday: false,
    /** Whether the name was just signed, which the board learns in a moment. */
    isSigned: false,
    /** How many rows are shown. */
    size: FEW,
    /** Whether players of earlier races are still to be found on the board. */
    isSearching: keptEntries().some(({ rivals }) => rivals.length > 0),
    /** The entries whose games are shown. */
    shown: /** @type {string[]} */ ([]),
  };
}

/** Return the id of some games of the page's board. @param {Page} page @param {string[]} entries */
const gamesOf = ({ day, game, key }, entries) => idOfGames({ day, game, entries }, key);

/** Return the cards of a past day to play, with its best game as a ghost. @param {Page} page */
function playable({ board, cards }) {
  const best = board?.rows[0]?.entry;
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
  const { over, own } = page.board;
  const isAwaited = page.isSigned || (!over && page.key !== '' && own === '');
  page.isSigned = false;
  return isAwaited ? AGAIN_MS : over ? 0 : POLL_MS;
}

/** Show what the time of the day allows: before this player's game, its gate. @param {Page} page */
function drawDay(page) {
  const words = strings.DAY;
  const { app, board, day, days, msLeft, key, missing, parts, gate } = page;
  const { over = false, own = '' } = board ?? {};
  const isToday = days?.day === day && msLeft > 0 && !over;
  page.isToday = isToday;
  const isOfToday = day === (days?.day ?? new Date(app.now()).toISOString().slice(0, 10));
  set(parts.title, { text: isOfToday ? strings.LANDING.today : strings.dayDate(day, FULL) });
  set(parts.date, { hidden: !isOfToday });
  set(parts.play, { hidden: !over, 'data-kind': !own && 'primary' });
  const isEnding = board && days && day <= days.day;
  const ended = over ? words.over : isEnding ? words.ending : '';
  const open = own ? strings.dayNext(msLeft) : strings.dayLeft(msLeft);
  const left = isToday ? open : ended;
  set(parts.left, { hidden: left === '', text: left });
  const none = days && (day < days.day ? words.gone : words.notYet);
  const unknown = missing || none || strings.REPLAY.loading;
  if (!board) set(parts.about, { text: unknown });
  gate.draw(board ? strings.dayPlayers(board.players) : unknown, left, isToday && board !== null);
  const isBefore = key === '' && !over && (days ? isToday : isOfToday);
  const shown = isBefore ? gate.element : page.element;
  if (!shown.isConnected) page.root.replaceChildren(shown);
}

/** Show the board's rows, this player's place, and at first some games. @param {Page} page @param {DayBoard} next */
function drawBoard(page, next) {
  const { parts, size, entries } = page;
  const { own, finished, computers = [] } = next;
  const row = [...next.around, ...next.rows].find(({ entry }) => entry === own);
  page.own = row;
  drawOwn(page, next, row);
  drawKept(page);
  set(parts.board, { hidden: next.rows.length + computers.length === 0 });
  const compared = row && hasScored(row) ? comparedWithComputers(row, computers) : '';
  set(parts.beaten, { hidden: compared === '', text: compared });
  keyed(
    parts.rows,
    withComputers(rowsOf(next, size), computers),
    (each) => `${each?.entry} ${each?.name}`,
    (each) => makeBoardRow(each, each?.entry === own, (pressed) => showBeside(page, pressed)),
    drawRow,
  );
  set(parts.more, { hidden: size >= Math.min(finished, MOST_ROWS) });
  if (row) keepPlace(page, row, finished);
  if ((row || next.over) && next.rows.length >= Math.min(finished, MOST_SEARCHED)) {
    page.isSearching = false;
    tellKnown(page, next, row);
  }
  const all = [...next.rows, ...computers];
  if (page.shown.length > 0 || all.length === 0) return;
  const best = all.map(({ entry }) => entry).filter((entry) => entry !== own);
  const some = entries.length > 0 ? entries : [own, ...best.slice(0, own ? 1 : 2)];
  showGames(page, some.filter(Boolean), entries.length > 0);
}

/** Show this player's place, and the spread of all results. @param {Page} page @param {DayBoard} next @param {DayRow | undefined} row */
function drawOwn({ app, parts, key }, { over, players, finished, won, spread }, row) {
  const isPlaying = app.state().room?.state !== 'FINISHED';
  const waits = isPlaying ? strings.DAY.begun : strings.DAY.counting;
  const awaited = key !== '' && !row ? waits : strings.dayPlayers(players);
  const isPlaced = row !== undefined && hasScored(row);
  if (!row) set(parts.about, { text: over ? strings.dayTotal(players, won) : awaited });
  else if (!isPlaced)
    set(parts.about, {
      text: `${strings.DAY.none} ${strings.dayRest(false, 0, won, finished - won)}`,
    });
  else {
    const place = strings.dayPlace(row.place, finished, over ? null : row);
    const percent = Math.floor(((finished - row.place) * 100) / finished);
    const rest = strings.dayRest(row.won, percent, won, finished - won);
    // The place is already beside it in large type.
    if (finished > 1) writeSpoken(parts.about, `${place} ${rest}`, `${place} `);
    else set(parts.about, { text: place });
    const of = h('span', {}, strings.ofPlayers(finished), ' · ', strings.dayResult(row));
    parts.place.replaceChildren(h('b', { text: strings.ordinal(row.place) }), ' ', of);
  }
  set(parts.place, { hidden: !isPlaced, 'data-first': row?.place === 1 });
  parts.spread.replaceChildren(...(finished < FEWEST_OF_CHART ? [] : makeSpread(spread, row)));
}

/** Keep this player's place in the history. @param {Page} page @param {DayRow} own @param {number} finished */
function keepPlace({ cards }, { place }, finished) {
  const begun = keptEntries().find((each) => each.id === cards);
  if (begun && finished !== begun.of) keepEntry({ ...begun, place, of: finished });
}

/** Show how this player ranks among earlier opponents, and offer the ghosts of the nearest ones. @param {Page} page @param {DayBoard} board @param {DayRow | undefined} row this player's */
function tellKnown({ parts, cards }, { rows, own }, row) {
  const words = strings.DAY;
  const raced = new Set(keptEntries().flatMap(({ rivals }) => rivals));
  const known = rows.filter(({ entry, name }) => entry !== own && raced.has(name));
  const place = row?.place ?? 0;
  const ahead = known.filter((each) => each.place < place);
  const text = strings.dayAmong(ahead.length + 1, known.length + 1);
  set(parts.among, { hidden: known.length === 0 || !row, text });
  const near = ahead.length > 0 ? ahead.slice(-MOST_GHOSTS) : known.slice(0, MOST_GHOSTS);
  const items = near.map((each) => {
    const gap = row?.won && each.won ? (row.ms ?? 0) - (each.ms ?? 0) : 0;
    const result = [strings.dayResult(each), gap !== 0 && strings.dayGap(gap)];
    const about = h('div', { class: 'text-note', text: result.filter(Boolean).join(' · ') });
    const href = `/g/${cards}/${each.entry}`;
    const race = h('a', { class: 'buttons-link', 'data-size': 'small', href, text: words.race });
    const who = h('div', { class: 'grow' }, h('bdi', { text: each.name }), ' ', about);
    return h('li', { class: 'line' }, who, race);
  });
  set(parts.ghosts, { hidden: items.length === 0 });
  parts.ghosts.replaceChildren(
    h('header', {}, h('h2', { id: 'day-ghosts', text: words.ghosts })),
    h('ul', { class: 'day-lines' }, ...items),
    h('p', { class: 'text-small', text: words.ghostsAbout }),
  );
}

/** Show a game beside this player's, or beside the shown ones. @param {Page} page @param {DayRow} row */
function showBeside(page, { entry }) {
  const own = page.board?.own ?? '';
  const first = own && entry !== own ? [own, entry] : [entry];
  const others = page.shown.filter((each) => !first.includes(each));
  showGames(page, [...first, ...others].slice(0, MOST_SHOWN + 1), true);
}

/** Open the replay, and bring it into view. @param {Page} page */
function openGames({ replay }) {
  if (!replay) return;
  replay.element.hidden = false;
  openReplay(replay);
}

/** Show some games in the replay, which stays closed at first. @param {Page} page @param {string[]} some @param {boolean} opens */
function showGames(page, some, opens) {
  page.shown = some;
  if (!page.replay || some.length === 0) return;
  showRound(page.replay, gamesOf(page, some), page.board?.own ? 0 : -1);
  if (opens) openGames(page);
}

/** Show what goes with the games: the text to share, and the deal. @param {Page} page @param {RoundCourse} course */
function showCourse(page, course) {
  const { day, game, shown, parts } = page;
  const { ranking, courses, reveal, settings } = course;
  const at = shown.indexOf(page.board?.own ?? '');
  const standing = ranking.find(({ seat }) => seat === at);
  const played = courses.find(({ seat }) => seat === at);
  if (standing && played) {
    const squares = squaresOf(played, endOf(course, at));
    if (!parts.sharing.firstChild) {
      fillShare(page, strings.dayShare(day, game, standing, squares));
      const what = {
        path: `/g/${page.cards}/${page.board?.own}`,
        text: strings.challengeText(standing),
      };
      const looks = { id: 'challenge', text: strings.GHOST.challenge };
      parts.share.after(sendButton(looks, () => what, page.app.announce));
    }
    for (const part of [parts.share, parts.watch]) set(part, { hidden: false });
  }
  const record = makeDealRecord(gamesOf(page, shown), reveal, settings, null);
  parts.deal.replaceChildren(...record);
}

/** Fill the part for sharing the result: its text, its link and its picture. @param {Page} page @param {string} text */
function fillShare(page, text) {
  const { announce } = page.app;
  const words = strings.DAY;
  const url = linkFor(`/d/${page.cards}`);
  const looks = { id: 'day-share', readonly: true, 'aria-label': words.share };
  const area = h('textarea', { ...looks, rows: 6 }); // a long address takes two on a phone
  area.value = `${text}\n${url}`;
  const field = /** @type {HTMLInputElement} */ (/** @type {unknown} */ (area));
  const buttons = [
    copyButton('day-copy', field, announce),
    shareButton('day-hand-on', () => ({ text, url }), announce),
    ...pictureButtons(gamesOf(page, [page.board?.own ?? '']), announce),
  ];
  const about = h('p', { class: 'text-small', text: words.squares });
  page.parts.sharing.append(area, about, h('div', { class: 'buttons' }, ...buttons));
}

/** Show what today is; return whether the day of the page has just ended. @param {Page} page @param {Days | null} found @param {number} ms that are left of it */
function showDays(page, found, ms) {
  const { day, game, parts, isToday: wasToday } = page;
  if (found && found !== page.days) {
    page.gate.showBest(found);
    const ofDay = found.day === day && found.games.find((each) => each.game === game);
    set(parts.win, { hidden: !ofDay, text: ofDay ? strings.winLine(true, ofDay.degree) : '' });
    page.days = found;
    drawKept(page);
  }
  page.days = found;
  page.msLeft = ms;
  drawDay(page);
  return wasToday && !page.isToday;
}

/** Show the parts that come from this browser's history. @param {Page} page */
function drawKept(page) {
  const { days, parts } = page;
  const kept = keptEntries();
  parts.tabs.replaceChildren(...makeTabs(page, days, kept));
  if (!days) return;
  parts.month.replaceChildren(...makeCalendar(page, days, kept));
  parts.past.replaceChildren(...makeLatest(page, days, kept));
  set(parts.month, { hidden: false });
  set(parts.past, { hidden: days.past.length === 0 });
}

/** Bind the page of a game of a day. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindDay(root, app) {
  const page = makePage(root, app, begin);
  const { all, play, more, sign, watch } = page.parts;
  const replay = bindReplay({
    onCourse: (course) => showCourse(page, course),
    deal: (cards, acts) => dealAgain(app, cards, acts),
  });
  replay.element.hidden = true;
  page.replay = replay;
  page.element.append(...all, replay.element);
  drawKept(page);
  drawDay(page);
  offerSigning(page);

  const boards = keepFetching(
    () => fetchBoard(page, page.isSearching ? MOST_SEARCHED : Math.max(ROWS, page.size)),
    (found) => showBoard(page, found),
  );
  const following = followDays((days, ms) => {
    if (showDays(page, days, ms)) boards.now();
  });
  more.addEventListener('click', () => {
    page.size += ROWS;
    boards.now();
  });
  watch.addEventListener('click', () => openGames(page));
  play.addEventListener('click', () => dealAgain(app, playable(page)));
  /** Start the one try, unless its day has just ended. @param {string} name '' if the player has given none */
  function begin(name) {
    following.tick();
    const { cards, isToday } = page;
    const of = name ? { name } : { name: strings.LANDING.nameless, nameless: true };
    if (isToday) app.enter({ type: 'create', ...of, cards }, {});
  }
  return {
    /** Ask for a name if the game was started without one. @param {State} state */
    update({ room }) {
      const isNameless = room?.round?.nameless === true;
      const isSigned = !sign.hidden && !isNameless;
      set(sign, { hidden: !isNameless });
      if (!isSigned) return;
      keepOf('unsigned', page.cards, null);
      page.isSigned = true;
      boards.now();
    },
    unbind() {
      following.stop();
      boards.stop();
      unbindReplay(replay);
    },
  };
}
