// The boards of other players in a grid, for those who watch: delayed as the room says. Where boards
// are hidden, a race track takes their place.

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

/** All boards are drawn together, so often at most. */
const DRAWING_MS = 400;
/** Cards glide on no more boards than these. */
const MAX_GLIDING = 2;

/** Return the columns for small boards: two to four. @param {number} boards */
const columns = (boards) => (boards < 5 ? 2 : boards < 7 ? 3 : 4);

/** Bind the boards; a click on one makes it large. */
function bindBoards() {
  const element = h('ul', { class: 'board-grid-list' });
  /** @type {Map<number, Miniature>} */
  const boards = new Map();
  let large = -1;

  /** @param {Standing} standing */
  function make({ seat }) {
    const board = bindMiniature();
    boards.set(seat, board);
    const pick = h('button', {
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
      pick,
    );
    item.dataset.seat = String(seat);
    return item;
  }

  /** Make a board large, or the large one small again. @param {number} seat */
  function enlarge(seat) {
    large = seat === large ? -1 : seat;
    for (const item of element.children) showSize(item);
  }

  /** @param {Element} item */
  function showSize(item) {
    const on = item instanceof HTMLElement && item.dataset.seat === String(large);
    item.toggleAttribute('data-large', on);
    item.querySelector('[data-action=enlarge]')?.setAttribute('aria-pressed', String(on));
  }

  const unlisten = listen(element, 'keydown', ({ key }) => key === 'Escape' && enlarge(large));

  return {
    element,
    /**
     * @param {readonly Standing[]} standings
     * @param {State['boards']} tables
     * @param {boolean} glide
     */
    update(standings, tables, glide) {
      element.style.setProperty('--columns', String(columns(standings.length)));
      keyed(
        element,
        standings,
        (standing) => String(standing.seat),
        make,
        (item, standing) => {
          const [name, , pick] = item.children;
          const [who, figures] = name?.children ?? [];
          if (who) write(who, standing.name);
          if (figures) write(figures, strings.standingShort(standing));
          pick?.setAttribute('aria-label', strings.boardLabel(standing));
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

/** Bind the grid, or the track where boards are hidden. @param {App} app */
export function bindBoardGrid(app) {
  const about = h('p', { class: 'board-grid-about', id: 'late' });
  const grid = bindBoards();
  const track = bindTrack();
  const boards = h('div', { hidden: true }, about, grid.element);
  const element = h(
    'section',
    { class: 'board-grid', id: 'board-grid', tabindex: -1, hidden: true },
    track.element,
    boards,
  );
  const subscription = makeSubscription(app.send);
  const shown = () => watchable(app.state()).slice(0, MAX_BOARDS);

  const throttle = makeThrottle(DRAWING_MS, () => {
    const state = app.state();
    const { room, boards: tables } = state;
    write(about, strings.boardsLate(isDelayed(state) ? (room?.settings.board_delay_s ?? 0) : 0));
    // In the order of the seats, so that no board jumps to another place.
    const seats = shown().toSorted((a, b) => a.seat - b.seat);
    grid.update(seats, tables, seats.length <= MAX_GLIDING);
  });

  /** @param {State} state @param {boolean} on whether the player watches now */
  function update(state, on) {
    const seats = shown().map(({ seat }) => seat);
    element.hidden = !on;
    boards.hidden = seats.length === 0;
    track.element.hidden = !boards.hidden;
    element.setAttribute('aria-label', boards.hidden ? strings.TRACK.lanes : strings.WALL);
    subscription.update(state, seats);
    if (!boards.hidden) throttle.request();
    else if (!element.hidden) track.update(state.standings, state.room?.settings.game ?? '');
  }

  return {
    element,
    update,
    unbind() {
      throttle.stop();
      subscription.end(app.state());
      grid.unbind();
    },
  };
}
