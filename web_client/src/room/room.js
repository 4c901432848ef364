// The room before the race: the invitation, the players, the settings and the rules.

import { strings } from '../core/language.js';
import { amHost, mySeat } from '../core/reducer.js';
import { removePlayer } from '../race/host-controls.js';
import { bindTally } from '../results/tally.js';
import { ask } from '../shared/ask.js';
import { copyButton, shareButton } from '../shared/copy-button.js';
import { h, keyed, write } from '../shared/element.js';
import { fairLine } from '../shared/fair.js';
import { languageField } from '../shared/language-field.js';
import { linkFor, linkWarning } from '../shared/links.js';
import { makeSteadyDraw } from '../shared/steady.js';
import { bindChanges, rememberSeen } from './changes.js';
import { forgetSent } from './configure.js';
import { bindMatch } from './match.js';
import { bindRules } from './rules.js';
import { bindSettings, markChanged, refuseSettings, updateSettings } from './settings.js';

/**
 * @import {RoomView, SeatView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 * @typedef {ReturnType<typeof makeInvitation>} Invitation
 * @typedef {ReturnType<typeof makePlayers>} Players
 * @typedef {ReturnType<typeof makeSettings>} SettingsPanel
 * @typedef {object} Room
 * @property {App} app
 * @property {HTMLElement} element
 * @property {Invitation} invitation
 * @property {Players} players
 * @property {SettingsPanel} settings
 * @property {ReturnType<typeof bindMatch>} match
 * @property {ReturnType<typeof bindRules>} rules
 * @property {ReturnType<typeof bindTally>} tally
 * @property {number} latestNotice the number of the last notice that was shown
 */

/** The time within which the server usually answers. */
const ANSWER_MS = 500;

/** Bind the room. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindRoom(root, app) {
  const words = strings.ROOM;
  const invitation = makeInvitation(app);
  const players = makePlayers(app);
  const tally = bindTally();
  players.element.firstElementChild?.after(tally.element, tally.ofRoom);
  const settings = makeSettings(app);
  const match = bindMatch(app);
  const rulesRoot = h('div');
  const rules = bindRules(rulesRoot);
  const element = h(
    'div',
    { class: 'page room' },
    invitation.element,
    players.element,
    h('div', { id: 'chat-place' }),
    settings.element,
    match.element,
    h(
      'details',
      { class: 'panel room-rules', open: true },
      h('summary', {}, h('h2', { text: words.rules })),
      rulesRoot,
    ),
    languageField(app),
  );
  root.replaceChildren(element);
  const latestNotice = app.state().notice?.n ?? 0;
  /** @type {Room} */
  const room = { app, element, invitation, players, settings, match, rules, tally, latestNotice };
  const update = makeSteadyDraw(element, () => {
    const state = app.state();
    if (state.room) draw(room, state, state.room);
    showRefusal(room, state);
  });
  return { update, unbind() {} };
}

/** Make the link to the room, as text and as QR code. @param {App} app */
function makeInvitation(app) {
  const words = strings.ROOM;
  const link = h('input', { id: 'share-link', readonly: true, 'aria-label': words.link });
  const copy = copyButton('copy', link, app.announce);
  copy.classList.add('primary');
  const code = h('p', { class: 'room-code room-code-big', id: 'room-code' });
  const picture = h('img', { class: 'room-qr', id: 'qr', alt: words.qr, width: 132, height: 132 });
  const element = h(
    'section',
    { class: 'panel room-share', 'aria-labelledby': 'share-title' },
    h('h2', { id: 'share-title', text: words.invite }),
    h(
      'div',
      { class: 'room-sharing' },
      picture,
      h(
        'div',
        {},
        h('p', { class: 'small-text', text: words.code }),
        code,
        h('div', { class: 'inline-form' }, link, copy, shareButton('share', link)),
        linkWarning(),
      ),
    ),
  );
  return { element, link, code, picture };
}

/** Make the lists of players and spectators, and the buttons that start the race. @param {App} app */
function makePlayers(app) {
  const words = strings.ROOM;
  const list = h('ul', { class: 'player-list', id: 'players' });
  const watcherCount = h('summary');
  const watcherList = h('ul', { class: 'player-list', id: 'watchers' });
  const watchers = h('details', { class: 'room-watchers' }, watcherCount, watcherList);
  const waiting = h('p', { class: 'small-text', id: 'waiting' });
  const changes = bindChanges();
  const ready = h('button', { id: 'ready', type: 'button', class: 'primary' });
  ready.addEventListener('click', makeReadyToggle(app));
  const start = h('button', { id: 'start', type: 'button', text: words.start });
  start.addEventListener('click', () => startRace(app));
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  leave.addEventListener('click', app.leave);
  const fair = fairLine();
  const element = h(
    'section',
    { class: 'panel room-players', id: 'room-players', 'aria-labelledby': 'players-title' },
    h('h2', { id: 'players-title', text: words.players }),
    list,
    waiting,
    ...changes.elements,
    h('div', { class: 'buttons wide' }, ready, start),
    h('div', { id: 'notify-place' }),
    leave,
    watchers,
    fair,
  );
  return {
    element,
    list,
    watchers,
    watcherCount,
    watcherList,
    waiting,
    changes,
    ready,
    start,
    fair,
  };
}

/** Make the host's forms. @param {App} app */
function makeSettings(app) {
  const form = bindSettings(app);
  const element = h(
    'section',
    { class: 'panel room-settings', 'aria-labelledby': 'settings-title' },
    h('h2', { id: 'settings-title', text: strings.ROOM.settings }),
    form.element,
  );
  return { element, form };
}

/** Return what says that this player is ready, or no longer; a double click says it once. @param {App} app */
function makeReadyToggle(app) {
  /** The seat at the latest click. An answer brings another one, even of the same state as then. */
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

/** Draw the room. @param {Room} room @param {State} state @param {RoomView} view */
function draw({ app, element, invitation, players, settings, match, rules, tally }, state, view) {
  const url = linkFor(`/r/${view.code}`);
  if (invitation.link.value !== url) {
    invitation.link.value = url;
    invitation.picture.src = `/qr/${view.code}.svg`;
    write(invitation.code, strings.grouped(view.code));
  }
  const isHost = amHost(state);
  settings.element.hidden = !isHost;
  element.classList.toggle('room-hosting', isHost);
  updateSettings(settings.form, view.settings);
  const changed = players.changes.update(state, view);
  markChanged(settings.form, changed);
  rules.update(view.settings, changed);
  drawPlayers(app, players, state, view);
  players.fair.hidden = view.settings.deal !== 'secret';
  match.update(state);
  tally.update(state);
}

/** Draw the lists and the buttons below them. @param {App} app @param {Players} players @param {State} state @param {RoomView} view */
function drawPlayers(app, players, state, view) {
  const { list, watchers, watcherCount, watcherList, waiting, ready, start } = players;
  const seated = view.seats.filter((seat) => seat.role === 'player');
  const watching = view.seats.filter((seat) => seat.role !== 'player');
  for (const [parent, seats] of /** @type {const} */ ([
    [list, seated],
    [watcherList, watching],
  ]))
    keyed(
      parent,
      seats,
      (seat) => String(seat.seat),
      (seat) => makeSeat(app, seat),
      (row, seat) => updateSeat(row, seat, state),
    );
  watchers.hidden = watching.length === 0;
  write(watcherCount, strings.watcherCount(watching.length));
  write(waiting, strings.waitingFor(view, state.me?.seat));
  const words = strings.ROOM;
  const isHost = amHost(state);
  const ownSeat = mySeat(state);
  const isReady = ownSeat?.state === 'READY';
  const isAlone = seated.length < 2;
  write(ready, isReady ? words.unready : ownSeat?.role === 'player' ? words.ready : words.sit);
  // A room for one player is for practice; in any other room a lone player waits for friends.
  const isPractice = isAlone && view.settings.max_players === 1;
  ready.classList.toggle('primary', !isReady && !isPractice);
  write(start, isAlone ? words.startAlone : words.start);
  start.hidden = !isHost || ownSeat?.role !== 'player';
  start.classList.toggle('primary', isPractice || (isReady && !isAlone));
}

/** Make the row of a seat. @param {App} app @param {SeatView} seat */
function makeSeat(app, seat) {
  const kick = h('button', {
    type: 'button',
    class: 'quiet player-kick',
    text: '×',
    title: strings.HOST.kick,
    'aria-label': strings.kickLabel(seat.name),
    onclick: () => removePlayer(app, seat),
  });
  kick.dataset.action = 'kick';
  const row = h(
    'li',
    {},
    h('span', { class: 'player-dot', 'aria-hidden': 'true' }),
    h('span', { class: 'player-name' }),
    h('span', { class: 'player-tags' }),
    h('span', { class: 'player-badge' }),
    kick,
  );
  row.dataset.seat = String(seat.seat);
  return row;
}

/** Return a seat as it is shown: a player who has left is not ready. @param {SeatView} seat @returns {SeatView} */
const shownSeat = (seat) =>
  seat.state === 'READY' && seat.connection !== 'on' ? { ...seat, state: 'SEATED' } : seat;

/** Draw the row of a seat. @param {HTMLElement} row @param {SeatView} seat @param {State} state */
function updateSeat(row, seat, state) {
  const [, name, tags, badge, kick] = row.children;
  const isOwn = seat.seat === state.me?.seat;
  const words = strings.ROOM;
  const about = [isOwn && words.you, seat.seat === state.room?.host && words.host];
  if (seat.connection !== 'on') about.push(strings.seatConnection(seat));
  const shown = shownSeat(seat);
  row.dataset.state = shown.state;
  row.dataset.connection = seat.connection;
  if (name) write(name, seat.name);
  if (tags) write(tags, about.filter(Boolean).join(' · '));
  if (badge) write(badge, strings.seatState(shown));
  if (kick instanceof HTMLElement) kick.hidden = isOwn || !amHost(state);
}

/** Show in the form that the last change of the settings was refused. @param {Room} room @param {State} state */
function showRefusal(room, { notice, room: view }) {
  if (!notice || notice.n === room.latestNotice) return;
  room.latestNotice = notice.n;
  if (!/^(configure|settings)/.test(notice.command)) return;
  forgetSent();
  if (view) updateSettings(room.settings.form, view.settings);
  refuseSettings(room.settings.form, strings.sentence(notice));
}
