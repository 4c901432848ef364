// The bar at the foot of the room: the host's changes, the players whom the race waits for, and the
// buttons that start it. The bar stays in view on every screen.

import { amHost, isPractice, mySeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/ask.js';
import { h, write } from '../widgets/element.js';
import { shareHeight } from '../widgets/room-parts.js';
import { rememberSeen } from './changes.js';
import { makeDealSearch } from './deal-search.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** The time within which the server usually answers. */
const ANSWER_MS = 500;

/**
 * Bind the bar.
 * @param {App} app
 * @param {HTMLElement} changes the line of what the host has changed
 * @param {HTMLElement} invite the button that stands beside Ready
 */
export function bindReadyBar(app, changes, invite) {
  const words = strings.ROOM;
  const waiting = h('p', { class: 'ready-bar-waiting', id: 'waiting' });
  const ready = h('button', {
    class: 'ready-bar-ready',
    id: 'ready',
    'data-kind': 'primary',
    'aria-describedby': 'waiting',
    onclick: makeReadyToggle(app),
  });
  const start = h('button', { id: 'start', text: words.start, onclick: () => startRace(app) });
  const element = h(
    'div',
    { class: 'ready-bar' },
    h('div', { class: 'ready-bar-words' }, changes, waiting),
    h('div', { class: 'ready-bar-buttons' }, ready, start, invite),
  );
  const unbindHeight = shareHeight(element);
  const search = makeDealSearch(() => {
    write(waiting, words.dealSearch);
    app.readOut(words.dealSearch);
  });
  return {
    element,
    /** Draw the bar. @param {State} state @param {RoomView} room */
    update(state, room) {
      search.update(state);
      const awaited = isPractice(room) ? '' : strings.waitingFor(room, state.me?.seat);
      if (!search.isShown()) write(waiting, awaited);
      drawButtons(ready, start, state, room);
      // Nothing starts without friends: a lone player invites them first.
      const awaitsFriends = isAlone(room) && !isPractice(room);
      element.toggleAttribute('data-awaits', awaitsFriends);
      invite.dataset.kind = awaitsFriends ? 'primary' : 'plain';
      if (awaitsFriends) ready.dataset.kind = 'plain';
    },
    /** Focus the next button, for players with a keyboard; a focus that is elsewhere stays. */
    takeFocus() {
      if (document.activeElement !== document.body) return;
      const next = [ready, start, invite].find(({ dataset }) => dataset.kind === 'primary');
      (next ?? ready).focus({ preventScroll: true });
    },
    unbind() {
      search.unbind();
      unbindHeight();
    },
  };
}

/** Return whether a room has at most one player. @param {RoomView} room */
const isAlone = ({ seats }) => seats.filter(({ role }) => role === 'player').length < 2;

/** Draw what this player can do. @param {HTMLElement} ready @param {HTMLElement} start @param {State} state @param {RoomView} room */
function drawButtons(ready, start, state, room) {
  const words = strings.ROOM;
  const ownSeat = mySeat(state);
  const isReady = ownSeat?.state === 'READY';
  write(ready, isReady ? words.unready : ownSeat?.role === 'player' ? words.ready : words.sit);
  // In a room that is not for practice a lone player waits for friends.
  const startsAlone = isAlone(room) && isPractice(room);
  ready.dataset.kind = isReady || startsAlone ? 'plain' : 'primary';
  write(start, isAlone(room) ? words.startAlone : words.start);
  start.hidden = !amHost(state) || ownSeat?.role !== 'player';
  start.dataset.kind = startsAlone || (isReady && !isAlone(room)) ? 'primary' : 'plain';
}

/** Return the click handler that makes this player ready or not ready; a double click counts once. @param {App} app */
function makeReadyToggle(app) {
  /** The seat at the latest click. Each answer of the server brings a new object for it. */
  let seatThen = mySeat(app.state());
  let clickedAt = -ANSWER_MS;
  return (/** @type {MouseEvent} */ { detail }) => {
    app.sound.wake();
    const { room } = app.state();
    const seat = mySeat(app.state());
    const isUnanswered = seat === seatThen && performance.now() - clickedAt < ANSWER_MS;
    if (detail > 1 || isUnanswered) return;
    seatThen = seat;
    clickedAt = performance.now();
    const ready = seat?.state !== 'READY';
    if (room) rememberSeen(room, ready);
    app.send({ type: 'ready', ready });
  };
}

/** Start the race, after a question if players would only watch it. @param {App} app */
async function startRace(app) {
  app.sound.wake();
  const state = app.state();
  const others = (state.room?.seats ?? []).filter(
    (seat) => seat.role === 'player' && seat.state !== 'READY' && seat.seat !== state.me?.seat,
  );
  const text = strings.onlyWatch(others.length);
  if (others.length > 0 && !(await ask({ ...strings.ASK.start, text }))) return;
  if (mySeat(app.state())?.state === 'SEATED') app.send({ type: 'ready', ready: true });
  if (app.state().room?.state === 'LOBBY') app.send({ type: 'start' });
}
