// The people at the table. Each player has a seat, with a colour and a card that is turned up when the
// player is ready; free seats of a small room open the invitation. Below the table are the spectators,
// the choice of the own colour, and the host's buttons for computer players.

import { SEAT_COLOURS } from '../contract/protocol.js';
import {
  amHost,
  coloursOf,
  isPractice,
  isWindow,
  programAt,
  takenColours,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { makePaceField, seatMark, writeName } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';
import { partOf, removePlayer } from './host.js';

/**
 * @import {AddBot, RoomView, SeatView, TakeColour} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** The ranks of the cards in the order of the seats: together the players hold a run. */
const RUN = 'KQJT98765432A';
/** The fewest places at a table, if the room has as many. */
const MIN_PLACES = 4;
/** The most players of a small room. A larger one shows no free seat. */
const MAX_SMALL = 8;
/** The most places around the table of a wide screen. */
const MAX_ROUND = 12;

/** @param {SeatView} seat */
const isPlayer = ({ role }) => role === 'player';

/** Return the number of free seats to show: enough for the fewest places, else one in a small room; none where nobody can join. @param {RoomView} room */
export function freeSeats(room) {
  if (isPractice(room) || room.settings.locked) return 0;
  const seated = room.seats.filter(isPlayer).length;
  const wanted = Math.max(MIN_PLACES - seated, seated < MAX_SMALL ? 1 : 0);
  return Math.max(0, Math.min(wanted, room.settings.max_players - seated));
}

/** Bind the seats, and the tools below the table. @param {App} app @param {() => void} invite what a free seat opens */
export function bindSeats(app, invite) {
  const label = strings.ROOM.players;
  const list = h('ul', { class: 'seats', id: 'players', 'aria-label': label });
  const count = h('summary');
  const watchers = h('ul', { class: 'seats-watching', id: 'watchers' });
  const watching = h('details', {}, count, watchers);
  const colours = bindColourChoice(app);
  const computers = makeComputerPlayers(app);
  const keyOf = (/** @type {SeatView} */ { seat }) => String(seat);
  const make = (/** @type {SeatView} */ person) => makePerson(app, person);
  return {
    element: list,
    tools: [watching, colours.element, computers],
    /** Draw the people, and return whether the seats stand round the table: they are few enough. @param {State} state @param {RoomView} room */
    update(state, room) {
      const players = room.seats.filter(isPlayer);
      const others = room.seats.filter((seat) => !isPlayer(seat));
      watching.hidden = others.length === 0;
      write(count, strings.watcherCount(others.length));
      keyed(watchers, others, keyOf, make, (row, person) => drawPerson(row, person, state));
      colours.update(state);
      computers.hidden = !amHost(state) || isPractice(room);
      const own = players.findIndex(({ seat }) => seat === state.me?.seat);
      /** @type {{key: string, person?: SeatView}[]} without a person it is a free seat */
      const places = players.map((person) => ({ key: keyOf(person), person }));
      for (let i = 0; i < freeSeats(room); i += 1) places.push({ key: `free ${i}` });
      const isRound = places.length <= MAX_ROUND;
      set(list, { 'data-round': isRound, '--places': places.length });
      keyed(
        list,
        places,
        ({ key }) => key,
        ({ person }) => (person ? make(person) : makeFreeSeat(invite)),
        (element, place) => {
          const at = places.indexOf(place);
          set(element, { '--at': at - Math.max(own, 0) }); // in front: this player, or the first one
          if (!place.person) return;
          drawPerson(element, place.person, state);
          const face = partOf(element, '.card:not([data-back])');
          set(face, { 'data-card': `${RUN[at % RUN.length]}S` });
        },
      );
      return isRound;
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
  return h('li', { 'data-free': true }, button);
}

/** Make the seat of a player, or the row of a spectator. @param {App} app @param {SeatView} seat */
function makePerson(app, seat) {
  const remove = h('button', {
    class: 'seats-remove',
    'data-action': 'kick',
    text: '×',
    title: strings.ASK.kick.yes,
    'aria-label': strings.DO_TO.kick(seat.name),
    onclick: () => removePlayer(app, seat),
  });
  const name = h('span', { class: 'seats-name', dir: 'auto', title: seat.name });
  const who = h('span', { class: 'seats-who' }, name, ' ', h('span', { class: 'seats-about' }));
  const back = h('span', { class: 'card', 'data-back': true });
  const face = h('span', { class: 'card' });
  const card = h('span', { class: 'seats-card', 'aria-hidden': 'true' }, back, face);
  const looks = { class: 'seats-seat mark-tone', 'data-seat': seat.seat };
  return h('li', looks, who, isPlayer(seat) && card, remove);
}

/** Draw a person: the state, what the person is, and the host's button. @param {HTMLElement} row @param {SeatView} seat @param {State} state */
function drawPerson(row, seat, state) {
  const isOwn = seat.seat === state.me?.seat;
  // A player without a connection counts as not ready.
  const shown = seat.state === 'READY' && seat.connection !== 'on' ? 'SEATED' : seat.state;
  const colour = coloursOf(state.room)(seat.seat);
  set(row, {
    'data-state': shown,
    'data-connection': seat.connection,
    'data-colour': colour,
    'data-own': isOwn,
  });
  const program = programAt(seat);
  writeName(partOf(row, '.seats-name'), seat.name, program, colour);
  partOf(row, '.seats-remove').hidden = isOwn || !amHost(state);
  const words = strings.ROOM;
  // Nobody is waited for where each begins when they like.
  const isShown = seat.connection === 'on' && isPlayer(seat) && !isWindow(state.room);
  const all = [
    seat.level && strings.STRENGTHS[seat.level],
    program !== undefined && !seat.level && words.program, // a level says already that it is one
    isOwn && words.you,
    seat.seat === state.room?.host && words.host,
    isShown && strings.SEAT_STATES[seat.state],
    seat.connection !== 'on' && strings.CONNECTIONS[seat.connection],
  ];
  write(partOf(row, '.seats-about'), all.filter(Boolean).join(' · '));
}

/** Bind the choice of this player's colour, by taking one that no other player has. @param {App} app */
function bindColourChoice(app) {
  const buttons = SEAT_COLOURS.map((each) => {
    const colour = /** @type {TakeColour['colour']} */ (each);
    const name = strings.COLOURS[colour];
    const onclick = () => app.send({ type: 'take_colour', colour });
    const looks = { title: name, 'aria-label': name, 'data-colour': colour, onclick };
    return h('button', looks, seatMark(colour));
  });
  const label = strings.ROOM.colour;
  const choice = h('div', { role: 'group', 'aria-label': label }, ...buttons);
  const title = h('summary', { text: label });
  return {
    element: h('details', { class: 'seats-colours', id: 'colours' }, title, choice),
    /** Show which colour this player has, and which are free. @param {State} state */
    update({ room, me }) {
      if (!room || !me) return;
      const own = coloursOf(room)(me.seat);
      const taken = takenColours(room, me.seat);
      for (const button of buttons) {
        const colour = button.dataset.colour ?? '';
        const disabled = colour !== own && taken.has(colour); // the own one stays, even if others share it
        set(button, { 'aria-pressed': String(colour === own), disabled });
      }
    },
  };
}

/** Make the buttons with which the host adds computer players at the chosen pace, one for each strength. @param {App} app */
function makeComputerPlayers(app) {
  const { element: paceField, pace } = makePaceField();
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  const buttons = levels.map((level) =>
    h('button', {
      text: strings.STRENGTHS[level],
      title: strings.STRENGTHS_ABOUT[level],
      'data-strength': level,
      onclick: () => app.send({ type: 'add_bot', level, pace: pace() }),
    }),
  );
  const title = strings.ROOM.addComputer;
  return h(
    'div',
    { class: 'seats-computers', id: 'computer-players', role: 'group', 'aria-label': title },
    h('p', { class: 'text-small', text: title }),
    ...buttons,
    paceField,
  );
}
