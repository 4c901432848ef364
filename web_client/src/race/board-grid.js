// The boards of other players, for those who watch, with the delay of the room. Those of the two
// players who lead are large, the better one first, and change places at most once every few seconds. Who may watch, and when,
// stands at the end, with the switch from this player's table to the race of the others.

import { bindMiniature, HEIGHT } from '../board/board.js';
import { GAMES } from '../contract/games.js';
import { MAX_BOARDS } from '../contract/protocol.js';
import { isCalm, setPageState } from '../page/appearance.js';
import {
  coloursOf,
  isPlaying,
  leader,
  mySeat,
  ownRow,
  plays,
  programSeats,
  shownPlace,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, keyed, makeThrottle, set } from '../widgets/element.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {ClientMessage, TableView} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Program, State} from '../state/state.js'
 * @typedef {ReturnType<typeof makeRow>} Row
 */

/** The least time between two drawings; all boards are drawn together. */
const DRAWING_MS = 400;
/** How often the time until the first moves is written. */
const TICK_MS = 1_000;
/** The least time between two changes of the boards that are large. */
const PLACES_MS = 5_000;
const LARGE_BOARDS = 2;
const GLIDE = { duration: 300, easing: 'ease-out' };
/** The most boards in the grid with which cards still glide on the large ones. */
const MAX_GLIDING = 4;

/** Return the players who still play, and then the others. @param {readonly Standing[]} standings best first */
export const playingFirst = (standings) =>
  standings.toSorted((a, b) => Number(isPlaying(b)) - Number(isPlaying(a)));

/**
 * Return the seats in the order of their boards, the large ones first. The board of a new leader changes
 * places with the one that was large, and all small ones stay.
 * @param {readonly number[]} order the order before
 * @param {readonly Standing[]} standings as `playingFirst` returns them
 * @returns {number[]}
 */
export function placed(order, standings) {
  const seats = standings.map(({ seat }) => seat);
  const newcomers = seats.filter((seat) => !order.includes(seat));
  const kept = order.flatMap((seat) => (seats.includes(seat) ? [seat] : newcomers.splice(0, 1)));
  const next = [...kept, ...newcomers];
  for (const [i, seat] of seats.slice(0, LARGE_BOARDS).entries()) {
    next[next.indexOf(seat)] = next[i] ?? seat;
    next[i] = seat;
  }
  return next;
}

/** Return the number of small boards in a row. @param {number} boards all small boards */
export const columns = (boards) => Math.min(6, Math.max(3, boards));

/** Make the subscription to boards: it is sent once for each connection and round. @param {(message: ClientMessage) => void} send */
export function makeSubscription(send) {
  let latest = '';
  let subscribed = false;
  return {
    /** Subscribe to the boards of these seats, if anything has changed. @param {State} state @param {readonly number[]} seats */
    update({ room, connection }, seats) {
      const boards = seats.toSorted((a, b) => a - b);
      const next = [room?.code, room?.round?.n, room?.state, connection, ...boards].join();
      if (next === latest) return;
      latest = next;
      if (connection !== 'on' || (boards.length === 0 && !subscribed)) return;
      subscribed = boards.length > 0;
      send({ type: 'watch', boards });
    },
    /** Unsubscribe. @param {State} state */
    end(state) {
      if (subscribed && state.connection === 'on') send({ type: 'watch', boards: [] });
      subscribed = false;
    },
  };
}

/** Make the item of a player: the place, the name, how far the player is, the points, and the board. @param {number} seat @param {() => void} enlarge */
function makeRow(seat, enlarge) {
  const place = h('span', { class: 'board-grid-place' });
  const name = h('bdi');
  const progress = h('span', { class: 'text-cut board-grid-progress' });
  const points = h('span', { class: 'board-grid-points', 'data-part': 'points' });
  const board = bindMiniature();
  const button = h('button', {
    class: 'miniature-enlarge',
    'data-action': 'enlarge',
    onclick: enlarge,
  });
  const heading = h('p', { class: 'board-grid-name' }, place, name, progress, points);
  const item = h('li', { class: 'mark-tone', 'data-seat': seat }, heading, board.element, button);
  return { item, place, name, progress, points, board, button, drawn: '' };
}

/**
 * Draw a player's figures, unless they are as last time.
 * @param {Row} row
 * @param {Standing} standing
 * @param {{colour: string, program: Program | undefined, leads: boolean, isOpen: boolean}} about `isOpen`
 *   if no card of the game lies face down
 */
function drawRow(row, standing, about) {
  const drawn = JSON.stringify([standing, about]);
  if (drawn === row.drawn) return;
  row.drawn = drawn;
  const { colour, program, leads, isOpen } = about;
  const place = shownPlace(standing);
  const { progress, standingState } = strings;
  set(row.item, { 'data-colour': colour, 'data-state': standing.state, 'data-leads': leads });
  set(row.place, { text: place === null ? '' : strings.ordinal(place) });
  writeName(row.name, standing.name, program, colour);
  set(row.progress, { text: standingState(standing) || progress(standing, isOpen) });
  set(row.points, { text: standing.score });
  set(row.button, { 'aria-label': strings.boardLabel(standing) });
}

/** Let an item glide to its place. @param {HTMLElement} item @param {DOMRect} old where it was */
function glideFrom(item, old) {
  const { left, top, width } = item.getBoundingClientRect();
  if (old.width === 0 || width === 0) return;
  if (old.left === left && old.top === top && old.width === width) return;
  const [dx, dy, scale] = [old.left - left, old.top - top, old.width / width];
  const transform = `translate(${dx}px,${dy}px) scale(${scale})`;
  item.animate([{ transform }, { transform: 'none' }], GLIDE);
}

/** Bind the grid. A click on a board makes it the largest. @param {HTMLElement} element @param {App} app */
export function bindBoardGrid(element, app) {
  const about = h('p', { class: 'board-grid-about', id: 'late' });
  const list = h('ul', {
    class: 'board-grid-list',
    onkeydown: (/** @type {KeyboardEvent} */ { key }) => key === 'Escape' && enlarge(chosen),
  });
  const wall = h('div', { hidden: true }, about, list);
  element.append(wall);
  const subscription = makeSubscription(app.send);
  /** By seat. @type {Map<number, Row>} */
  const rows = new Map();
  /** The seats in the order of their places. @type {number[]} */
  let order = [];
  let chosen = -1;
  let followMs = 0;

  /** Return whose boards are shown, the best of those who play first. */
  const shownPlayers = () => playingFirst(watchable(app.state())).slice(0, MAX_BOARDS);

  /** Make a board the largest, or give it back its place if it is that already. @param {number} seat */
  function enlarge(seat) {
    chosen = seat === chosen ? -1 : seat;
    arrange();
  }

  /** Give each board its place and size; those that were there before glide to theirs. */
  function arrange() {
    const all = [...rows.values()];
    const before = isCalm() ? [] : all.map(({ item }) => item.getBoundingClientRect());
    const hasLargest = order.includes(chosen);
    const largeCount = hasLargest ? 1 : Math.min(LARGE_BOARDS, order.length);
    const shown = hasLargest ? [chosen, ...order.filter((seat) => seat !== chosen)] : order;
    const smallCount = shown.length - largeCount;
    const smallInRow = columns(smallCount);
    // The height of both rows, as a part of the width.
    const height = (1 / LARGE_BOARDS + (smallCount && 1 / smallInRow)) * HEIGHT;
    set(list, { '--small-in-row': smallInRow, '--height': height });
    for (const [seat, { item, button }] of rows) {
      const at = shown.indexOf(seat);
      const isLarge = at < largeCount;
      const isLargest = hasLargest && isLarge;
      // A row of small boards that is not full stands in the middle, so its first board starts late.
      const startsLate = at === largeCount && smallCount < smallInRow;
      set(item, {
        '--at': at,
        '--from': startsLate ? 1 + smallInRow - smallCount : 'auto',
        'data-size': isLargest ? 'largest' : isLarge ? 'large' : 'small',
        'data-large': isLargest,
      });
      set(button, { 'aria-pressed': String(isLargest) });
    }
    for (const [i, old] of before.entries()) if (all[i]) glideFrom(all[i].item, old);
  }

  const places = makeThrottle(PLACES_MS, () => {
    const next = placed(order, shownPlayers());
    if (String(next) === String(order)) return;
    order = next;
    arrange();
  });

  /** Return the row of a player, a new one for a newcomer. @param {number} seat */
  function rowOf(seat) {
    const row = rows.get(seat) ?? makeRow(seat, () => enlarge(seat));
    rows.set(seat, row);
    return row;
  }

  /** Draw the boards. */
  function draw() {
    const state = app.state();
    const { room } = state;
    const [colours, programs] = [coloursOf(room), programSeats(room)];
    const leadingSeat = leader(state.standings)?.seat;
    const isOpen = !GAMES[room?.settings.game ?? '']?.face_down;
    const standings = shownPlayers();
    const delay_s = isDelayed(state) ? (room?.settings.board_delay_s ?? 0) : 0;
    followMs = firstMovesIn(state, app.now());
    const text = followMs > 0 ? strings.boardsFollow(followMs) : strings.boardsLate(delay_s);
    set(about, { text });
    keyed(
      list,
      // The boards stay in the order of the seats; a style gives them their places.
      standings.toSorted((a, b) => a.seat - b.seat),
      ({ seat }) => String(seat),
      ({ seat }) => rowOf(seat).item,
      (_, standing) => {
        const { seat, score } = standing;
        const leads = seat === leadingSeat && score > 0;
        const more = { colour: colours(seat), program: programs.get(seat), leads, isOpen };
        drawRow(rowOf(seat), standing, more);
      },
    );
    for (const [seat, { board }] of rows) {
      if (standings.some((standing) => standing.seat === seat)) continue;
      board.unbind();
      rows.delete(seat);
    }
    if (order.length !== rows.size || order.some((seat) => !rows.has(seat))) places.drawNow();
    else places.request();
    const glide = rows.size <= MAX_GLIDING;
    for (const [seat, { board }] of rows)
      board.update(state.boards[seat], glide && order.indexOf(seat) < LARGE_BOARDS);
  }

  const throttle = makeThrottle(DRAWING_MS, draw);
  // No message comes while the first moves are waited for.
  const timer = setInterval(() => followMs > 0 && throttle.request(), TICK_MS);

  return {
    /** Show the boards, and subscribe to them. @param {State} state */
    update(state) {
      const seats = shownPlayers().map(({ seat }) => seat);
      const wasHidden = wall.hidden;
      wall.hidden = seats.length === 0;
      set(element, { 'aria-label': wall.hidden ? strings.EVENTS : strings.WALL });
      subscription.update(state, seats);
      // One more drawing removes the boards after they are hidden, so that a player who begins late
      // cannot see them.
      if (!(wall.hidden && wasHidden)) throttle.request();
    },
    unbind() {
      clearInterval(timer);
      throttle.stop();
      places.stop();
      subscription.end(app.state());
      for (const { board } of rows.values()) board.unbind();
    },
  };
}

/**
 * @typedef {object} Parts
 * @property {HTMLElement} felt
 * @property {{element: HTMLElement}} gameOver
 * @property {{element: HTMLElement}} grid
 * @property {{element: HTMLElement}} events
 * @property {HTMLElement} side
 * @property {() => TableView | null} drawn the drawn table
 */

/** The time for which a table that was won is still shown. */
const WON_TABLE_MS = 2_000;

/**
 * Return the players whose boards this one may watch now, best first: in a running race those of the
 * others, once this player's own game is over.
 * @param {State} state
 * @returns {readonly Standing[]}
 */
export function watchable(state) {
  const { room, me, standings } = state;
  if (!room?.round || !me) return [];
  if (room.state === 'FINISHED') return standings;
  const isAllowed = room.settings.spectate === 'boards' && isWatching(state);
  return isAllowed ? standings.filter(({ seat }) => seat !== me.seat) : [];
}

/** Return whether this player only watches while others race. @param {State} state */
export const isWatching = (state) => state.room?.state === 'RUNNING' && !plays(state);

/** Return whether this player's own game of the running race is over. @param {State} state */
export const isDone = (state) =>
  isWatching(state) && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(mySeat(state)?.state ?? '');

/** Return whether this player can watch the boards of others once the own game is over. @param {State} state */
export const canWatchLater = ({ room, me }) =>
  room?.settings.spectate === 'boards' &&
  room.seats.some((each) => each.seat !== me?.seat && isPlaying(each));

/** Return whether this player sees boards with the delay of the room, as all but racers do. @param {State} state */
export const isDelayed = (state) => ownRow(state)?.late_ms !== null;

/**
 * Return the ms until boards that are shown late have their first moves; 0 once they can have some.
 * @param {State} state
 * @param {number} now
 */
export function firstMovesIn(state, now) {
  const { room } = state;
  if (room?.state !== 'RUNNING' || !room.round || !isDelayed(state)) return 0;
  return Math.max(0, room.round.t0 + room.settings.board_delay_s * 1_000 - now);
}

/**
 * Make the switch. A table that was won stays for a moment. The list of events stands where boards
 * are hidden, or else at the side.
 * @param {Parts} parts
 * @param {() => void} redraw
 */
export function makeWatchSwitch({ felt, gameOver, grid, events, side, drawn }, redraw) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let done = false;
  setPageState('watching', 'false');

  /** Return whether a table that was won is still shown. Call it with each state. @param {State} state */
  function showsWonTable(state) {
    const wasDone = done;
    done = isDone(state);
    if (done && !wasDone && drawn()?.outcome === 'won' && !isCalm())
      timer = setTimeout(() => {
        timer = undefined;
        redraw();
      }, WON_TABLE_MS);
    return timer !== undefined;
  }

  /** Show the race of the others, or the table. @param {boolean} watching */
  function show(watching) {
    if (grid.element.hidden !== watching) return;
    const wasFocused = felt.contains(document.activeElement);
    setPageState('watching', String(watching));
    grid.element.hidden = !watching;
    if (watching) grid.element.prepend(gameOver.element);
    else felt.append(gameOver.element);
    if (watching && wasFocused) grid.element.focus({ preventScroll: true });
  }

  return {
    /** @param {State} state */
    update(state) {
      const watching = isWatching(state) && !showsWonTable(state);
      show(watching);
      const hasReport = watching && watchable(state).length === 0;
      const place = hasReport ? grid.element : side;
      // A grid without boards can scroll, but has no element with focus: it takes the focus itself.
      grid.element.tabIndex = hasReport ? 0 : -1;
      if (events.element.parentElement !== place) place.append(events.element);
    },
    unbind: () => clearTimeout(timer),
  };
}
