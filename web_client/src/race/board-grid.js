// The boards of other players in a grid, for spectators, with the delay of the room. Those of the two
// players who lead are large, the better one first, and change places at most once every few seconds.

import { bindMiniature, HEIGHT } from '../board/board.js';
import { GAMES } from '../contract/games.js';
import { MAX_BOARDS } from '../contract/protocol.js';
import { isCalm } from '../page/appearance.js';
import { makeThrottle } from '../page/throttle.js';
import { coloursOf } from '../state/seat-colours.js';
import { leader, programSeats, shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, listen, write } from '../widgets/element.js';
import { writeName } from '../widgets/program-mark.js';
import { columns, LARGE_BOARDS, placed, playingFirst } from './board-places.js';
import { firstMovesIn, isDelayed, makeSubscription, watchable } from './watching.js';

/**
 * @import {Miniature} from '../board/board.js'
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** The least time between two drawings; all boards are drawn together. */
const DRAWING_MS = 400;
/** How often the time until the first moves is written. */
const TICK_MS = 1_000;
/** The least time between two changes of the boards that are large. */
const PLACES_MS = 5_000;
const GLIDE = { duration: 300, easing: 'ease-out' };
/** The most boards in the grid with which cards still glide on the large ones. */
const MAX_GLIDING = 4;

/** Make the heading of a board: the place, the name, how far the player is, and the points. */
const makeHeading = () =>
  h(
    'p',
    { class: 'board-grid-name' },
    h('span', { class: 'board-grid-place' }),
    h('bdi'),
    h('span', { class: 'text-cut board-grid-progress' }),
    h('span', { class: 'board-grid-points', 'data-part': 'points' }),
  );

/** Bind the boards. Those of the leaders are large. A click on a board makes it the largest. */
function bindBoards() {
  const element = h('ul', { class: 'board-grid-list' });
  /** @type {Map<number, Miniature>} */
  const boards = new Map();
  /** @type {readonly Standing[]} */
  let latest = [];
  /** The seats in the order of their places. @type {number[]} */
  let order = [];
  let chosen = -1;

  /** Make the item of a player. @param {Standing} standing */
  function makeItem({ seat }) {
    const board = bindMiniature();
    boards.set(seat, board);
    const enlargeButton = h('button', {
      class: 'miniature-enlarge',
      'data-action': 'enlarge',
      onclick: () => enlarge(seat),
    });
    const item = h('li', { class: 'mark-tone' }, makeHeading(), board.element, enlargeButton);
    item.dataset.seat = String(seat);
    return item;
  }

  /** Make a board the largest, or give it back its place if it is that already. @param {number} seat */
  function enlarge(seat) {
    chosen = seat === chosen ? -1 : seat;
    arrange();
  }

  /** Return the items of the boards. */
  const items = () => /** @type {Iterable<HTMLElement>} */ (element.children);

  /** Give each board its place and size; those that were there before glide to theirs. */
  function arrange() {
    /** @type {Map<HTMLElement, DOMRect>} */
    const before = new Map();
    if (!isCalm()) for (const item of items()) before.set(item, item.getBoundingClientRect());
    const hasLargest = order.includes(chosen);
    const largeCount = hasLargest ? 1 : Math.min(LARGE_BOARDS, order.length);
    const shown = hasLargest ? [chosen, ...order.filter((seat) => seat !== chosen)] : order;
    const smallCount = shown.length - largeCount;
    const smallInRow = columns(smallCount);
    element.style.setProperty('--small-in-row', String(smallInRow));
    // The height of both rows, as a part of the width.
    element.style.setProperty(
      '--height',
      String((1 / LARGE_BOARDS + (smallCount && 1 / smallInRow)) * HEIGHT),
    );
    for (const item of items()) {
      const at = shown.indexOf(Number(item.dataset.seat));
      item.style.order = String(at);
      const isLarge = at < largeCount;
      const isLargest = hasLargest && isLarge;
      item.dataset.size = isLargest ? 'largest' : isLarge ? 'large' : 'small';
      item.toggleAttribute('data-large', isLargest);
      // A row of small boards that is not full stands in the middle, so its first board starts late.
      const startsLate = at === largeCount && smallCount < smallInRow;
      item.style.setProperty('--from', startsLate ? String(1 + smallInRow - smallCount) : 'auto');
      const button = item.querySelector('[data-action=enlarge]');
      button?.setAttribute('aria-pressed', String(isLargest));
    }
    for (const [item, old] of before) glideFrom(item, old);
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

  const places = makeThrottle(PLACES_MS, () => {
    const next = placed(order, latest);
    if (String(next) === String(order)) return;
    order = next;
    arrange();
  });
  const unlisten = listen(element, 'keydown', ({ key }) => key === 'Escape' && enlarge(chosen));

  return {
    element,
    /**
     * Draw the boards of these players.
     * @param {readonly Standing[]} standings best first
     * @param {State} state
     */
    update(standings, { boards: tables, room, standings: all }) {
      latest = standings;
      const programs = programSeats(room);
      const colours = coloursOf(room);
      const leadingSeat = leader(all)?.seat;
      const single = !GAMES[room?.settings.game ?? '']?.face_down;
      keyed(
        element,
        // The boards stay in the order of the seats; a style gives them their places.
        standings.toSorted((a, b) => a.seat - b.seat),
        (standing) => String(standing.seat),
        makeItem,
        (item, standing) => {
          const { seat, score } = standing;
          const place = shownPlace(standing);
          const [heading, , enlargeButton] = item.children;
          const [rank, name, far, points] = heading?.children ?? [];
          item.dataset.colour = colours(seat);
          item.dataset.state = standing.state;
          item.toggleAttribute('data-leads', seat === leadingSeat && score > 0);
          if (rank) write(rank, place === null ? '' : strings.ordinal(place));
          if (name) writeName(name, standing.name, programs.get(seat), colours(seat));
          if (far)
            write(far, strings.standingState(standing) || strings.progress(standing, single));
          if (points) write(points, String(score));
          enlargeButton?.setAttribute('aria-label', strings.boardLabel(standing));
        },
      );
      if (order.length !== standings.length || standings.some(({ seat }) => !order.includes(seat)))
        places.drawNow();
      else places.request();
      const glide = standings.length <= MAX_GLIDING;
      for (const { seat } of standings)
        boards.get(seat)?.update(tables[seat], glide && order.indexOf(seat) < LARGE_BOARDS);
      for (const [seat, board] of boards) {
        if (standings.some((standing) => standing.seat === seat)) continue;
        board.unbind();
        boards.delete(seat);
      }
    },
    unbind() {
      unlisten();
      places.stop();
      for (const board of boards.values()) board.unbind();
      boards.clear();
    },
  };
}

/** Bind the grid. @param {HTMLElement} element @param {App} app */
export function bindBoardGrid(element, app) {
  const delay = h('p', { class: 'board-grid-about', id: 'late' });
  const grid = bindBoards();
  const boards = h('div', { hidden: true }, delay, grid.element);
  element.append(boards);
  const subscription = makeSubscription(app.send);
  let followMs = 0;
  const shownPlayers = () => playingFirst(watchable(app.state())).slice(0, MAX_BOARDS);

  const throttle = makeThrottle(DRAWING_MS, () => {
    const state = app.state();
    const delay_s = isDelayed(state) ? (state.room?.settings.board_delay_s ?? 0) : 0;
    followMs = firstMovesIn(state, app.now());
    write(delay, followMs > 0 ? strings.boardsFollow(followMs) : strings.boardsLate(delay_s));
    grid.update(shownPlayers(), state);
  });
  // No message comes while the first moves are waited for.
  const timer = setInterval(() => followMs > 0 && throttle.request(), TICK_MS);

  /** Show the boards, and subscribe to them. @param {State} state */
  function update(state) {
    const seats = shownPlayers().map(({ seat }) => seat);
    const wasHidden = boards.hidden;
    boards.hidden = seats.length === 0;
    element.setAttribute('aria-label', boards.hidden ? strings.TRACK.lanes : strings.WALL);
    subscription.update(state, seats);
    // One more drawing removes the boards after they are hidden, so that a player who begins late
    // cannot see them.
    if (!(boards.hidden && wasHidden)) throttle.request();
  }

  return {
    update,
    unbind() {
      clearInterval(timer);
      throttle.stop();
      subscription.end(app.state());
      grid.unbind();
    },
  };
}
