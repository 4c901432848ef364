// The chat: one window that moves from screen to screen. It is made anew in another language.
//
// Text of other players is inserted as text, never as HTML. This browser stores which players are muted.

import {
  chatReadIn,
  chatReceivedIn,
  isMuted,
  mutedIn,
  storeChatRead,
  storeChatReceived,
  storeMuted,
} from '../browser/storage.js';
import { LINE_LENGTH } from '../contract/protocol.js';
import { setPageState } from '../page/appearance.js';
import { coloursOf, isForOne, programSeats, screenOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { lineInput, writeName } from '../widgets/controls.js';
import { h, keyed, listen, set, write } from '../widgets/element.js';
import { emoteText, makeEmotes, publishEmote } from './reactions.js';

/**
 * @import {Said} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {ReturnType<typeof makeView>} View
 * @typedef {object} Talk
 * @property {App} app
 * @property {(text: string) => void} sayLater shows a sentence in the status line once the last one has been read
 * @property {View} view
 * @property {boolean} open whether the window is open
 * @property {boolean} inline whether the screen has a place for the chat
 * @property {string} room its code
 * @property {Said[]} messages the latest ones of the room
 * @property {number} receivedUpTo the event of the room up to which all messages were received
 * @property {number} oldUpTo the event up to which messages came before this page was loaded
 * @property {number} readUpTo the event up to which messages were shown
 * @property {string[]} sent the lines of this player that the server has not sent back yet
 * @property {number} latestNotice the number of the last notice that was shown
 * @property {Map<number, string>} muted the names of muted players, by seat
 */

/** Windows without room for the chat beside or below the table: there it is behind its button. */
const NARROW = matchMedia('(max-width: 699px), (max-height: 480px) and (min-width: 560px)');
const MAX_MESSAGES = 200;
const MAX_BADGE = 99;
/** The log scrolls to new messages while its end is nearer than this. */
const NEAR_END_PX = 40;

/** Return the place in the page that the chat has on this screen, or null where it is a window. */
const placeOnScreen = () => (NARROW.matches ? null : document.getElementById('chat-place'));

/** Make the chat, which has no place yet. @param {App} app @param {(text: string) => void} sayLater */
export function makeChat(app, sayLater) {
  /** @type {Talk} */
  const talk = {
    app,
    sayLater,
    view: makeView(() => talk),
    open: false,
    inline: false,
    room: '',
    messages: [],
    receivedUpTo: 0,
    oldUpTo: 0,
    readUpTo: 0,
    sent: [],
    latestNotice: 0,
    muted: new Map(),
  };
  listen(document, 'pointerdown', ({ target }) => talk.view.closeUnless(target));
  // An open window stays open where it only changes its size.
  NARROW.addEventListener('change', () => {
    if ((placeOnScreen() !== null) !== talk.inline) moveToScreen(talk);
  });
  return {
    receivedUpTo: () => talk.receivedUpTo,
    /** Return the focused element, which keeps the focus when the window changes its place. */
    focused: () =>
      talk.view.element.contains(document.activeElement)
        ? /** @type {HTMLElement} */ (document.activeElement)
        : null,
    /** Move the window to its place on a new screen, which may be in another language. */
    moveToScreen() {
      const { view } = talk;
      if (view.language !== document.documentElement.lang) {
        view.element.remove();
        talk.view = makeView(() => talk);
        talk.view.line.value = view.line.value;
        drawLog(talk);
        update(talk, app.state());
      }
      moveToScreen(talk);
    },
    /** Accept the events again that the store has lost. @param {number} v the latest event that it has */
    rejoined(v) {
      talk.receivedUpTo = Math.min(talk.receivedUpTo, v);
      talk.oldUpTo = Math.min(talk.oldUpTo, v);
      talk.readUpTo = Math.min(talk.readUpTo, v);
    },
    receive: (/** @type {Said} */ said) => receive(talk, said),
    update: (/** @type {State} */ state) => update(talk, state),
  };
}

/** Make the elements, in the language of the page. @param {() => Talk} talk */
function makeView(talk) {
  const words = strings.CHAT;
  const onclick = () => toggleWindow(talk());
  const { emotes, opener, closeUnless } = makeEmotes((emote) =>
    talk().app.send({ type: 'say', emote }),
  );
  const badge = h('span', { class: 'chat-badge', id: 'chat-badge', 'aria-hidden': 'true' });
  const toggle = h(
    'button',
    { class: 'icon chat-toggle', id: 'chat-toggle', 'aria-controls': 'chat-panel', onclick },
    h('span', { class: 'chat-title', text: words.title }),
    badge,
  );
  const speakers = h('div', { class: 'chat-speakers' });
  const mute = h(
    'details',
    { class: 'chat-mute', id: 'chat-mute' },
    h('summary', { text: words.mute }),
    speakers,
  );
  const close = h('button', {
    class: 'chat-close',
    id: 'chat-close',
    'data-kind': 'quiet',
    'aria-label': words.close,
    text: '×',
    onclick,
  });
  const log = h('div', {
    class: 'chat-log',
    id: 'chat-log',
    role: 'log',
    tabindex: 0,
    'aria-label': words.log,
    'data-empty': words.empty,
  });
  const line = lineInput(LINE_LENGTH, {
    id: 'chat-line',
    autocomplete: 'off',
    enterkeyhint: 'send',
    placeholder: words.placeholder,
    'aria-label': words.placeholder,
  });
  const form = h(
    'form',
    { class: 'field-row' },
    line,
    h('button', { type: 'submit', id: 'chat-send', text: words.send }),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sendLine(talk());
  });
  const problem = h('p', { class: 'field-problem', id: 'chat-problem', role: 'alert' });
  const head = h('div', { class: 'chat-head' }, h('h2', { text: words.title }), mute, close);
  const panel = h(
    'div',
    { class: 'chat-panel', id: 'chat-panel', hidden: true },
    ...[head, log, form, problem],
  );
  const element = h(
    'section',
    { class: 'chat', id: 'chat', hidden: true, 'aria-label': words.title },
    ...[opener, toggle, panel],
  );
  listen(element, 'keydown', (event) => {
    const { inline, open } = talk();
    if (event.key !== 'Escape' || inline || !open) return;
    event.stopPropagation();
    onclick();
  });
  const language = document.documentElement.lang;
  return {
    ...{ language, element, toggle, badge, panel, speakers, mute, close },
    ...{ log, emotes, closeUnless, form, line, problem },
  };
}

/** Return whether the messages can be seen. @param {Talk} talk */
const isShown = ({ view, inline, open }) => !view.element.hidden && (inline || open);

/** Return the number of unread messages of others. @param {Talk} talk */
const unreadOf = ({ app, messages, readUpTo, muted }) =>
  messages.filter(
    ({ v, seat, name }) =>
      v > readUpTo && seat !== app.state().me?.seat && !isMuted(muted, seat, name),
  ).length;

/** Note that all messages so far are shown. @param {Talk} talk */
function read(talk) {
  if (talk.receivedUpTo <= talk.readUpTo) return;
  talk.readUpTo = talk.receivedUpTo;
  storeChatRead(talk.room, talk.readUpTo);
}

/** Show or hide the panel, and the number of unread messages. @param {Talk} talk */
function draw(talk) {
  const { view, inline, open } = talk;
  const shown = isShown(talk);
  if (shown) read(talk);
  const unread = unreadOf(talk);
  setPageState('chat', shown && !inline ? 'open' : 'closed');
  set(view.panel, { hidden: !inline && !open });
  set(view.close, { hidden: inline });
  set(view.toggle, {
    hidden: inline,
    'aria-expanded': String(open),
    'aria-label': strings.chatUnread(unread),
  });
  write(view.badge, unread > 0 ? String(Math.min(unread, MAX_BADGE)) : '');
  if (shown) view.log.scrollTop = view.log.scrollHeight;
}

/** Draw the messages of all who are not muted. @param {Talk} talk */
function drawLog({ app, view, messages, muted }) {
  const { room, me } = app.state();
  keyed(
    view.log,
    messages.filter(({ seat, name }) => !isMuted(muted, seat, name)),
    ({ v }) => String(v),
    ({ seat, name, text, emote }) => {
      const speaker = h('b');
      writeName(speaker, name, programSeats(room).get(seat), coloursOf(room)(seat));
      const words = h('bdi', { text: text ?? emoteText(emote ?? '') });
      return h('p', { 'data-own': seat === me?.seat }, speaker, words);
    },
    () => {},
  );
}

/** Open the window, or close it. @param {Talk} talk */
function toggleWindow(talk) {
  const { view } = talk;
  const hadFocus = view.panel.contains(document.activeElement);
  talk.open = !talk.open;
  draw(talk);
  if (talk.open) view.line.focus();
  else if (hadFocus) view.toggle.focus();
}

/** Move the window to its place on the screen or, without one, to the edge of the page. @param {Talk} talk */
function moveToScreen(talk) {
  const place = placeOnScreen();
  const { element, toggle, panel, form, emotes } = talk.view;
  const isRace = screenOf(talk.app.state()) === 'race';
  talk.inline = place !== null;
  (place ?? document.body).append(element);
  set(element, { 'data-place': place ? 'screen' : isRace ? 'bar' : 'edge' });
  // In the race one press sends a reaction, without the window.
  if (isRace) toggle.after(emotes);
  else panel.insertBefore(emotes, form);
  if (!talk.inline) talk.open = false;
  draw(talk);
}

/** Send the written line; it stays in the field until the server has sent it back. @param {Talk} talk */
function sendLine({ app, view, sent }) {
  const text = view.line.value.trim();
  write(view.problem, '');
  if (!text) return;
  sent.push(text);
  app.send({ type: 'say', text });
}

/**
 * Remove a line that the server has sent back from the field, but no text that was written after it.
 * @param {Talk} talk
 * @param {string} text as the server has cleaned it
 */
function clearSent({ sent, view }, text) {
  // Earlier lines that did not come back were lost with their connection.
  const line = sent.splice(0, Math.max(sent.indexOf(text), 0) + 1).at(-1);
  const written = view.line.value.trimStart();
  if (line && written.startsWith(line)) view.line.value = written.slice(line.length).trimStart();
}

/** Add a message to the log. @param {Talk} talk @param {Said} said */
function receive(talk, said) {
  const { app, view } = talk;
  const { v, seat, name, text, emote } = said;
  const code = app.state().room?.code;
  if (code && code !== talk.room) enterRoom(talk, code);
  if (v <= talk.receivedUpTo) return;
  talk.receivedUpTo = v;
  const isOld = v <= talk.oldUpTo;
  if (!isOld) storeChatReceived(talk.room, v);
  const { log } = view;
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
  talk.messages = [...talk.messages, said].slice(-MAX_MESSAGES);
  drawLog(talk);
  const isOwn = seat === app.state().me?.seat;
  const isSilent = isMuted(talk.muted, seat, name);
  const words = text ?? emoteText(emote ?? '');
  if (emote && !isSilent && !isOld) {
    publishEmote(seat, emote, words);
    if (!isOwn) app.sound.play('react');
  }
  if (isOwn && text !== null) clearSent(talk, text);
  if (isOwn || (isShown(talk) && atEnd && !isSilent)) log.scrollTop = log.scrollHeight;
  if (isShown(talk)) read(talk);
  else if (!isOwn && !isSilent && v > talk.readUpTo) {
    draw(talk);
    if (!isOld) talk.sayLater(`${name}: ${words}`);
  }
}

/** Start the log of another room. @param {Talk} talk @param {string} code */
function enterRoom(talk, code) {
  talk.messages = [];
  talk.room = code;
  talk.receivedUpTo = 0;
  // The store may have lost events that this browser has received.
  talk.oldUpTo = Math.min(chatReceivedIn(code) ?? Infinity, talk.app.state().room?.v ?? 0);
  talk.readUpTo = Math.min(chatReadIn(code) ?? talk.oldUpTo, talk.oldUpTo);
  talk.muted = mutedIn(code);
  drawLog(talk);
}

/** Follow a state: the room, the players who can be muted, and a refusal of a line. @param {Talk} talk @param {State} state */
function update(talk, state) {
  const { view } = talk;
  view.element.hidden = !state.room || state.me === null || isForOne(state.room);
  if (!state.room) {
    if (document.body.dataset.chat === 'open') draw(talk);
    return;
  }
  if (state.room.code !== talk.room) enterRoom(talk, state.room.code);
  drawSpeakers(talk, state);
  const { notice } = state;
  if (notice && notice.n !== talk.latestNotice && notice.command === 'say') {
    talk.sent.length = 0;
    write(view.problem, strings.sentence(notice));
    if (!isShown(talk)) talk.app.announce(strings.sentence(notice)); // a reaction was refused
  }
  talk.latestNotice = notice?.n ?? 0;
}

/** Draw the list of the players who can be muted: all others who are in the room or have written. @param {Talk} talk @param {State} state */
function drawSpeakers(talk, state) {
  const { view, messages, muted } = talk;
  const all = new Map(messages.map(({ seat, name }) => [seat, name]));
  for (const { seat, name } of state.room?.seats ?? []) all.set(seat, name);
  all.delete(state.me?.seat ?? -1);
  view.mute.hidden = all.size === 0;
  keyed(
    view.speakers,
    [...all],
    ([seat, name]) => `${seat} ${name}`,
    ([seat, name]) => h('button', { onclick: () => toggleMuted(talk, seat, name) }),
    (button, [seat, name]) => {
      const isSilent = isMuted(muted, seat, name);
      const { mute, unmute } = strings.DO_TO;
      const text = isSilent ? unmute(name) : mute(name);
      set(button, { text, 'aria-pressed': String(isSilent) });
    },
  );
}

/** Hide the messages of a player, or show them again. @param {Talk} talk @param {number} seat @param {string} name */
function toggleMuted(talk, seat, name) {
  const { app, room, muted } = talk;
  if (isMuted(muted, seat, name)) muted.delete(seat);
  else muted.set(seat, name);
  storeMuted(room, muted);
  drawLog(talk);
  drawSpeakers(talk, app.state());
}
