// The people at the table. Each player's seat has their mark, their wins, and a card that turns face up once they are
// ready. A free seat has buttons that invite a friend or add a computer player.

import { SEAT_COLOURS } from '../contract/protocol.js';
import { capital } from '../contract/text.js';
import {
  amHost,
  coloursOf,
  isOpenRace,
  isPractice,
  programAt,
  takenColours,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { iconButton, spiderCoin } from '../widgets/controls.js';
import { makeMenu } from '../widgets/dialogs.js';
import { h, keyed, set, writeItems } from '../widgets/element.js';
import { keyOfSeat, seatMark, writeName } from '../widgets/names.js';
import { partOf, removePlayer } from './host.js';
import { winsOf } from './match.js';

/**
 * @import {AddBot, RoomView, SeatView, TakeColour} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Menu} from '../widgets/dialogs.js'
 * @typedef {{key: string, person?: SeatView}} Place a seat at the table, free if it has no person
 * @typedef {ReturnType<typeof bindSeats>} Seats
 */

const RUN = 'KQJT98765432A'; // the ranks of the players' cards, in the order of the seats
const LONG_NAME = 16; // names with more letters than this are smaller
const MIN_PLACES = 4; // show at least this many places, if the room allows that many players
const SMALL_ROOM = 8; // with fewer players than this, show at least one free seat
const [FEW, MANY] = [8, 12]; // this many places fit around the table on a narrower or a wide screen

/** Return whether a person is playing rather than watching. @param {SeatView} seat */
const isPlayer = ({ role }) => role === 'player';

/** Return how many free seats to show; 0 if nobody else can join. @param {RoomView} room */
export function freeSeats(room) {
  if (isPractice(room) || room.settings.locked) return 0;
  const seated = room.seats.filter(isPlayer).length;
  const wanted = seated < SMALL_ROOM ? Math.max(1, MIN_PLACES - seated) : 0;
  return Math.max(0, Math.min(wanted, room.settings.max_players - seated));
}

/** Bind the seats, and the menus that they open. @param {App} app @param {() => void} invite opens the invitation */
export function bindSeats(app, invite) {
  const list = h('ul', { class: 'seats', id: 'players', 'aria-label': strings.ROOM.players });
  const watchers = h('ul', { class: 'seats', id: 'watchers' });
  const watching = makeMenu('watching-menu', strings.ROOM.watching, watchers);
  const looks = { class: 'line', id: 'watching', 'data-kind': 'quiet' };
  const opening = { 'aria-haspopup': 'dialog', onclick: watching.open };
  const watchersButton = iconButton('eye', { ...looks, ...opening });
  const colours = bindColourChoice(app);
  const computers = makeComputerPlayers(app);
  const makeRow = (/** @type {SeatView} */ person) => makePerson(app, person, colours.menu);
  const makePlace = (/** @type {Place} */ { person }) =>
    person ? makeRow(person) : makeFreeSeat(invite, computers.open);
  const menus = [watching.dialog, colours.menu.dialog, computers.dialog];
  const makers = { makeRow, makePlace, addComputer: computers.open };
  return { element: list, watchers, watchersButton, colours, menus, ...makers };
}

/**
 * Draw the people and the free seats.
 * @param {Seats} seats @param {State} state @param {RoomView} room
 * @param {boolean} invites whether the first free seat has the page's `#invite` button
 * @returns {'few' | 'many' | false} how many places there are around the table; false for more than fit there
 */
export function updateSeats(seats, state, room, invites) {
  drawWatchers(seats, state, room);
  seats.colours.update(state);
  const players = room.seats.filter(isPlayer);
  const taken = players.map((person) => ({ key: keyOfSeat(person), person }));
  const free = Array.from({ length: freeSeats(room) }, (_, i) => ({ key: `free ${i}` }));
  const places = /** @type {Place[]} */ ([...taken, ...free]);
  const own = players.findIndex(({ seat }) => seat === state.me?.seat);
  const keyOfPlace = (/** @type {Place} */ { key }) => key;
  set(seats.element, { '--places': places.length });
  keyed(seats.element, places, keyOfPlace, seats.makePlace, (element, place) => {
    const at = places.indexOf(place);
    set(element, { '--at': at - Math.max(own, 0) }); // 0 is in front: this player, or else the first
    if (place.person) {
      drawPerson(element, place.person, state);
      const rank = RUN[at % RUN.length]; // the cards of all players make a run
      set(partOf(element, '.card:not([data-back])'), { 'data-card': `${rank}S` });
    } else {
      const id = invites && place.key === 'free 0' && 'invite';
      set(partOf(element, '[data-action=invite]'), { id });
      partOf(element, '[data-action=computer]').hidden = !amHost(state);
    }
  });
  return places.length <= FEW ? 'few' : places.length <= MANY && 'many';
}

/** Draw the spectators and their number. @param {Seats} seats @param {State} state @param {RoomView} room */
function drawWatchers({ watchers, watchersButton, makeRow }, state, room) {
  const people = room.seats.filter((seat) => !isPlayer(seat));
  const label = strings.watcherCount(people.length);
  set(watchersButton, { text: people.length, 'aria-label': label, title: label });
  watchersButton.hidden = people.length === 0;
  keyed(watchers, people, keyOfSeat, makeRow, (row, person) => drawPerson(row, person, state));
}

/** @param {() => void} invite opens a dialog @param {Menu['open']} addComputer opens a menu */
function makeFreeSeat(invite, addComputer) {
  const { inviteShort, addShort } = strings.ROOM;
  const opensDialog = { 'aria-haspopup': 'dialog' };
  const inviting = { ...opensDialog, 'data-action': 'invite', text: inviteShort, onclick: invite };
  const adding = { ...opensDialog, 'data-action': 'computer', onclick: addComputer };
  const spider = h('span', { class: 'coin coin-bare', 'data-level': 'club' });
  const add = h('button', adding, spider, addShort);
  return h('li', { class: 'seats-free', 'data-free': true }, iconButton('person', inviting), add);
}

/** Make a seat's mark; your own opens a menu. @param {string} colour @param {boolean} isOwn @param {Menu} colours */
function makeMark(colour, isOwn, colours) {
  const mark = seatMark(colour);
  if (!isOwn) return mark;
  const label = strings.ROOM.changeColour;
  const opening = { 'aria-haspopup': 'dialog', onclick: colours.open };
  const looks = { class: 'line seats-pick', 'data-action': 'colour', title: label };
  return h('button', { ...looks, ...opening, 'aria-label': label }, mark, '▾');
}

/** Make a player's seat or a spectator's row. @param {App} app @param {SeatView} seat @param {Menu} colours */
function makePerson(app, seat, colours) {
  const { room, me } = app.state();
  const colour = coloursOf(room)(seat.seat);
  const isLong = seat.name.length > LONG_NAME;
  const onclick = () => removePlayer(app, seat);
  const removing = { 'data-action': 'kick', text: '×', title: strings.ASK.kick.yes, onclick };
  const label = strings.DO_TO.kick(seat.name);
  const remove = h('button', { class: 'pill seats-remove', ...removing, 'aria-label': label });
  const name = h('div', { class: 'seats-name', dir: 'auto', title: seat.name });
  const about = h('div', { class: 'text-note text-items seats-about' });
  const back = h('span', { class: 'card', 'data-back': true });
  const face = h('span', { class: 'card' });
  const card = h('span', { class: 'seats-card', 'aria-hidden': 'true' }, back, face);
  const crown = { class: 'pill icon seats-wins', '--icon': 'var(--icon-crown)' };
  const wins = h('span', { ...crown, 'data-part': 'wins' });
  const kind = seat.level && strings.programKind(seat.level);
  const level = { role: 'img', 'aria-label': kind, title: kind, 'data-part': 'program' };
  const mark = makeMark(colour, seat.seat === me?.seat, colours);
  const top = h('div', { class: 'line seats-top' }, mark, wins);
  const spider = seat.level && h('span', level, spiderCoin(seat.level));
  const words = h('div', { class: 'grow' }, name, about);
  const looks = { class: 'line seats-seat', 'data-seat': seat.seat, 'data-long': isLong };
  return h('li', looks, top, spider, words, isPlayer(seat) && card, remove);
}

/** @param {HTMLElement} row @param {SeatView} seat @param {State} state */
function drawPerson(row, seat, state) {
  const { room } = state;
  const isOwn = seat.seat === state.me?.seat;
  // A player without a connection is shown as not ready.
  const shown = seat.state === 'READY' && seat.connection !== 'on' ? 'SEATED' : seat.state;
  const colour = coloursOf(room)(seat.seat);
  set(row, { 'data-state': shown, 'data-connection': seat.connection });
  set(row, { 'data-colour': colour, 'data-own': isOwn });
  set(partOf(row, '.mark'), { 'data-colour': colour });
  const program = programAt(seat);
  // A computer player, which has a level, shows a spider instead of the usual sign of a program.
  writeName(partOf(row, '.seats-name'), seat.name, seat.level ? undefined : program);
  partOf(row, '.seats-remove').hidden = isOwn || !amHost(state);
  drawWins(partOf(row, '.seats-wins'), seat, room);
  const words = strings.ROOM;
  // In an open race each player starts when they like, so it doesn't matter who is ready.
  const showsState = seat.connection === 'on' && isPlayer(seat) && !isOpenRace(room);
  const about = [
    seat.level && strings.STRENGTHS[seat.level],
    program !== undefined && !seat.level && words.program,
    isOwn && words.you,
    seat.seat === room?.host && words.host,
    showsState && strings.SEAT_STATES[seat.state].toLocaleLowerCase(),
    seat.connection !== 'on' && strings.CONNECTIONS[seat.connection],
  ];
  writeItems(partOf(row, '.seats-about'), capital(about.filter(Boolean).join(' · ')));
}

/**
 * Show how often a person has won; the person with the most wins stands out.
 * @param {HTMLElement} pill @param {SeatView} person @param {RoomView | null} room
 */
function drawWins(pill, { seat }, room) {
  const { wins: winsBySeat, title } = winsOf(room);
  const wins = winsBySeat.get(seat) ?? 0;
  const leads = [...winsBySeat].every(([other, theirs]) => other === seat || theirs < wins);
  pill.hidden = wins === 0;
  const said = { role: 'img', title, 'aria-label': `${title}: ${wins}` };
  set(pill, { ...said, text: wins || '', 'data-leads': leads });
}

/** Bind the menu of colours. Players cannot take a colour that another player has. @param {App} app */
function bindColourChoice(app) {
  const buttons = SEAT_COLOURS.map((each) => {
    const colour = /** @type {TakeColour['colour']} */ (each);
    const name = strings.COLOURS[colour];
    function onclick() {
      app.send({ type: 'take_colour', colour });
      menu.dialog.close();
    }
    const looks = { class: 'line', title: name, 'aria-label': name, 'data-colour': colour };
    return h('button', { ...looks, onclick }, seatMark(colour));
  });
  const choice = h('div', { class: 'seats-colours', id: 'colours' }, ...buttons);
  const menu = makeMenu('colour-menu', strings.ROOM.colour, choice);
  return {
    menu,
    /** Mark this player's colour, and disable the colours of others. @param {State} state */
    update({ room, me }) {
      if (!room || !me) return;
      const own = coloursOf(room)(me.seat);
      const taken = takenColours(room, me.seat);
      for (const button of buttons) {
        const colour = button.dataset.colour ?? '';
        const isOwn = colour === own; // others may have it too: many players share colours
        set(button, { 'aria-pressed': String(isOwn), disabled: !isOwn && taken.has(colour) });
      }
    },
  };
}

/** Make the menu that adds a computer player of a chosen strength and pace. @param {App} app */
function makeComputerPlayers(app) {
  const { label, ...paces } = strings.PACES;
  const options = Object.entries(paces).map(([value, text]) => h('option', { value, text }));
  const select = h('select', { 'data-field': 'pace' }, ...options);
  select.value = 'usual';
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  const buttons = levels.map((level) => {
    function onclick() {
      const pace = /** @type {NonNullable<AddBot['pace']>} */ (select.value);
      app.send({ type: 'add_bot', level, pace });
      menu.dialog.close();
    }
    const about = h('span', { class: 'text-note', text: capital(strings.STRENGTHS_ABOUT[level]) });
    const words = h('span', { class: 'grow' }, strings.STRENGTHS[level], about);
    const looks = { class: 'line seats-strength', 'data-strength': level, 'data-kind': 'quiet' };
    return h('button', { ...looks, onclick }, spiderCoin(level), words);
  });
  const field = h('label', { class: 'field-pace line between text-small' }, label, ' ', select);
  const choice = h('div', { class: 'stack', id: 'computer-players' }, ...buttons, field);
  const menu = makeMenu('computer-menu', strings.ROOM.addComputer, choice);
  return menu;
}
