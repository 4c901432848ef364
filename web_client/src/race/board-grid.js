// Other players' boards, for those who watch, with the room's delay. The boards of the best two players are large, the
// leader's first. Boards change places at most once every few seconds.

import { bindMiniature, MINIATURE_RATIO } from '../board/board.js';
import { MAX_BOARDS } from '../contract/protocol.js';
import { isCalm } from '../page/looks.js';
import {
  firstMovesIn,
  isDelayed,
  isOpenRaceOn,
  isPlaying,
  shownPlace,
  watchable,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { every, h, keyed, listen, makeThrottle, set } from '../widgets/element.js';
import { keyOfSeat, writeName } from '../widgets/names.js';
import { factsOf, glideThrough } from './standings.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 * @import {Facts} from './standings.js'
 * @typedef {ReturnType<typeof makeRow>} Row
 * @typedef {ReturnType<typeof makeGrid>} Grid
 */

const DRAWING_MS = 400; // draw the boards at most this often
const TICK_MS = 1_000; // how often the time until the first moves is updated
const PLACES_MS = 5_000; // let boards change places at most this often
const LARGE_BOARDS = 2;
const MAX_GLIDING = 4; // with more boards than this, cards do not glide on the large ones either
const IN_ROW = { least: 3, most: 6 }; // how many small boards are in a row

/** Sort the players so that those still playing come first. @param {readonly Standing[]} standings best first */
export const playingFirst = (standings) =>
  standings.toSorted((a, b) => Number(isPlaying(b)) - Number(isPlaying(a)));

/**
 * Return the seats in the order of their boards: the best two, then the others by seat number, so that they stay put.
 * @param {readonly Standing[]} standings as `playingFirst` returns them
 */
export function boardOrder(standings) {
  const seats = standings.map(({ seat }) => seat);
  const small = seats.slice(LARGE_BOARDS).toSorted((a, b) => a - b);
  return [...seats.slice(0, LARGE_BOARDS), ...small];
}

/** Return the function that subscribes to boards. @param {(message: ClientMessage) => void} send */
export function makeSubscription(send) {
  let latestKey = '';
  let isSubscribed = false;
  /** Subscribe to these boards, and to no others. @param {State} state @param {readonly number[]} seats */
  return ({ room, connection }, seats) => {
    const boards = seats.toSorted((a, b) => a - b);
    // The server drops a subscription when the connection or the round ends, so both are in the key.
    const key = [room?.code, room?.round?.n, room?.state, connection, ...boards].join();
    if (key === latestKey) return;
    latestKey = key;
    if (connection !== 'on' || (boards.length === 0 && !isSubscribed)) return;
    isSubscribed = boards.length > 0;
    send({ type: 'watch', boards });
  };
}

/** Make a player's row, with their board. @param {number} seat @param {() => void} onclick enlarges the board */
function makeRow(seat, onclick) {
  const place = h('span', { class: 'board-grid-place' });
  const name = h('bdi', { class: 'text-cut' });
  const progress = h('span', { class: 'text-cut board-grid-progress' });
  const points = h('span', { class: 'board-grid-points', 'data-part': 'points' });
  const board = bindMiniature();
  const looks = { class: 'miniature-enlarge', 'data-action': 'enlarge' };
  const button = h('button', { ...looks, onclick });
  const heading = h('p', { class: 'line board-grid-name' });
  heading.append(place, ' ', name, ' ', progress, ' ', points);
  const item = h('li', { 'data-seat': seat }, heading, board.element, button);
  return { item, place, name, progress, points, board, button };
}

/** Draw a player's row, but not its board. @param {Row} row @param {Standing} standing @param {Facts} facts */
function drawRow(row, standing, { looks, colour, program, countsCards }) {
  const place = shownPlace(standing);
  set(row.item, looks);
  set(row.place, { text: place && strings.ordinal(place) });
  writeName(row.name, standing.name, program, colour);
  const progress = strings.standingState(standing) || strings.progress(standing, countsCards);
  set(row.progress, { text: progress });
  set(row.points, { text: standing.score });
  set(row.button, { 'aria-label': strings.boardLabel(standing) });
}

/**
 * Return how the boards are laid out: first the large ones, or a single largest one, then the small ones. `shown` has
 * the seats in the order of their boards. `height` is the height of all rows, as a multiple of the grid's width.
 * @param {readonly number[]} order the seats, as `boardOrder` returns them
 * @param {number} chosen the seat whose board the player has made the largest, or -1
 */
function layoutOf(order, chosen) {
  const hasLargest = order.includes(chosen);
  const largeCount = hasLargest ? 1 : Math.min(LARGE_BOARDS, order.length);
  const shown = hasLargest ? [chosen, ...order.filter((seat) => seat !== chosen)] : order;
  const smallCount = shown.length - largeCount;
  const isEqual = !hasLargest && shown.length <= 2 * LARGE_BOARDS; // all boards have the same size
  const least = isEqual ? LARGE_BOARDS : IN_ROW.least;
  const smallInRow = Math.min(IN_ROW.most, Math.max(least, smallCount));
  const smallWidth = smallCount > 0 ? 1 / smallInRow : 0;
  // Count a row of large boards even while a single board is the largest, so that the page below doesn't move.
  const height = (1 / LARGE_BOARDS + smallWidth) * MINIATURE_RATIO;
  return { hasLargest, isEqual, largeCount, shown, smallInRow, height };
}

/** Make the elements and the state of the grid. @param {App} app */
function makeGrid(app) {
  const about = h('p', { class: 'text-small', id: 'late' });
  const list = h('ul', { class: 'board-grid-list' });
  const fit = h('div', { class: 'board-grid-fit' }, list);
  const wall = h('div', { class: 'board-grid-wall', hidden: true }, about, fit);
  const element = h('section', { class: 'board-grid', id: 'board-grid', tabindex: -1 }, wall);
  element.hidden = true; // until the screen shows it instead of the table
  return {
    ...{ app, about, list, wall, element },
    rows: /** @type {Map<number, Row>} */ (new Map()), // by seat
    order: /** @type {number[]} */ ([]), // the seats, as `boardOrder` returned them last
    chosen: -1, // the seat whose board the player has made the largest, or -1
  };
}

/** Return the players whose boards are shown: those still playing, then the rest, best first. @param {State} state */
const shownPlayers = (state) => playingFirst(watchable(state)).slice(0, MAX_BOARDS);

/** Make a board the largest, or put it back if it already is. @param {Grid} grid @param {number} seat */
function toggleLargest(grid, seat) {
  grid.chosen = seat === grid.chosen ? -1 : seat;
  arrange(grid);
}

/** Let each board glide to its place and size. @param {Grid} grid */
function arrange({ list, rows, order, chosen }) {
  const { hasLargest, isEqual, largeCount, shown, smallInRow, height } = layoutOf(order, chosen);
  glideThrough(list, () => {
    set(list, { '--small-in-row': smallInRow, '--height': height, 'data-equal': isEqual });
    for (const [seat, { item, button }] of rows) {
      const at = shown.indexOf(seat); // never -1, since `draw` orders new rows at once
      const isLarge = at < largeCount;
      const isLargest = hasLargest && isLarge;
      let size = isLarge ? 'large' : 'small';
      if (isLargest) size = 'largest';
      set(item, { '--at': at, 'data-size': size, 'data-large': isLargest });
      set(button, { 'aria-pressed': String(isLargest) });
    }
  });
}

/** Make, draw and remove the rows of the players. @param {Grid} grid @param {State} state */
function drawRows(grid, state) {
  const { list, rows } = grid;
  const facts = factsOf(state);
  const make = (/** @type {Standing} */ { seat }) => {
    const row = makeRow(seat, () => toggleLargest(grid, seat));
    rows.set(seat, row);
    return row.item;
  };
  // In the document the rows stay in the order of the seats: the style sheet moves them to their places.
  const bySeat = shownPlayers(state).toSorted((a, b) => a.seat - b.seat);
  keyed(list, bySeat, keyOfSeat, make, (_, standing) => {
    const row = rows.get(standing.seat);
    if (row) drawRow(row, standing, facts(standing));
  });
  for (const [seat, { item, board }] of rows) {
    if (item.isConnected) continue;
    board.unbind();
    rows.delete(seat);
  }
}

/** @param {Grid} grid @param {ReturnType<typeof makeThrottle>} ordering arranges the boards */
function draw(grid, ordering) {
  const { app, about, rows } = grid;
  const state = app.state();
  const waitMs = firstMovesIn(state, app.now());
  const delay_s = isDelayed(state) ? (state.room?.settings.board_delay_s ?? 0) : 0;
  const text = waitMs > 0 ? strings.boardsFollow(waitMs) : strings.boardsLate(delay_s);
  set(about, { text: isOpenRaceOn(state.room) ? '' : text }); // there only finished games are shown
  drawRows(grid, state);
  // When boards come or go, place all of them right away; otherwise they change places only from time to time.
  if (grid.order.length !== rows.size || grid.order.some((seat) => !rows.has(seat)))
    ordering.runNow();
  else ordering.request();
  const glides = rows.size <= MAX_GLIDING;
  // Cards glide on the boards of the best two, even if another board is the largest.
  for (const [seat, { board }] of rows)
    board.update(state.boards[seat], glides && grid.order.indexOf(seat) < LARGE_BOARDS);
}

/** Bind the grid. A click makes a board the largest; another click, or Escape, puts it back. @param {App} app */
export function bindBoardGrid(app) {
  const grid = makeGrid(app);
  const { element, wall, list, rows } = grid;
  const subscribe = makeSubscription(app.send);
  const ordering = makeThrottle(PLACES_MS, () => {
    const order = boardOrder(shownPlayers(app.state()));
    if (String(order) === String(grid.order)) return;
    grid.order = order;
    arrange(grid);
  });
  const drawing = makeThrottle(DRAWING_MS, () => draw(grid, ordering));
  listen(list, 'keydown', ({ key }) => {
    if (key === 'Escape') toggleLargest(grid, grid.chosen); // puts the largest one back
  });
  // No message says when the first moves can be seen, so draw the time until then each second.
  const stopTicking = every(TICK_MS, () => {
    if (!wall.hidden) drawing.request();
  });

  return {
    element,
    scrollToBoards: () => wall.scrollIntoView({ behavior: isCalm() ? 'auto' : 'smooth' }),
    /** Show the boards, and subscribe to them. @param {State} state */
    update(state) {
      const seats = shownPlayers(state).map(({ seat }) => seat);
      const wasShown = !wall.hidden;
      wall.hidden = seats.length === 0;
      // Without boards, `race.js` puts the list of events here.
      set(element, { 'aria-label': wall.hidden ? strings.EVENTS : strings.WALL });
      subscribe(state, seats);
      // Draw once more after hiding the boards, which removes them: a player who starts late must not see them.
      if (wasShown || !wall.hidden) drawing.request();
    },
    unbind() {
      stopTicking();
      drawing.stop();
      ordering.stop();
      subscribe(app.state(), []); // ends the subscription
      for (const { board } of rows.values()) board.unbind();
    },
  };
}
