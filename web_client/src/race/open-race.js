// The page of an open race: each player starts their only game when they like. In place of the table it shows the time
// left, the invitation and one list of the players. The button at the foot starts this player's game. No results are
// shown until that game is over. While this player plays, one line says how many have played.

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
  timeLeftOf,
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
 * @typedef {ReturnType<typeof makePage>} Page
 */

const TICK_MS = 1_000;

/** Write a text into an element, with its numbers in bold. @param {Element} element @param {string} text */
function writeFigures(element, text) {
  if (element.textContent === text) return;
  const parts = text.split(/(\d+)/);
  element.replaceChildren(...parts.map((part) => (/\d/.test(part) ? h('b', {}, part) : part)));
}

/** Describe the gap between this player and the best of the others, or return ''. @param {State} state */
function gapOf(state) {
  const own = ownRow(state);
  const other = state.standings.find(({ seat }) => seat !== own?.seat);
  if (!own || !other || !shownPlace(own) || !shownPlace(other)) return '';
  const isByTime = own.won && other.won && state.room?.settings.ranking === 'first_home';
  const ahead = isByTime
    ? (other.finished_ms ?? 0) - (own.finished_ms ?? 0)
    : own.score - other.score;
  // Say nothing if this gap doesn't explain the places, which may depend on something else too.
  const isBetterPlaced = Number(own.place) < Number(other.place);
  if (ahead === 0 || isBetterPlaced !== ahead > 0) return '';
  return strings.openRaceGap(isByTime, ahead, other.name);
}

/** Make the row of a player without a result. Its card is an outline, and lies face down once they have started. */
function makePlayer() {
  const name = h('b', { class: 'grow text-cut', dir: 'auto' });
  const state = h('span', { class: 'text-small', 'data-part': 'state' });
  const card = h('i', { class: 'card window-card', 'aria-hidden': 'true' });
  return h('li', { class: 'pane-row line window-player' }, name, ' ', state, card);
}

/** Draw the players without a result: they have no standing. @param {HTMLElement} list @param {RoomView} room @param {State} state */
function drawPlayers(list, room, state) {
  const colours = coloursOf(room);
  const me = state.me?.seat;
  const shown = new Set(state.standings.map(({ seat }) => seat));
  const players = room.seats.filter(({ seat, role }) => role === 'player' && !shown.has(seat));
  keyed(list, players, keyOfSeat, makePlayer, (item, person) => {
    const { seat, name, state: seatState } = person;
    const [who, status, card] = /** @type {HTMLElement[]} */ ([...item.children]);
    if (!who || !status || !card) return;
    const mayBegin = seat === me && seatState === 'WATCHING';
    const isOver = isGameOver(person);
    set(item, { 'data-own': seat === me, 'data-colour': colours(seat), 'data-state': seatState });
    set(item, { 'data-done': isOver });
    writeName(who, seat === me ? strings.you(name) : name, programAt(person), colours(seat));
    set(status, { text: mayBegin ? strings.OPEN_RACE.turn : strings.OPEN_RACE.states[seatState] });
    set(card, { 'data-back': isOver || seatState === 'RACING' }); // once they have started
  });
}

/** Make the part about this player: the time left and the rules, or their place once they have played. */
function makeAbout() {
  const head = h('h2', { class: 'window-head', id: 'window-head' });
  const left = h('p', { class: 'window-figures', id: 'window-left' });
  const ordinal = h('b');
  const ofAll = h('span');
  const place = h('p', { class: 'window-figures', id: 'window-place' }, ordinal, ' ', ofAll);
  const text = h('p', { class: 'text-small', id: 'window-until' });
  const link = h('a', { class: 'text-small', id: 'window-last', text: strings.OPEN_RACE.last });
  const element = h('div', { class: 'stack' }, head, place, left, text, link);
  return { element, head, left, place, ordinal, ofAll, text, linkToLastRound: link };
}

/** Make the list of results and of the other players. @param {() => void} showBoards scrolls to the boards */
function makeList(showBoards) {
  const words = strings.OPEN_RACE;
  const played = h('h3');
  const note = h('small', { class: 'text-note', text: words.faceDown });
  const boards = h('button', { id: 'window-boards', text: words.boards, onclick: showBoards });
  const top = h('header', {}, played, note, boards);
  const players = h('ul', { class: 'pane-rows', id: 'window-players' });
  const results = h('div'); // `race.js` puts the standings here
  const looks = { class: 'pane pane-lit window-list' };
  const element = h('section', looks, top, results, players);
  return { element, played, note, boards, players, results };
}

/** Make the bar with the button that starts this player's game. @param {App} app @param {() => void} invite */
function makeBar(app, invite) {
  const words = strings.OPEN_RACE;
  const title = h('b', { id: 'window-title' });
  const rest = h('span', { id: 'window-rest' });
  const onclick = () => app.send({ type: 'chase' }); // in an open race all start like latecomers
  const primary = { 'data-kind': 'primary' };
  const begin = h('button', { id: 'begin', ...primary, text: words.begin, onclick });
  const send = h('button', { id: 'invite', ...primary, text: words.invite, onclick: invite });
  const element = h('div', { class: 'bar' }, h('p', {}, title, ' ', rest), send, begin);
  return { element, title, rest, begin, invite: send };
}

/** @param {App} app @param {() => void} showBoards scrolls to the boards */
function makePage(app, showBoards) {
  const invitation = bindInvitation();
  const [about, list] = [makeAbout(), makeList(showBoards)];
  const panel = h('div'); // for the invitation
  const looks = { class: 'window', id: 'window', hidden: true, 'aria-labelledby': about.head.id };
  const parts = [about.element, list.element, panel, invitation.dialog];
  const element = h('section', looks, ...parts);
  return { element, about, list, panel, invitation, bar: makeBar(app, invitation.invite) };
}

/** @param {Page['about']} about @param {State} state @param {RoomView} room @param {string} timeLeft in words */
function drawAbout(about, state, room, timeLeft) {
  const { settings, seats, match } = room;
  const hasPlayed = isGameOver(mySeat(state));
  const own = ownRow(state);
  const place = hasPlayed && own && shownPlace(own);
  set(about.place, { hidden: !place });
  set(about.left, { hidden: Boolean(place) });
  set(about.ordinal, { text: strings.ordinal(place || 0) });
  set(about.ofAll, { text: strings.ofSoFar(state.standings.length) });
  writeFigures(about.left, timeLeft);
  // The rules leave out how long the race is open: `openUntil` names its end.
  const rules = strings.rulesLine({ ...settings, window_s: null }, room.played + 1);
  const facts = `${rules} · ${strings.openUntil(room.round?.t_end ?? 0)}`;
  const others = seats.filter((each) => each.role === 'player' && !isGameOver(each));
  const mayPass = place && others.length > 0 && strings.mayPass(others.length, timeLeft);
  const news = [gapOf(state), mayPass].filter(Boolean).join(' ');
  set(about.text, { text: hasPlayed ? news : facts });
  const lastRound = match?.n.at(-1);
  const href = `/r/${room.code}/${lastRound}`;
  set(about.linkToLastRound, { hidden: lastRound === undefined, href });
}

/** @param {Page['bar']} bar @param {State} state @param {RoomView} room */
function drawBar(bar, state, room) {
  const words = strings.OPEN_RACE;
  const isOver = isGameOver(mySeat(state));
  const { deal, locked } = room.settings;
  const warns = deal !== 'secret' && !amHost(state); // warn the others that the host may know the deal
  const about = warns ? `${words.about} ${strings.KNOWN_DEAL}` : words.about;
  set(bar.title, { text: isOver ? words.done : words.title });
  set(bar.rest, { text: isOver ? strings.mayChange(room.round?.t_end ?? 0) : about });
  set(bar.begin, { hidden: !mayChase(state) }); // in an open race all start like latecomers
  set(bar.invite, { hidden: !isOver || locked });
}

/** @param {App} app @param {() => void} showBoards scrolls to the boards */
export function bindOpenRace(app, showBoards) {
  const { element, about, list, panel, invitation, bar } = makePage(app, showBoards);
  const count = h('p', { class: 'pill', id: 'window-count' });

  /** Draw the parts that depend on the time left. */
  function tick() {
    const state = app.state();
    const { room } = state;
    if (!room || !isOpenRaceOn(room)) return;
    const timeLeft = strings.dayLeft(timeLeftOf(room, app.now()) ?? 0);
    drawAbout(about, state, room, timeLeft);
    drawBar(bar, state, room);
  }

  return {
    ...{ element, bar: bar.element, results: list.results },
    count, // the line beside the table while this player plays: how many have played
    /** @param {State} state */
    update(state) {
      const { room } = state;
      const isOn = isOpenRaceOn(room);
      for (const part of [element, bar.element]) set(part, { hidden: !isOn || plays(state) });
      count.hidden = !isOn || !plays(state);
      if (!room || !isOn) return;
      invitation.update(state, room, room.settings.locked ? null : panel);
      tick();
      const host = room.seats.find(({ seat }) => seat === room.host);
      set(about.head, { text: strings.raceOf(host?.name) });
      const players = room.seats.filter(({ role }) => role === 'player');
      const text = strings.havePlayed(players.filter(isGameOver).length, players.length);
      for (const each of [count, list.played]) set(each, { text });
      const hasResults = state.standings.length > 0;
      set(list.note, { hidden: hasResults });
      set(list.results, { hidden: !hasResults });
      set(list.boards, { hidden: watchable(state).length === 0 });
      drawPlayers(list.players, room, state);
    },
    unbind: every(TICK_MS, tick),
  };
}
