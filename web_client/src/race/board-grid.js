// The boards of other players in a grid, for spectators, with the delay of the room. If boards are
// hidden, the race track is shown instead.

import { bindMiniature } from '../board/miniature.js';
import { strings } from '../core/language.js';
import { MAX_BOARDS } from '../core/protocol.js';
import { makeThrottle } from '../core/throttle.js';
import { h, keyed, listen, write } from '../shared/element.js';
import { bindTrack } from './track.js';
import { isDelayed, makeSubscription, watchable } from './watching.js';

/**
 * @import {Miniature} from '../board/miniature.js'
 * @import {Standing} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 */

/** The least time between two drawings; all boards are drawn together. */
const DRAWING_MS = 400;
/** The most boards on which cards glide. */
const MAX_GLIDING = 2;

/** Return the columns for small boards: two to four. @param {number} boards */
const columns = (boards) => (boards < 5 ? 2 : boards < 7 ? 3 : 4);

/** Bind the boards; a click on one makes it large. */
function bindBoards() {
  const element = h('ul', { class: 'board-grid-list' });
  /** @type {Map<number, Miniature>} */
  const boards = new Map();
  let large = -1;

  /** Make the item of a player. @param {Standing} standing */
  function makeItem({ seat }) {
    const board = bindMiniature();
    boards.set(seat, board);
    const enlargeButton = h('button', {
      type: 'button',
      class: 'board-enlarge',
      'data-action': 'enlarge',
      onclick: () => enlarge(seat),
    });
    const item = h(
      'li',
      {},
      h('p', { class: 'board-grid-name' }, h('bdi'), h('span')),
      board.element,
      enlargeButton,
    );
    item.dataset.seat = String(seat);
    return item;
  }

  /** Make a board large, or the large one small again. @param {number} seat */
  function enlarge(seat) {
    large = seat === large ? -1 : seat;
    for (const item of element.children) showSize(item);
  }

  /** Show an item large or small. @param {Element} item */
  function showSize(item) {
    const isLarge = item instanceof HTMLElement && item.dataset.seat === String(large);
    item.toggleAttribute('data-large', isLarge);
    item.querySelector('[data-action=enlarge]')?.setAttribute('aria-pressed', String(isLarge));
  }

  const unlisten = listen(element, 'keydown', ({ key }) => key === 'Escape' && enlarge(large));

  return {
    element,
    /**
     * Draw the boards of these players.
     *
     * @param {readonly Standing[]} standings
     * @param {State['boards']} tables by seat
     * @param {boolean} glide
     */
    update(standings, tables, glide) {
      element.style.setProperty('--columns', String(columns(standings.length)));
      keyed(
        element,
        standings,
        (standing) => String(standing.seat),
        makeItem,
        (item, standing) => {
          const [heading, , enlargeButton] = item.children;
          const [name, figures] = heading?.children ?? [];
          if (name) write(name, standing.name);
          if (figures) write(figures, strings.standingShort(standing));
          enlargeButton?.setAttribute('aria-label', strings.boardLabel(standing));
          boards.get(standing.seat)?.update(tables[standing.seat], glide);
          showSize(item);
        },
      );
      for (const [seat, board] of boards) {
        if (standings.some((standing) => standing.seat === seat)) continue;
        board.unbind();
        boards.delete(seat);
      }
    },
    unbind() {
      unlisten();
      for (const board of boards.values()) board.unbind();
      boards.clear();
    },
  };
}

/** Bind the grid, or the track where boards are hidden. @param {HTMLElement} element @param {App} app */
export function bindBoardGrid(element, app) {
  const delay = h('p', { class: 'board-grid-about', id: 'late' });
  const grid = bindBoards();
  const track = bindTrack();
  const boards = h('div', { hidden: true }, delay, grid.element);
  element.append(track.element, boards);
  const subscription = makeSubscription(app.send);
  const shownPlayers = () => watchable(app.state()).slice(0, MAX_BOARDS);

  const throttle = makeThrottle(DRAWING_MS, () => {
    const state = app.state();
    const { room, boards: tables } = state;
    write(delay, strings.boardsLate(isDelayed(state) ? (room?.settings.board_delay_s ?? 0) : 0));
    // The order is that of the seats, so that no board moves to another place.
    const seats = shownPlayers().toSorted((a, b) => a.seat - b.seat);
    grid.update(seats, tables, seats.length <= MAX_GLIDING);
  });

  /** Show the boards or the track, and subscribe to the boards. @param {State} state */
  function update(state) {
    const seats = shownPlayers().map(({ seat }) => seat);
    boards.hidden = seats.length === 0;
    track.element.hidden = !boards.hidden;
    element.setAttribute('aria-label', boards.hidden ? strings.TRACK.lanes : strings.WALL);
    subscription.update(state, seats);
    if (!boards.hidden) throttle.request();
    else if (!element.hidden) track.update(state.standings, state.room?.settings.game ?? '');
  }

  return {
    update,
    unbind() {
      throttle.stop();
      subscription.end(app.state());
      grid.unbind();
    },
  };
}
