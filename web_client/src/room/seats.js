// The seats around the table. Each player has a colour and a card, which is turned up when the player is
// ready. Free seats of a small room open the invitation.

import { coloursOf } from '../state/seat-colours.js';
import { amHost, programAt } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, write } from '../widgets/element.js';
import { writeName } from '../widgets/marks.js';
import { removePlayer } from './host-controls.js';
import { freeSeats, placeAt, roundOf } from './places.js';

/**
 * @import {RoomView, SeatView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** The faces of the cards: together the players hold a run. */
const RANKS = 'KQJT98765432A';

/** Bind the seats. @param {App} app @param {() => void} invite what a free seat opens */
export function bindSeats(app, invite) {
  const list = h('ul', { class: 'seats', id: 'players', 'aria-label': strings.ROOM.players });
  return {
    element: list,
    /** Draw the seats. @param {State} state @param {RoomView} room */
    update(state, room) {
      const players = room.seats.filter(({ role }) => role === 'player');
      const free = freeSeats(room);
      /** @type {(SeatView | number)[]} numbers stand for free seats */
      const places = [...players, ...Array.from({ length: free }, (_, i) => i)];
      list.dataset.round = roundOf(places.length);
      const own = players.findIndex(({ seat }) => seat === state.me?.seat);
      keyed(
        list,
        places,
        (each) => (typeof each === 'number' ? `free ${each}` : String(each.seat)),
        (each) => (typeof each === 'number' ? makeFreeSeat(invite) : makeSeat(app, each)),
        (element, each) => {
          const at = places.indexOf(each);
          const { x, y } = placeAt(at - Math.max(own, 0), places.length);
          element.style.setProperty('--x', x.toFixed(4));
          element.style.setProperty('--y', y.toFixed(4));
          if (typeof each !== 'number') updateSeat(element, each, state, at);
        },
      );
    },
  };
}

/** Make a seat that nobody has taken. @param {() => void} invite */
function makeFreeSeat(invite) {
  const button = h('button', {
    class: 'seats-invite',
    text: strings.ROOM.freeSeat,
    title: strings.ROOM.invite,
    'aria-haspopup': 'dialog',
    onclick: invite,
  });
  return h('li', { class: 'seats-free', 'data-free': true }, button);
}

/** Make the seat of a player. @param {App} app @param {SeatView} seat */
function makeSeat(app, seat) {
  const remove = h('button', {
    class: 'seats-remove',
    text: '×',
    title: strings.HOST.kick,
    'aria-label': strings.kickLabel(seat.name),
    onclick: () => removePlayer(app, seat),
  });
  remove.dataset.action = 'kick';
  const face = h('span', { class: 'card' });
  const back = h('span', { class: 'card', 'data-back': true });
  const element = h(
    'li',
    { class: 'seats-seat mark-tone' },
    h(
      'span',
      { class: 'seats-who' },
      h('span', { class: 'seats-name', dir: 'auto' }),
      h('span', { class: 'seats-about' }),
    ),
    h('span', { class: 'seats-card', 'aria-hidden': 'true' }, back, face),
    remove,
  );
  element.dataset.seat = String(seat.seat);
  return element;
}

/** Return the state of a seat as it is shown: a player who has left is not ready. @param {SeatView} seat */
const shownSeat = (seat) =>
  seat.state === 'READY' && seat.connection !== 'on'
    ? /** @type {SeatView} */ ({ ...seat, state: 'SEATED' })
    : seat;

/** Draw the seat of a player. @param {HTMLElement} element @param {SeatView} seat @param {State} state @param {number} at its number among the players */
function updateSeat(element, seat, state, at) {
  const [who, card, remove] = element.children;
  const [name, about] = who?.children ?? [];
  const isOwn = seat.seat === state.me?.seat;
  const shown = shownSeat(seat);
  const colour = coloursOf(state.room)(seat.seat);
  element.dataset.state = shown.state;
  element.dataset.connection = seat.connection;
  element.dataset.colour = colour;
  element.toggleAttribute('data-own', isOwn);
  if (name) writeName(name, seat.name, programAt(seat), colour);
  name?.setAttribute('title', seat.name);
  if (about) write(about, aboutOf(seat, shown, isOwn, state).join(' · '));
  const face = card?.lastElementChild;
  if (face instanceof HTMLElement) face.dataset.card = `${RANKS[at % RANKS.length]}S`;
  if (remove instanceof HTMLElement) remove.hidden = isOwn || !amHost(state);
}

/** Return what a player is, and whether the player is ready or away. @param {SeatView} seat @param {SeatView} shown @param {boolean} isOwn @param {State} state */
function aboutOf(seat, shown, isOwn, { room }) {
  const words = strings.ROOM;
  const isProgram = programAt(seat) !== undefined && !seat.level;
  return [
    seat.level && strings.STRENGTHS[seat.level],
    isProgram && words.program,
    isOwn && words.you,
    seat.seat === room?.host && words.host,
    seat.connection === 'on' ? strings.seatState(shown) : strings.seatConnection(seat),
  ].filter((each) => typeof each === 'string');
}
