// The boards of others, for those who watch: as late as the room says.

import { bindMiniature } from '../board/miniature.js';
import { strings } from '../core/language.js';
import { makePace } from '../core/throttle.js';
import { h, keyed, listen, write } from '../shared/element.js';
import { bindTrack } from './track.js';
import { looksOn, MOST, makeAsking, watchable } from './watching.js';

/**
 * @import {Standing} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @typedef {ReturnType<typeof bindMiniature>} Miniature
 */

/** Small boards in two to four columns. @param {number} boards */
const columns = (boards) => (boards < 5 ? 2 : boards < 7 ? 3 : 4);

/** A grid of boards; each is made large by a click. */
export function bindGrid() {
  const element = h('ul', { class: 'wall-grid' });
  /** @type {Map<number, Miniature>} */
  const boards = new Map();
  let large = -1;

  /** @param {Standing} standing */
  function make({ seat }) {
    const board = bindMiniature();
    boards.set(seat, board);
    const pick = h('button', { type: 'button', class: 'wall-pick', onclick: () => enlarge(seat) });
    const item = h('li', {}, h('p', { class: 'wall-name' }), board.element, pick);
    item.dataset.seat = String(seat);
    return item;
  }

  /** @param {number} seat the large one becomes small again */
  function enlarge(seat) {
    large = seat === large ? -1 : seat;
    for (const item of element.children) mark(item);
  }

  /** @param {Element} item */
  function mark(item) {
    const on = item instanceof HTMLElement && item.dataset.seat === String(large);
    item.classList.toggle('large', on);
    item.querySelector('.wall-pick')?.setAttribute('aria-pressed', String(on));
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
          if (name) write(name, strings.standingShort(standing));
          pick?.setAttribute('aria-label', strings.boardLabel(standing));
          boards.get(standing.seat)?.update(tables[standing.seat], glide);
          mark(item);
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

/** All boards are drawn at once, so often and no oftener. */
const PACE = 400;
/** Cards glide on so few boards. */
const GLIDING = 2;

/** The wall of a race: boards where the room shows them, or else the track. @param {App} app */
export function bindWall(app) {
  const about = h('p', { class: 'wall-about', id: 'late' });
  const grid = bindGrid();
  const track = bindTrack();
  const boards = h('div', { hidden: true }, about, grid.element);
  const element = h('section', { class: 'wall', id: 'wall', hidden: true }, track.element, boards);
  const asking = makeAsking(app.say);
  const shown = () => watchable(app.state()).slice(0, MOST);

  const pace = makePace(PACE, () => {
    const { room, boards: tables } = app.state();
    write(about, strings.boardsLate(room?.settings.board_delay_s ?? 0));
    // In the order of the seats, so that no board jumps away under the eye.
    const seats = shown().toSorted((a, b) => a.seat - b.seat);
    grid.update(seats, tables, seats.length <= GLIDING);
  });

  /** @param {State} state */
  function update(state) {
    const seats = shown().map(({ seat }) => seat);
    element.hidden = !looksOn(state);
    boards.hidden = seats.length === 0;
    track.element.hidden = !boards.hidden;
    element.setAttribute('aria-label', boards.hidden ? strings.TRACK.lanes : strings.WALL);
    asking.update(state, seats);
    if (!boards.hidden) pace.ask();
    else if (!element.hidden) track.update(state.standings, state.room?.settings.game ?? '');
  }

  return {
    element,
    update,
    unbind() {
      pace.stop();
      asking.end(app.state());
      grid.unbind();
    },
  };
}
