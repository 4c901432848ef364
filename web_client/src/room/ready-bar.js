// The bar at the foot of the room, which stays in view on every screen: the host's changes of the rules,
// the players whom the race waits for, and the buttons that start it or invite more players.

import { ABOUT_PEOPLE } from '../contract/protocol.js';
import { amHost, isPractice, mySeat } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/controls.js';
import { h, set, write } from '../widgets/element.js';
import {
  copyButton,
  linkFor,
  linkWarning,
  shareButton,
  shareHeight,
} from '../widgets/room-parts.js';
import { applies, differences, isOfPreset, presetOf } from './settings.js';

/**
 * @import {RoomView, Settings} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Name} from './settings.js'
 */

/** The time within which the server usually answers. */
const ANSWER_MS = 500;
/** The time after which a start that is not answered is explained. */
const EXPLAINED_MS = 700;
/** The most names in the sentence about the players whom the room waits for. */
const MAX_NAMES = 2;

/** Bind the bar and the invitation, whose dialog belongs on the screen, so that it goes with it. @param {App} app */
export function bindReadyBar(app) {
  const words = strings.ROOM;
  const { dialog, invite, showLink } = bindInvitation();
  const changes = h('p', { class: 'ready-bar-changes', id: 'changes', 'aria-live': 'polite' });
  const waiting = h('p', { class: 'ready-bar-waiting', id: 'waiting' });
  const ready = h('button', {
    class: 'ready-bar-ready',
    id: 'ready',
    'aria-describedby': 'waiting',
    onclick: makeReadyToggle(app),
  });
  const start = h('button', { id: 'start', onclick: () => startRace(app) });
  const inviteButton = h('button', {
    id: 'invite',
    text: words.inviteShort,
    title: words.invite,
    'aria-haspopup': 'dialog',
    onclick: invite,
  });
  const element = h(
    'div',
    { class: 'ready-bar' },
    h('div', { class: 'ready-bar-words' }, changes, waiting),
    h('div', { class: 'ready-bar-buttons buttons-cloth' }, ready, start, inviteButton),
  );
  const unbindHeight = shareHeight(element);
  /** Explains a start that waits for a deal. @type {ReturnType<typeof setTimeout> | undefined} */
  let explainer;
  let explains = false;
  /** Explain the wait. */
  function explain() {
    explains = true;
    write(waiting, words.dealSearch);
    app.readOut(words.dealSearch);
  }
  /** Forget the start that waited. */
  function forgetStart() {
    clearTimeout(explainer);
    explainer = undefined;
    explains = false;
  }
  return {
    element,
    dialog,
    invite,
    /** Draw the bar, and return the settings that have changed. @param {State} state @param {RoomView} room @returns {readonly Name[]} */
    update(state, room) {
      showLink(room);
      if (mayAwaitDeal(state)) explainer ??= setTimeout(explain, EXPLAINED_MS);
      else forgetStart();
      const own = mySeat(state);
      if (!explains) write(waiting, isPractice(room) ? '' : waitingText(room, state.me?.seat));
      const isReady = own?.state === 'READY';
      const isAlone = room.seats.filter(({ role }) => role === 'player').length < 2;
      // Nothing starts without friends: a lone player invites them first.
      const startsAlone = isAlone && isPractice(room);
      const awaitsFriends = isAlone && !isPractice(room);
      const startsNext = startsAlone || (isReady && !isAlone);
      const kind = (/** @type {boolean} */ isNext) => (isNext ? 'primary' : 'plain');
      set(element, { 'data-awaits': awaitsFriends });
      set(ready, {
        text: isReady ? words.unready : own?.role === 'player' ? words.ready : words.sit,
        'data-kind': kind(!isReady && !isAlone),
      });
      set(start, {
        text: isAlone ? words.startAlone : words.start,
        hidden: !amHost(state) || own?.role !== 'player',
        'data-kind': kind(startsNext),
      });
      set(inviteButton, { 'data-kind': kind(awaitsFriends) });
      return drawChanges(changes, state, room);
    },
    /** Focus the next button, for players with a keyboard; a focus that is elsewhere stays. */
    takeFocus() {
      if (document.activeElement !== document.body) return;
      const next = [ready, start, inviteButton].find(({ dataset }) => dataset.kind === 'primary');
      (next ?? ready).focus({ preventScroll: true });
    },
    unbind() {
      forgetStart();
      unbindHeight();
    },
  };
}

/** Return whom the room waits for. @param {RoomView} room @param {number | undefined} me the own seat */
function waitingText({ seats, settings }, me) {
  const words = strings.ROOM;
  const players = seats.filter(({ role }) => role === 'player');
  const unready = players.filter(({ state }) => state !== 'READY');
  if (players.length === 1) return words.alone;
  if (players.length > 1 && unready.length === 0) return words.everyoneReady;
  const others = unready.filter(({ seat }) => seat !== me).map(({ name }) => name);
  const isLong = others.length > MAX_NAMES + 1;
  const names = isLong
    ? [...others.slice(0, MAX_NAMES), strings.furtherPlayers(others.length - MAX_NAMES)]
    : others;
  const own = others.length < unready.length ? [words.awaited] : [];
  return strings.waitingFor([...names, ...own], settings.rounds > 1);
}

/** Return whether a start may wait some seconds for a deal that can be won. @param {State} state */
function mayAwaitDeal({ room, starting }) {
  const settings = room?.settings;
  return starting !== null && settings?.winnable === true && settings.deal === 'secret';
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

// What the host has changed since this player was ready or came in.

/**
 * The settings that this player saw when coming in, or last pressing Ready. They are kept outside of the
 * binding, which a change of the language replaces.
 * @type {{lobby: string, settings: Settings, ready: boolean} | null}
 */
let seen = null;

/** Return a name for this stay in the lobby. @param {RoomView} room */
const lobbyOf = ({ code, played }) => `${code} ${played}`;

/** Remember the settings as seen. @param {RoomView} room @param {boolean} ready whether the player is ready with them */
function rememberSeen(room, ready) {
  seen = { lobby: lobbyOf(room), settings: room.settings, ready };
}

/** Draw the line of the changes, and return the changed settings. @param {HTMLElement} line @param {State} state @param {RoomView} room */
function drawChanges(line, state, room) {
  const { settings } = room;
  if (seen?.lobby !== lobbyOf(room)) rememberSeen(room, false);
  const names = seen ? differences(seen.settings, settings) : [];
  const changed = names.filter((each) => applies(each, settings));
  const lostReady = seen?.ready && mySeat(state)?.state === 'SEATED';
  const again = lostReady ? `. ${strings.ROOM.readyAgain}` : '';
  write(line, changed.length > 0 ? changeText(room, changed) + again : '');
  return changed;
}

/** Return what the host has changed: the rules, and who can join. @param {RoomView} room @param {readonly Name[]} names */
function changeText({ host, seats, settings }, names) {
  const name = seats.find(({ seat }) => seat === host)?.name ?? strings.ROOM.host;
  const isolated = `\u2068${name}\u2069`; // so that a name from right to left does not turn the line
  const people = names.filter((each) => ABOUT_PEOPLE.includes(each));
  const rules = names.filter((each) => !people.includes(each));
  const others = people.filter((each) => each !== 'locked');
  const preset = rules.filter(isOfPreset).length > 1 ? presetOf(settings) : undefined;
  const named = preset ? rules.filter((each) => !isOfPreset(each)) : rules;
  return [
    preset && strings.CHANGED.preset(isolated, strings.PRESETS[preset]?.[0] ?? preset),
    named.length > 0 && strings.changedSettings(isolated, named, settings),
    people.includes('locked') && strings.CHANGED[settings.locked ? 'locked' : 'unlocked'](isolated),
    others.length > 0 && strings.changedSettings(isolated, others, settings),
  ]
    .filter(Boolean)
    .join('. ');
}

/** Bind the invitation: the link, the code and the QR code. Browsers that can share also offer the system's dialog. */
function bindInvitation() {
  const words = strings.ROOM;
  const link = h('input', { id: 'share-link', readonly: true, 'aria-label': words.link });
  // The page behind the dialog, with its status line, is not read out.
  const note = h('p', { class: 'text-small', id: 'invite-note', role: 'status' });
  const copy = copyButton('copy', link, (text) => write(note, text));
  copy.dataset.kind = 'primary';
  const code = h('p', { class: 'text-code text-code-big', id: 'room-code' });
  const size = { width: 168, height: 168 };
  const picture = h('img', { class: 'invitation-qr', id: 'qr', alt: words.qr, ...size });
  const close = h('button', {
    id: 'invite-close',
    text: words.closeInvitation,
    onclick: () => dialog.close(),
  });
  const dialog = h(
    'dialog',
    { class: 'invitation', id: 'invitation', 'aria-labelledby': 'invitation-title' },
    h('h2', { id: 'invitation-title', text: words.invite }),
    picture,
    h('p', { class: 'text-small', text: words.code }),
    code,
    h('div', { class: 'field-row' }, link, copy),
    linkWarning(),
    note,
    h('div', { class: 'buttons' }, shareButton('share', link), close),
  );
  return {
    dialog,
    /** Open the dialog. */
    invite() {
      write(note, '');
      dialog.showModal();
      copy.focus();
    },
    /** Show the link of a room. @param {RoomView} room */
    showLink(room) {
      set(link, { value: linkFor(`/r/${room.code}`) });
      set(picture, { src: `/qr/${room.code}.svg` });
      write(code, strings.grouped(room.code));
    },
  };
}
