// The page of an open race, in place of the table: the time that is left, the invitation, one list of the seats,
// and at the foot the button that starts this player's only game. Results are face down until that game is over.
// While this player plays, one line says how many have played.

import {
  amHost,
  coloursOf,
  isGameOver,
  isOpenRaceOn,
  mayChase,
  mySeat,
  ownRow,
  plays,
  programAt,
  shownPlace,
  watchable,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { every, h, keyed, set } from '../widgets/element.js';
import { keyOfSeat, writeName } from '../widgets/names.js';
import { bindInvitation } from '../widgets/sharing.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 * @typedef {ReturnType<typeof makeView>} View
 */

const TICK_MS = 1_000;

/** Write a text into an element, with its numbers in bold type. @param {Element} element @param {string} text */
function writeFigures(element, text) {
  if (element.textContent === text) return;
  const parts = text.split(/(\d+)/);
  element.replaceChildren(...parts.map((part) => (/\d/.test(part) ? h('b', {}, part) : part)));
}

/** Return the gap between this player and the best of the others in words, or ''. @param {State} state */
function gapOf(state) {
  const own = ownRow(state);
  const other = state.standings.find(({ seat }) => seat !== own?.seat);
  if (!own || !other || !shownPlace(own) || !shownPlace(other)) return '';
  const isByTime = own.won && other.won && state.room?.settings.ranking === 'first_home';
  const ahead = isByTime
    ? (other.finished_ms ?? 0) - (own.finished_ms ?? 0)
    : own.score - other.score;
  // Places can depend on more than points; then the gap says nothing.
  if (ahead === 0 || ahead > 0 !== Number(own.place) < Number(other.place)) return '';
  return strings.openRaceGap(isByTime, ahead, other.name);
}

/** Make the row of a player whose result is not shown; its card shows that the player has started. */
function makePlayer() {
  const name = h('b', { class: 'grow text-cut', dir: 'auto' });
  const state = h('span', { class: 'text-small', 'data-part': 'state' });
  const card = h('i', { class: 'card window-card', 'aria-hidden': 'true' });
  return h('li', { class: 'pane-row line window-player mark-tone' }, name, ' ', state, card);
}

/** Draw the players without a row in the standings. @param {HTMLElement} list @param {RoomView} room @param {State} state */
function drawPlayers(list, room, state) {
  const colours = coloursOf(room);
  const me = state.me?.seat;
  const shown = new Set(state.standings.map(({ seat }) => seat));
  const players = room.seats.filter(({ seat, role }) => role === 'player' && !shown.has(seat));
  keyed(list, players, keyOfSeat, makePlayer, (item, person) => {
    const { seat, name, state: seatState } = person;
    const [who, what, card] = /** @type {HTMLElement[]} */ ([...item.children]);
    if (!who || !what || !card) return;
    const isNext = seat === me && seatState === 'WATCHING';
    const isOver = isGameOver(person);
    set(item, { 'data-own': seat === me, 'data-colour': colours(seat), 'data-state': seatState });
    set(item, { 'data-done': isOver });
    writeName(who, seat === me ? strings.you(name) : name, programAt(person), colours(seat));
    set(what, { text: isNext ? strings.OPEN_RACE.turn : strings.OPEN_RACE.states[seatState] });
    set(card, { 'data-back': isOver || seatState === 'RACING' });
  });
}

/** @param {App} app @param {() => void} showBoards scrolls to the boards */
function makeView(app, showBoards) {
  const words = strings.OPEN_RACE;
  const head = h('h2', { class: 'window-head', id: 'window-head' });
  const left = h('p', { class: 'window-figures', id: 'window-left' });
  const ordinal = h('b');
  const ofAll = h('span');
  const place = h('p', { class: 'window-figures', id: 'window-place' }, ordinal, ' ', ofAll);
  const until = h('p', { class: 'text-small', id: 'window-until' });
  const last = h('a', { class: 'text-small', id: 'window-last', text: words.last });
  const about = h('div', { class: 'stack' }, head, place, left, until, last);
  const invitation = bindInvitation();
  const panel = h('div');

  const played = h('h3');
  const note = h('small', { class: 'text-note', text: words.faceDown });
  const boards = h('button', { id: 'window-boards', text: words.boards, onclick: showBoards });
  const top = h('header', {}, played, note, boards);
  const players = h('ul', { class: 'pane-rows', id: 'window-players' });
  const results = h('div'); // the place of the standings, above the other players
  const list = h('section', { class: 'pane pane-lit window-list' }, top, results, players);
  const element = h('section', { class: 'window', id: 'window' }, about, list, panel);
  set(element, { hidden: true, 'aria-labelledby': head.id });
  element.append(invitation.dialog);

  const title = h('b', { id: 'window-title' });
  const rest = h('span', { id: 'window-rest' });
  const begin = h('button', {
    ...{ id: 'begin', 'data-kind': 'primary', text: words.begin },
    onclick() {
      app.sound.wake(); // browsers permit sound only in the event of a press
      app.send({ type: 'chase' });
    },
  });
  const sending = { id: 'invite', 'data-kind': 'primary', onclick: invitation.invite };
  const invite = h('button', { ...sending, text: words.invite });
  const bar = h('div', { class: 'bar' }, h('p', {}, title, ' ', rest), invite, begin);
  const count = h('p', { class: 'pill', id: 'window-count' });
  const ofAbout = { head, left, place, ordinal, ofAll, until, last, invitation, panel };
  const ofList = { played, note, boards, players, results };
  return { element, ...ofAbout, ...ofList, bar, title, rest, begin, invite, count };
}

/** Draw the texts around the lists: before this player's game the time left and the rules, after it their place. @param {View} view @param {State} state @param {number} nowMs the server's time */
function drawAbout(view, state, nowMs) {
  const { room } = state;
  if (!room || !isOpenRaceOn(room)) return;
  const words = strings.OPEN_RACE;
  const { settings, round, seats, match } = room;
  const end = round?.t_end ?? 0;
  const time = strings.dayLeft(Math.max(0, end - nowMs));
  const isOver = isGameOver(mySeat(state));
  const own = ownRow(state);
  const place = isOver && own && shownPlace(own);
  set(view.place, { hidden: !place });
  set(view.left, { hidden: Boolean(place) });
  set(view.ordinal, { text: strings.ordinal(place || 0) });
  set(view.ofAll, { text: strings.ofSoFar(state.standings.length) });
  writeFigures(view.left, time);
  const rules = strings.rulesLine({ ...settings, window_s: null }, room.played + 1);
  const others = seats.filter((each) => each.role === 'player' && !isGameOver(each));
  const news = [gapOf(state), place && others.length > 0 && strings.mayPass(others.length, time)];
  const facts = `${rules} · ${strings.openUntil(end)}`;
  set(view.until, { text: isOver ? news.filter(Boolean).join(' ') : facts });
  const known = settings.deal !== 'secret' && !amHost(state) ? ` ${strings.KNOWN_DEAL}` : '';
  set(view.title, { text: isOver ? words.done : words.title });
  set(view.rest, { text: isOver ? strings.mayChange(end) : words.about + known });
  set(view.begin, { hidden: !mayChase(state) });
  set(view.invite, { hidden: !isOver || settings.locked });
  const n = match?.n.at(-1);
  set(view.last, { hidden: n === undefined, href: `/r/${room.code}/${n}` });
}

/** Bind the page of an open race. @param {App} app @param {() => void} showBoards scrolls to the boards */
export function bindOpenRace(app, showBoards) {
  const view = makeView(app, showBoards);
  const { element, bar, count, results, invitation } = view;
  const drawTimes = () => drawAbout(view, app.state(), app.now());

  return {
    ...{ element, bar, count, results },
    /** @param {State} state */
    update(state) {
      const { room } = state;
      const isOpen = isOpenRaceOn(room);
      for (const part of [element, bar]) set(part, { hidden: !isOpen || plays(state) });
      count.hidden = !isOpen || !plays(state);
      if (!room || !isOpen) return;
      invitation.update(state, room, room.settings.locked ? null : view.panel);
      drawTimes();
      set(view.head, {
        text: strings.raceOf(room.seats.find(({ seat }) => seat === room.host)?.name),
      });
      const all = room.seats.filter(({ role }) => role === 'player');
      const done = all.filter(isGameOver).length;
      for (const line of [count, view.played])
        set(line, { text: strings.havePlayed(done, all.length) });
      set(view.note, { hidden: state.standings.length > 0 });
      set(results, { hidden: state.standings.length === 0 });
      set(view.boards, { hidden: watchable(state).length === 0 });
      drawPlayers(view.players, room, state);
    },
    unbind: every(TICK_MS, drawTimes),
  };
}
