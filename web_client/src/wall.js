// The boards of others, for spectators: as late as the room says, and nothing to be done there.

import { bindBoard } from './board.js';
import { h, keyed, write } from './element.js';
import { clock } from './strings.js';

/**
 * @import {Standing} from './protocol.d.ts'
 * @import {Board} from './board.js'
 * @import {State} from './reducer.js'
 * @import {App} from './main.js'
 */

const MOST = 8;

/** Whose boards this player may watch now, best first. @param {State} state @returns {Standing[]} */
export function watchable(state) {
  const { room, me, standings } = state;
  if (!room?.round || !me) return [];
  const racer = standings.some((standing) => standing.seat === me.seat);
  const open = room.state === 'FINISHED' || (room.settings.spectate === 'boards' && !racer);
  return open ? standings.slice(0, MOST) : [];
}

/** @param {App} app */
export function bindWall(app) {
  const about = h('p', { class: 'wall-about' });
  const grid = h('ul', { class: 'wall-grid' });
  const element = h('section', { class: 'wall', id: 'wall', hidden: true }, about, grid);
  element.setAttribute('aria-label', 'Boards');
  /** @type {Map<string, Board>} */
  const boards = new Map();
  let asked = '';

  /** @param {Standing} standing */
  function make(standing) {
    const name = h('button', { type: 'button', class: 'wall-name' });
    const felt = h('div', { class: 'board', inert: true });
    const item = h('li', {}, name, felt);
    item.dataset.seat = String(standing.seat);
    name.addEventListener('click', () => {
      const large = item.classList.toggle('large');
      name.setAttribute('aria-pressed', String(large));
    });
    boards.set(item.dataset.seat, bindBoard(felt));
    return item;
  }

  /** @param {State} state */
  return {
    element,
    /** @param {State} state */
    update(state) {
      const shown = watchable(state);
      const room = state.room;
      element.hidden = shown.length === 0;
      const seats = shown.map((standing) => standing.seat).toSorted((a, b) => a - b);
      const wish = `${room?.code} ${room?.round?.n} ${room?.state} ${state.line} ${seats.join()}`;
      if (seats.length > 0 && wish !== asked && state.line === 'on')
        app.say({ type: 'watch', boards: seats });
      asked = wish;
      const late = room?.state === 'RUNNING' ? (room.settings.board_delay_s ?? 0) : 0;
      write(about, late > 0 ? `These boards are ${clock(late * 1_000)} behind the race.` : '');
      keyed(
        grid,
        shown,
        (standing) => String(standing.seat),
        make,
        (item, standing) => {
          const label = `${standing.name}, ${standing.score}`;
          if (item.firstElementChild) write(item.firstElementChild, label);
          const table = state.boards[standing.seat];
          if (table) boards.get(String(standing.seat))?.draw(table, true);
        },
      );
      for (const [seat, board] of boards) {
        if (shown.some((standing) => String(standing.seat) === seat)) continue;
        board.unbind();
        boards.delete(seat);
      }
    },
    unbind() {
      for (const board of boards.values()) board.unbind();
      if (app.state().line === 'on' && asked) app.say({ type: 'watch', boards: [] });
    },
  };
}
