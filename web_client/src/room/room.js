// The room before the race, drawn as a table: the seats around it, the rules in its middle, and beside it the
// invitation or the chat. The bar at the foot has the primary button, and says who is not ready.

import { fetchDocument, keepFetching } from '../page/loads.js';
import {
  amHost,
  EXPLAINED_MS,
  isForOne,
  isLone,
  isOpenRace,
  isPractice,
  mayAwaitDeal,
  mySeat,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { iconButton } from '../widgets/controls.js';
import { ask, makeMenu } from '../widgets/dialogs.js';
import { callAll, endLater, h, restartAnimation, set, writeItems } from '../widgets/element.js';
import { nameOfTable } from '../widgets/names.js';
import { bindInvitation } from '../widgets/sharing.js';
import { bindTableHead, leaveButton, makeSteadyDraw, shareHeight } from './frame.js';
import { bindMatch } from './match.js';
import { bindRules, updateRules } from './rules.js';
import { bindSeats, freeSeats, updateSeats } from './seats.js';
import { applies, differences, isOfPreset, presetOf } from './settings.js';

/**
 * @import {NumberedDeal, RoomView, Settings} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {Name} from './settings.js'
 * @import {State} from '../state/state.js'
 * @typedef {ReturnType<typeof bindReadyBar>} ReadyBar
 */

/** @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindRoom(root, app) {
  const page = makeRoomPage(app);
  const { head, seats, views, bar, rules, dealLabel } = page;
  root.replaceChildren(page.element);
  return {
    top: [head.leave, views.views, head.chip, seats.watchersButton, views.menu],
    update: makeSteadyDraw(page.element, () => drawRoom(page, app)),
    unbind: callAll(bar.unbind, views.unbind, rules.unbind, dealLabel.unbind),
  };
}

/** @param {App} app */
function makeRoomPage(app) {
  const invitation = bindInvitation(() => seats.addComputer);
  const seats = bindSeats(app, invitation.invite);
  const bar = bindReadyBar(app, invitation.invite);
  const rules = bindRules(app);
  const match = bindMatch(app);
  const dealLabel = bindDealLabel(); // whether a numbered deal can be won
  const middle = bindMiddle(rules.button, dealLabel.element);
  const head = bindHead(app, invitation);
  const views = bindTableHead(app, 'room');
  rules.element.prepend(match.element);
  const cloth = h('div', { class: 'room-cloth' }, middle.element, seats.element);
  const labelled = { id: 'room-players', 'aria-labelledby': 'table-title' };
  const table = h('section', { class: 'room-table', ...labelled }, cloth);
  const chat = h('div', { id: 'chat-place' });
  const side = h('aside', { class: 'stack room-side' }, chat);
  const floor = h('div', { class: 'room-floor' }, table, rules.element, side);
  const menus = [...seats.menus, middle.dialog, invitation.dialog];
  const element = h('div', { class: 'page room' }, floor, bar.element, ...menus);
  const places = { element, table, chat, side };
  const isNew = true; // until the page is drawn for the first time
  return { ...places, invitation, seats, bar, rules, match, dealLabel, middle, head, views, isNew };
}

/** Draw the room; the first time, move the focus too. @param {ReturnType<typeof makeRoomPage>} page @param {App} app */
function drawRoom(page, app) {
  const { element, bar, rules } = page;
  const state = app.state();
  const { room } = state;
  if (!room) return;
  const isAlone = isLone(room); // at most with computer players
  set(element, { 'data-lone': isAlone, 'data-alone': isForOne(room) });
  page.chat.hidden = isAlone;
  page.invitation.update(state, room, isAlone ? page.side : null);
  page.head.update(room, isAlone);
  page.views.update(state);
  const changed = changedSettings(room);
  drawChanges(app, room, changed);
  page.middle.update(room, changed);
  page.dealLabel.update(room);
  const barInvites = updateBar(bar, state, room);
  updateRules(rules, state, room, changed);
  const crowd = updateSeats(page.seats, state, room, !barInvites);
  set(page.table, { 'data-round': crowd }); // the styles place the seats around it
  page.match.update(state);
  if (!page.isNew) return;
  page.isNew = false;
  // Let players with a keyboard start at the primary button, unless they have already moved the focus.
  if (document.activeElement === document.body) bar.primary.focus({ preventScroll: true });
  if (!rules.element.hidden) rules.element.scrollIntoView({ block: 'start' });
}

const COPIED_MS = 2_000; // how long the head shows that the link was copied

/** Bind the leave button and the room's code. @param {App} app @param {ReturnType<typeof bindInvitation>} invitation */
function bindHead(app, { copyLink, invite }) {
  const leave = leaveButton(app.leave);
  const code = h('span');
  async function onclick() {
    if (!(await copyLink())) return invite(); // the browser refused: there the player can select the link
    set(code, { text: strings.COPY.copied });
    endLater(chip, 'copied', COPIED_MS, () => set(code, { text: chip.dataset.code ?? '' }));
  }
  const looks = { class: 'line pill text-code room-code', 'data-kind': 'quiet' };
  const chip = iconButton('copy', { ...looks, id: 'copy-code', onclick }, code);
  return {
    leave,
    chip,
    /** Show the code. @param {RoomView} room @param {boolean} isAlone if so, the invitation shows the code instead */
    update(room, isAlone) {
      const grouped = strings.grouped(room.code);
      const label = strings.copyLinkOf(grouped);
      if (chip.dataset.code !== grouped) set(code, { text: grouped });
      set(chip, { hidden: isAlone, 'data-code': grouped, 'aria-label': label, title: label });
      set(chip, { 'data-kept': Boolean(room.kept) });
      set(leave, { 'data-short': !isAlone });
    },
  };
}

/** Bind the middle of the table: its name and rules. @param {HTMLElement} rulesButton @param {HTMLElement} dealLabel */
function bindMiddle(rulesButton, dealLabel) {
  const { title: fairTitle, about } = strings.FAIR;
  const title = h('h2', { class: 'room-title', id: 'table-title' });
  const gist = h('p', { class: 'text-items room-gist', id: 'gist' });
  const menu = makeMenu('fair-deal', fairTitle, ...about.map((text) => h('p', { text })));
  const deck = h('span', { class: 'card room-deck', 'data-back': true, 'aria-hidden': 'true' });
  const looks = { class: 'line pill room-fair', 'data-kind': 'quiet', 'data-size': 'small' };
  const opening = { id: 'fair', 'aria-haspopup': 'dialog', onclick: menu.open };
  const fair = iconButton('lock', { ...looks, ...opening }, deck, fairTitle);
  return {
    element: h('div', { class: 'row room-middle' }, title, gist, rulesButton, fair, dealLabel),
    dialog: menu.dialog,
    /** Flash the line of rules when it changes. @param {RoomView} room @param {readonly Name[]} changed settings */
    update(room, changed) {
      const { settings, next_game: nextGame } = room;
      set(title, { text: nameOfTable(room) });
      const text = strings.rulesLine(settings, nextGame);
      const isNews = changed.length > 0 && gist.textContent !== '' && gist.textContent !== text;
      writeItems(gist, text);
      if (isNews) restartAnimation(gist, 'data-flash');
      fair.hidden = settings.deal !== 'secret'; // it explains how a secret deal can be checked
    },
  };
}

// The label of a numbered deal says whether it can be won. The page asks again while the server is still searching.

/** The shortest and the longest wait between two requests. Each wait is twice as long as the one before. */
const [FIRST_WAIT_MS, LAST_WAIT_MS] = [700, 24_000];

/** Return a key of all that affects whether the next deal can be won; '' if it has no number. @param {RoomView} room */
export function keyOfDeal({ code, settings, next_game: game }) {
  if (settings.deal !== 'numbered' || settings.number === null || game === null) return '';
  const { number, layout, auto_remove, relaxed_deal, exceptions } = settings;
  return [code, settings.game, number, game, layout, auto_remove, relaxed_deal, exceptions].join();
}

/** Bind the line that says whether a numbered deal can be won. */
function bindDealLabel() {
  const element = h('p', { class: 'text-small', id: 'deal-label', hidden: true });
  let deal = ''; // the key of the deal that the line is about, or ''
  let stop = () => {};

  /** Ask whether a room's deal can be won, until the server has done searching. @param {string} code of the room */
  function fetchLabel(code) {
    let waitMs = FIRST_WAIT_MS / 2; // doubled after each answer, even the first
    const fetchIt = () => fetchDocument(`/api/rooms/${code}/deal`);
    stop = keepFetching(fetchIt, (/** @type {NumberedDeal | null | undefined} */ found) => {
      const label = found?.searching ? 'searching' : found?.label;
      if (found && label) set(element, { text: strings.dealLabel(found.number, label) });
      element.hidden = !found;
      waitMs = Math.min(2 * waitMs, LAST_WAIT_MS);
      return found && !found.searching ? 0 : waitMs; // 0: no more requests
    }).stop;
  }

  return {
    element,
    /** Show the line for a room's deal, once the server has answered. @param {RoomView} room */
    update(room) {
      const next = keyOfDeal(room);
      if (next === deal) return;
      stop();
      deal = next;
      element.hidden = true;
      if (deal) fetchLabel(room.code);
    },
    unbind: () => stop(),
  };
}

// The bar at the foot of the room: who is not ready, and the buttons.

const ANSWER_MS = 500; // the server usually answers within this time
const MAX_NAMES = 2; // name at most this many players who are not ready

/** @param {App} app @param {() => void} invite opens the invitation */
function bindReadyBar(app, invite) {
  const waiting = h('p', { id: 'waiting' });
  const onready = makeReadyToggle(app);
  const ready = h('button', { id: 'ready', 'aria-describedby': 'waiting', onclick: onready });
  const start = h('button', { id: 'start', onclick: () => startRace(app) });
  const inviteButton = iconButton('share', { class: 'line', onclick: invite });
  const ticker = h('div', { class: 'room-ticker', id: 'chat-ticker' });
  const notify = h('div', { class: 'room-notify', id: 'notify-place' });
  const places = [ticker, waiting, notify];
  const element = h('div', { class: 'bar ready-bar' }, ...places, start, ready, inviteButton);
  const unbindHeight = shareHeight(element);
  const bar = {
    ...{ app, element, waiting, ready, start, inviteButton },
    primary: ready, // the button that does what this player most likely wants
    /** Runs until the page explains why the start takes long. @type {ReturnType<typeof setTimeout> | undefined} */
    explainTimer: undefined,
    explains: false, // whether this explanation replaces `waitingText`
    unbind() {
      dropExplanation(bar);
      unbindHeight();
    },
  };
  return bar;
}

/** Explain in the bar that the start waits until the server has found a deal. @param {ReadyBar} bar */
function explainWait(bar) {
  bar.explains = true;
  set(bar.waiting, { text: strings.DEAL_SEARCH });
  bar.app.readOut(strings.DEAL_SEARCH);
}

/** Remove the explanation of the wait, or cancel it before it is shown. @param {ReadyBar} bar */
function dropExplanation(bar) {
  clearTimeout(bar.explainTimer);
  bar.explainTimer = undefined;
  bar.explains = false;
}

/** @param {ReadyBar} bar @param {State} state @param {RoomView} room @returns {boolean} whether a button invites */
function updateBar(bar, state, room) {
  if (mayAwaitDeal(state)) bar.explainTimer ??= setTimeout(explainWait, EXPLAINED_MS, bar);
  else dropExplanation(bar);
  const text = isPractice(room) ? '' : waitingText(room, state.me?.seat);
  if (!bar.explains) set(bar.waiting, { text });
  return drawButtons(bar, state, room);
}

/** @param {ReadyBar} bar @param {State} state @param {RoomView} room @returns {boolean} whether a button invites */
function drawButtons(bar, state, room) {
  const { ready, start, inviteButton } = bar;
  const words = strings.ROOM;
  const own = mySeat(state);
  const isPlayer = own?.role === 'player';
  const isReady = own?.state === 'READY';
  const isAlone = room.seats.filter(({ role }) => role === 'player').length < 2;
  const isHost = amHost(state);
  const isOpen = isOpenRace(room); // the host can open it even without other players
  const mayStart = isHost && (isPlayer || isOpen); // a host who watches first has to press `ready`, to sit down
  let primary = isReady ? start : ready;
  if (isOpen) primary = isHost ? start : inviteButton;
  else if (isAlone) primary = isPractice(room) ? start : inviteButton; // a race needs other players
  bar.primary = primary;
  const large = isAlone || isOpen ? primary : ready; // `ready` stays large when `start` becomes primary
  for (const each of [start, ready, inviteButton])
    set(each, { 'data-kind': each === primary && 'primary', 'data-size': each === large && 'big' });
  let readyText = isPlayer ? words.ready : strings.JOIN.join;
  if (isReady) readyText = words.unready;
  set(ready, { text: readyText, hidden: isOpen || (isAlone && mayStart) });
  const startText = isAlone ? words.startAlone : words.start;
  set(start, { text: isOpen ? strings.OPEN_RACE.open : startText, hidden: !mayStart });
  // Free seats have buttons that invite. If none is shown, the bar has such a button.
  const othersMayJoin = !isPractice(room) && !room.settings.locked;
  const isPrimary = primary === inviteButton;
  const invites = isPrimary || (othersMayJoin && freeSeats(room) === 0);
  set(inviteButton, { text: isPrimary ? words.sendInvitation : words.inviteShort });
  set(inviteButton, { hidden: !invites, id: invites ? 'invite' : null });
  return invites;
}

/** Return in words whom the room waits for. @param {RoomView} room @param {number | undefined} me this player's seat */
function waitingText({ seats, settings, host }, me) {
  const words = strings.ROOM;
  if (isOpenRace({ settings })) {
    const opener = seats.find(({ seat }) => seat === host)?.name ?? words.host;
    return host === me ? strings.OPEN_RACE.opensOwn : strings.OPEN_RACE.opens(opener);
  }
  const players = seats.filter(({ role }) => role === 'player');
  const unready = players.filter(({ state }) => state !== 'READY');
  if (players.length === 1) return words.alone;
  if (players.length > 1 && unready.length === 0) return words.everyoneReady;
  const others = unready.filter(({ seat }) => seat !== me).map(({ name }) => name);
  const isLong = others.length > MAX_NAMES + 1; // one more name is no longer than "and 1 more"
  const names = isLong
    ? [...others.slice(0, MAX_NAMES), strings.furtherPlayers(others.length - MAX_NAMES)]
    : others;
  const own = others.length < unready.length ? [words.awaited] : []; // "you" comes last
  return strings.waitingFor([...names, ...own]);
}

/** Return the click handler that makes this player ready or not ready; a double click counts once. @param {App} app */
function makeReadyToggle(app) {
  /** The latest click. Once the server has answered it, the seat is another object. */
  let last = { seat: mySeat(app.state()), at: -ANSWER_MS }; // no click yet
  return (/** @type {MouseEvent} */ { detail: clicks }) => {
    const { room } = app.state();
    const seat = mySeat(app.state());
    const at = performance.now();
    if (clicks > 1 || (seat === last.seat && at - last.at < ANSWER_MS)) return;
    last = { seat, at };
    const ready = seat?.state !== 'READY';
    // The player knows these settings: only later changes are news.
    if (room) lastSeen = { lobby: lobbyOf(room), settings: room.settings, wasReady: ready };
    app.send({ type: 'ready', ready });
  };
}

/** Start the race. Ask first if some players are not ready and so would only watch. @param {App} app */
async function startRace(app) {
  const state = app.state();
  if (isOpenRace(state.room)) return app.send({ type: 'start' });
  const others = (state.room?.seats ?? []).filter(({ seat }) => seat !== state.me?.seat);
  const unready = others.filter((each) => each.role === 'player' && each.state !== 'READY');
  const text = strings.onlyWatch(unready.length);
  if (unready.length > 0 && !(await ask({ ...strings.ASK.start, text }))) return;
  // The room may have changed while the question was open.
  if (mySeat(app.state())?.state === 'SEATED') app.send({ type: 'ready', ready: true });
  if (app.state().room?.state === 'LOBBY') app.send({ type: 'start' });
}

// The host's changes to the settings since this player came in or pressed Ready.

/**
 * The settings when this player came in or last pressed Ready. `wasReady`: whether they then were ready. `lobby`: as
 * `lobbyOf` returned it. A change of language makes the screen again, but keeps all of this.
 * @type {{lobby: string, settings: Settings, wasReady: boolean} | null}
 */
let lastSeen = null;

/** Return a key of the round that the players in the lobby are waiting for. @param {RoomView} room */
const lobbyOf = ({ code, played }) => `${code} ${played}`;

/** Return which settings have changed since this player saw them. @param {RoomView} room @returns {readonly Name[]} */
function changedSettings(room) {
  const { settings } = room;
  const lobby = lobbyOf(room);
  if (lastSeen?.lobby !== lobby) lastSeen = { lobby, settings, wasReady: false }; // just come in
  const names = differences(lastSeen.settings, settings);
  return names.filter((each) => applies(each, settings)); // a setting without an effect isn't news
}

/** Show the changed settings in the chat. @param {App} app @param {RoomView} room @param {readonly Name[]} changed */
function drawChanges(app, room, changed) {
  const line = document.getElementById('changes'); // in the chat
  if (!line) return;
  const state = app.state();
  // A change makes players unready, except in an open race, where that doesn't matter. Hosts know their own changes.
  const lostReady = lastSeen?.wasReady && !isOpenRace(room) && mySeat(state)?.state === 'SEATED';
  const lines = [!amHost(state) && changeText(room, changed), lostReady && strings.ROOM.readyAgain];
  const text = changed.length > 0 ? lines.filter(Boolean).join('. ') : '';
  if (text && text !== line.textContent) app.readOut(text);
  set(line, { text });
}

/** Describe the host's changes. @param {RoomView} room @param {readonly Name[]} names of the changed settings */
function changeText({ host, seats, settings }, names) {
  const name = seats.find(({ seat }) => seat === host)?.name ?? strings.ROOM.host;
  const isolated = `\u2068${name}\u2069`; // so that a right-to-left name does not reverse the line
  // If several changes amount to a preset, naming it is enough. `locked` has a sentence of its own.
  const preset = names.filter(isOfPreset).length > 1 ? presetOf(settings) : undefined;
  const named = names.filter((each) => each !== 'locked' && !(preset && isOfPreset(each)));
  const sentences = [
    preset && strings.CHANGED.preset(isolated, strings.PRESETS[preset]?.[0] ?? preset),
    names.includes('locked') && strings.CHANGED[settings.locked ? 'locked' : 'unlocked'](isolated),
    named.length > 0 && strings.changedSettings(isolated, named, settings),
  ];
  return sentences.filter(Boolean).join('. ');
}
