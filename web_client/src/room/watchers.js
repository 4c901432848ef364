// The spectators of the room: a count, which opens their list.

import { coloursOf } from '../state/seat-colours.js';
import { amHost, programAt } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, write } from '../widgets/element.js';
import { writeName } from '../widgets/marks.js';
import { removePlayer } from './host-controls.js';

/**
 * @import {RoomView, SeatView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** Bind the count and the list. @param {App} app */
export function bindWatchers(app) {
  const count = h('summary');
  const list = h('ul', { class: 'player-list watchers-list', id: 'watchers' });
  const element = h('details', { class: 'watchers' }, count, list);
  return {
    element,
    /** Draw the spectators. @param {State} state @param {RoomView} room */
    update(state, room) {
      const watching = room.seats.filter(({ role }) => role !== 'player');
      element.hidden = watching.length === 0;
      write(count, strings.watcherCount(watching.length));
      keyed(
        list,
        watching,
        (seat) => String(seat.seat),
        (seat) => makeRow(app, seat),
        (row, seat) => updateRow(row, seat, state),
      );
    },
  };
}

/** Make the row of a spectator. @param {App} app @param {SeatView} seat */
function makeRow(app, seat) {
  const remove = h('button', {
    class: 'player-remove',
    'data-kind': 'quiet',
    text: '×',
    title: strings.HOST.kick,
    'aria-label': strings.kickLabel(seat.name),
    onclick: () => removePlayer(app, seat),
  });
  remove.dataset.action = 'kick';
  const row = h(
    'li',
    {},
    h('span', { class: 'text-cut player-name', dir: 'auto' }),
    h('span', { class: 'player-tags' }),
    remove,
  );
  row.dataset.seat = String(seat.seat);
  return row;
}

/** Draw the row of a spectator. @param {HTMLElement} row @param {SeatView} seat @param {State} state */
function updateRow(row, seat, state) {
  const [name, tags, remove] = row.children;
  const isOwn = seat.seat === state.me?.seat;
  const about = [
    isOwn && strings.ROOM.you,
    seat.seat === state.room?.host && strings.ROOM.host,
    seat.connection !== 'on' && strings.seatConnection(seat),
  ];
  row.dataset.connection = seat.connection;
  if (name) writeName(name, seat.name, programAt(seat), coloursOf(state.room)(seat.seat));
  if (tags) write(tags, about.filter(Boolean).join(' · '));
  if (remove instanceof HTMLElement) remove.hidden = isOwn || !amHost(state);
}
