// What a host does about the race and the people in the room. A dialog ends or aborts the race and removes players. A
// panel shows the requests to join. The page that somebody sees while they wait to be let in is here too.

import {
  amHost,
  coloursOf,
  controlsRace,
  isOpenRaceOn,
  isPlaying,
  programAt,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { checkBox, iconButton } from '../widgets/controls.js';
import { ask, makeDialog, showDialog } from '../widgets/dialogs.js';
import { h, keyed, set } from '../widgets/element.js';
import { keyOfSeat, writeName } from '../widgets/names.js';
import { bindKeeping } from './frame.js';
import { configure } from './settings.js';

/**
 * @import {RoomView, SeatView} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 */

const GRACES_S = [30, 60, 300]; // how long the others can still play after the host ends the race

/** Return a part that an element is known to have. @param {HTMLElement} whole @param {string} selector */
export const partOf = (whole, selector) =>
  /** @type {HTMLElement} */ (whole.querySelector(selector));

/**
 * Remove a player, but ask first, since it cannot be undone; the host may ban the person too. A computer player, which
 * has a level, can be added again, so the question only comes if it is racing.
 * @param {App} app @param {SeatView} seat
 */
export async function removePlayer(app, { seat, name, state, level }) {
  const isRacing = state === 'RACING';
  const question = { ...strings.ASK.kick, text: strings.kickText(name, isRacing), grave: true };
  if (level) {
    if (!isRacing || (await ask(question))) app.send({ type: 'kick', seat });
    return;
  }
  const { field: ban, label: option } = checkBox('kick-ban', strings.ADMISSION.ban);
  if (await ask({ ...question, option })) app.send({ type: 'kick', seat, ban: ban.checked });
}

/** Make the host's dialog: buttons that end or abort the race, the lock, and the list of people. @param {App} app */
function makeControls(app) {
  const words = strings.HOST;
  const abortAbout = h('p');
  const closing = { id: 'host-controls-close', onclick: () => dialog.close() };
  const close = h('button', closing, strings.BUTTONS.close);
  /** Close the dialog, and send a message that ends the race. @param {ClientMessage} message */
  function end(message) {
    dialog.close();
    app.send(message);
  }
  async function abandon() {
    if (await ask({ ...strings.ASK.abort, grave: true })) end({ type: 'abort' });
  }
  const aborting = { id: 'abort', 'data-kind': 'grave', text: strings.ASK.abort.yes };
  const abort = h('button', { ...aborting, onclick: abandon });
  const graces = GRACES_S.map((grace_s) => {
    const onclick = () => end({ type: 'end', grace_s }); // no question: the race has a result
    return h('button', { text: strings.duration(grace_s), 'data-grace': grace_s, onclick });
  });
  const setLock = () => configure(app, (now) => ({ ...now, locked: lock.field.checked }));
  const lock = checkBox('host-controls-lock', strings.SETTINGS.locked, setLock);
  const keeping = bindKeeping(app);
  keeping.element.addEventListener('click', () => dialog.close());
  const people = h('ul');
  const title = h('h2', { id: 'host-controls-title', text: words.title });
  const ends = h('div', { class: 'row' }, ...graces);
  const body = h('div', { class: 'stack' }, title, h('p', { text: words.end }), ends, abortAbout);
  body.append(abort, lock.label, keeping.element, people, h('div', { class: 'buttons' }, close));
  const dialog = makeDialog(title, { id: 'host-controls' }, body);
  return { app, dialog, abort, abortAbout, close, lock, keeping, people };
}

/** Bind the header button that opens the host's dialog. @param {App} app */
export function bindHostControls(app) {
  const controls = makeControls(app);
  const { dialog } = controls;
  function onclick() {
    drawControls(controls, app.state());
    showDialog(dialog);
  }
  const title = { id: 'host', class: 'header-tool', label: strings.HOST.title };
  const looks = { 'data-kind': 'quiet', 'aria-haspopup': 'dialog' };
  const button = iconButton('crown', { ...title, ...looks, onclick });
  return {
    button,
    /** Show the button to the host during a race, and keep an open dialog up to date. @param {State} state */
    update(state) {
      button.hidden = !controlsRace(state);
      if (button.hidden) dialog.close();
      else if (dialog.open) drawControls(controls, state);
    },
    unbind: () => dialog.close(),
  };
}

/** @param {ReturnType<typeof makeControls>} controls @param {State} state */
function drawControls({ app, abort, abortAbout, close, lock, keeping, people }, state) {
  const { room, standings } = state;
  // The server refuses to abort a round that a ranked player has won, since it counts.
  const isWon = standings.some((each) => each.won && each.place !== null);
  // Nor does it abort an open race once a person has started their game.
  const isStarted =
    isOpenRaceOn(room) && room?.seats.some((each) => !each.level && each.state !== 'WATCHING');
  const cannotAbort = Boolean(isWon || isStarted);
  if (cannotAbort && document.activeElement === abort) close.focus(); // or hiding it would lose the focus
  abort.hidden = cannotAbort;
  const reason = isStarted ? strings.OPEN_RACE.stays : strings.ROUND_WON;
  set(abortAbout, { text: cannotAbort ? reason : strings.HOST.abortAbout });
  set(lock.field, { checked: room?.settings.locked });
  keeping.update(state);
  drawPeople(app, people, state);
}

/**
 * Draw the list of everybody else in the room: players first, since there can be many spectators.
 * @param {App} app @param {HTMLElement} list @param {State} state
 */
function drawPeople(app, list, { room, me }) {
  const isOpen = isOpenRaceOn(room);
  const others = (room?.seats ?? []).filter(({ seat }) => seat !== me?.seat);
  // In an open race players leave and come back as they like. In others, a player who has left stays on the list while
  // a stand-in, a computer player, can still take over their game.
  const listed = others.filter((each) => isOpen || isPlaying(each) || each.connection !== 'gone');
  const colours = coloursOf(room);
  const make = (/** @type {SeatView} */ person) => makePerson(app, person);
  const order = (/** @type {SeatView} */ { role }) => (role === 'player' ? 0 : 1);
  const sorted = listed.toSorted((a, b) => order(a) - order(b));
  keyed(list, sorted, keyOfSeat, make, (row, person) => {
    const isGone = person.connection === 'gone';
    const inOpenRace = isOpen && strings.OPEN_RACE.states[person.state];
    const about = isGone ? strings.CONNECTIONS.gone : strings.SEAT_STATES[person.state];
    writeName(partOf(row, '.host-name'), person.name, programAt(person), colours(person.seat));
    set(partOf(row, '.text-small'), { text: inOpenRace || about });
    const mayStandIn = isGone && !person.level && !isOpen; // without its connection, a computer player's game is over
    partOf(row, '[data-action=stand-in]').hidden = !mayStandIn;
  });
}

/**
 * Make a button about one person in a list.
 * @param {string} action its `data-action` @param {'plain' | 'primary' | 'quiet'} kind
 * @param {string} text @param {string} label with the person's name, for screen readers
 * @param {() => void} onclick
 */
export function personButton(action, kind, text, label, onclick) {
  const looks = { 'data-action': action, 'data-kind': kind, 'data-size': 'small' };
  return h('button', { ...looks, text, 'aria-label': label, onclick });
}

/** Make a row with buttons that add a stand-in or remove the person. @param {App} app @param {SeatView} person */
function makePerson(app, person) {
  const { seat, name } = person;
  const labels = strings.DO_TO;
  const addStandIn = () => app.send({ type: 'add_stand_in', seat, level: 'club' });
  const remove = () => removePlayer(app, person);
  const row = h('li', { class: 'row host-person', 'data-seat': seat });
  row.append(h('bdi', { class: 'line host-name' }), ' ', h('span', { class: 'text-small' }));
  row.append(
    personButton('stand-in', 'quiet', strings.HOST.standIn, labels.standIn(name), addStandIn),
    personButton('kick', 'quiet', strings.ASK.kick.yes, labels.kick(name), remove),
  );
  return row;
}

/** Make the row for a person's request to join. @param {App} app @param {RoomView['waiting'][number]} request */
function makeRequest(app, { seat, name, role, kind }) {
  const words = strings.ADMISSION;
  const labels = strings.DO_TO;
  const admit = () => app.send({ type: 'admit', seat });
  const turnAway = () => app.send({ type: 'kick', seat }); // works for a waiting person too
  const who = h('bdi', { class: 'line host-name' });
  writeName(who, name, programAt({ kind })); // without a level, since no computer player asks to join
  const watches = role === 'spectator' && h('span', { class: 'text-small', text: words.watches });
  const yes = personButton('admit', 'primary', words.letIn, labels.letIn(name), admit);
  const no = personButton('turn-away', 'plain', words.turnAway, labels.turnAway(name), turnAway);
  return h('li', { class: 'row host-person', 'data-seat': seat }, who, ' ', watches, yes, no);
}

/** Show the host the requests to join, in a panel over the current screen. @param {App} app */
export function showRequests(app) {
  const state = app.state();
  const waiting = amHost(state) ? (state.room?.waiting ?? []) : [];
  const shown = document.getElementById('requests');
  if (waiting.length === 0) return shown?.remove();
  const id = 'requests-title';
  const looks = { class: 'pane host-requests', id: 'requests', 'aria-labelledby': id };
  const panel = shown ?? h('section', looks, h('h2', { id }), h('ul'));
  if (!shown) document.body.append(panel);
  set(partOf(panel, 'h2'), { text: strings.ADMISSION.asking });
  const { lang } = document.documentElement; // each request is drawn again in a new language
  const keyOf = (/** @type {RoomView['waiting'][number]} */ { seat }) => `${lang} ${seat}`;
  keyed(partOf(panel, 'ul'), waiting, keyOf, (request) => makeRequest(app, request));
}

/** Bind the page shown until the host lets a person in. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindWaiting(root, app) {
  const words = strings.ADMISSION;
  const about = h('p');
  const code = h('p', { class: 'text-code' });
  const leave = h('button', { id: 'leave', text: words.leave, onclick: app.leave });
  const title = h('h2', { id: 'waiting-title', text: words.waiting });
  const buttons = h('div', { class: 'buttons' }, leave);
  const looks = { class: 'pane', 'aria-labelledby': title.id };
  const pane = h('section', looks, title, about, code, buttons);
  root.replaceChildren(h('div', { class: 'page landing' }, pane));
  return {
    update({ room }) {
      if (!room) return;
      set(about, { text: strings.decides(room.seats[0]?.name ?? '') }); // the server sends only the host's seat
      set(code, { text: strings.grouped(room.code) });
    },
    unbind() {},
  };
}
