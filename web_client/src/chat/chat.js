// The chat: one window that moves from screen to screen.
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
import { setPageState } from '../page/page-state.js';
import { coloursOf } from '../state/seat-colours.js';
import { isForOne, programSeats } from '../state/state.js';
import { strings } from '../strings/language.js';
import { lineInput } from '../widgets/controls.js';
import { h, keyed, listen, write } from '../widgets/element.js';
import { writeName } from '../widgets/marks.js';
import { publishEmote } from './emotes.js';
import { reactionSign } from './reaction-signs.js';
import { makeReactions } from './reactions.js';

/**
 * @import {Said} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Emote} from './reaction-signs.js'
 * @typedef {{seat: number, name: string}} Speaker
 * @typedef {ReturnType<typeof makeChat>} Chat
 * @typedef {ReturnType<typeof makeView>} View
 * @typedef {object} Talk
 * @property {App} app
 * @property {(text: string) => void} sayLater shows a sentence in the status line once the last one has been read
 * @property {View} view
 * @property {boolean} open whether the window is open
 * @property {boolean} inline whether the screen has a place for the chat
 * @property {number} unread
 * @property {string} room its code
 * @property {number} receivedUpTo the event of the room up to which all messages were received
 * @property {number} oldUpTo the event up to which messages came before this page was loaded
 * @property {number} readUpTo the event up to which messages were shown
 * @property {string[]} sent the lines of this player that the server has not sent back yet
 * @property {number} latestNotice the number of the last notice that was shown
 * @property {Map<number, string>} muted the names of muted players, by seat
 * @property {Map<number, string>} speakers the names of the players who have written, by seat
 */

/** Windows without room for the chat beside or below the table: there it is behind its button. */
const NARROW = matchMedia('(max-width: 699px), (max-height: 480px) and (min-width: 560px)');
const MAX_MESSAGES = 200;
const MAX_BADGE = 99;
/** The log scrolls to new messages while its end is nearer than this. */
const NEAR_END_PX = 40;

/** Return the place in the page that the chat has on this screen, or null where it is a window. */
const placeOnScreen = () => (NARROW.matches ? null : document.getElementById('chat-place'));

/** Return the text of an emote; a newer server can have newer ones. @param {string} emote */
function emoteText(emote) {
  return strings.CHAT.emoteWords[/** @type {Emote} */ (emote)] ?? '…';
}

/** Make the chat, which is not on the page yet. @param {App} app @param {(text: string) => void} sayLater */
export function makeChat(app, sayLater) {
  const view = makeView((emote) => app.send({ type: 'say', emote }));
  /** @type {Talk} */
  const talk = {
    app,
    sayLater,
    view,
    open: false,
    inline: false,
    unread: 0,
    room: '',
    receivedUpTo: 0,
    oldUpTo: 0,
    readUpTo: 0,
    sent: [],
    latestNotice: 0,
    muted: new Map(),
    speakers: new Map(),
  };
  for (const button of [view.toggle, view.close])
    button.addEventListener('click', () => toggleWindow(talk));
  for (const button of view.emotes.querySelectorAll('button')) {
    const emote = /** @type {Emote} */ (button.dataset.emote);
    button.addEventListener('click', () => app.send({ type: 'say', emote }));
  }
  view.form.addEventListener('submit', (event) => {
    event.preventDefault();
    sendLine(talk);
  });
  listen(view.element, 'keydown', (event) => {
    if (event.key !== 'Escape' || talk.inline || !talk.open) return;
    event.stopPropagation();
    toggleWindow(talk);
  });
  document.body.append(view.element);
  // An open window stays open where it only changes its size.
  NARROW.addEventListener('change', () => {
    if ((placeOnScreen() !== null) !== talk.inline) moveToScreen(talk);
  });
  return {
    receivedUpTo: () => talk.receivedUpTo,
    /** Return the focused element, which keeps the focus when the window changes its place. */
    focused: () =>
      view.element.contains(document.activeElement)
        ? /** @type {HTMLElement} */ (document.activeElement)
        : null,
    moveToScreen: () => moveToScreen(talk),
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

/** Make the elements; `setWords` fills in the sentences. @param {(emote: Emote) => void} react sends an emote */
function makeView(react) {
  const reactions = makeReactions(react);
  const badge = h('span', { class: 'chat-badge', id: 'chat-badge', 'aria-hidden': 'true' });
  const title = h('span', { class: 'chat-title' });
  const toggle = h(
    'button',
    { class: 'icon chat-toggle', id: 'chat-toggle', 'aria-controls': 'chat-panel' },
    title,
    badge,
  );
  const log = h('div', { class: 'chat-log', id: 'chat-log', role: 'log', tabindex: 0 });
  const empty = h('p', { class: 'text-small' });
  const emotes = h('div', { class: 'chat-emotes', role: 'group' });
  for (const emote of Object.keys(strings.CHAT.emoteWords)) {
    const button = h('button');
    button.dataset.emote = emote;
    emotes.append(button);
  }
  const line = lineInput(LINE_LENGTH, { id: 'chat-line', autocomplete: 'off' });
  line.enterKeyHint = 'send';
  const send = h('button', { type: 'submit', id: 'chat-send' });
  const form = h('form', { class: 'field-row' }, line, send);
  const problem = h('p', { class: 'field-problem', id: 'chat-problem', role: 'alert' });
  const speakers = h('ul', { class: 'chat-speakers' });
  const muteTitle = h('summary');
  const mute = h('details', { class: 'chat-mute', id: 'chat-mute' }, muteTitle, speakers);
  const close = h('button', {
    class: 'chat-close',
    'data-kind': 'quiet',
    id: 'chat-close',
    text: '×',
  });
  const heading = h('h2', {});
  const head = h('div', { class: 'chat-head' }, heading, mute, close);
  const panel = h(
    'div',
    { class: 'chat-panel', id: 'chat-panel', hidden: true },
    ...[head, log, empty, emotes, form, problem],
  );
  const element = h(
    'section',
    { class: 'chat', id: 'chat', hidden: true },
    ...[reactions.open, toggle, reactions.signs, panel],
  );
  return {
    ...{ element, toggle, title, badge, panel, heading, mute, muteTitle, speakers, close },
    ...{ log, empty, emotes, reactions, form, line, send, problem },
  };
}

/** Write all sentences in the language of the page. @param {View} view */
function setWords(view) {
  const words = strings.CHAT;
  view.element.setAttribute('aria-label', words.title);
  write(view.title, words.title);
  write(view.heading, words.title);
  write(view.empty, words.empty);
  view.log.setAttribute('aria-label', words.log);
  view.emotes.setAttribute('aria-label', words.emotes);
  view.line.placeholder = words.placeholder;
  view.line.setAttribute('aria-label', words.placeholder);
  write(view.send, words.send);
  write(view.muteTitle, words.mute);
  view.close.setAttribute('aria-label', words.close);
  for (const button of view.emotes.querySelectorAll('button')) {
    const emote = button.dataset.emote ?? '';
    const text = emoteText(emote);
    const sign = reactionSign(emote);
    button.title = sign ? text : '';
    button.replaceChildren(sign ?? '', h('span', { text }));
  }
  view.reactions.setWords();
  for (const each of view.log.children)
    if (each instanceof HTMLElement && each.dataset.emote)
      write(each.children[1] ?? each, emoteText(each.dataset.emote));
}

/** Return whether the messages can be seen. @param {Talk} talk */
const isShown = ({ view, inline, open }) => !view.element.hidden && (inline || open);

/** Note that all messages so far are shown. @param {Talk} talk */
function read(talk) {
  talk.unread = 0;
  if (talk.receivedUpTo <= talk.readUpTo) return;
  talk.readUpTo = talk.receivedUpTo;
  storeChatRead(talk.room, talk.readUpTo);
}

/** Show or hide the panel, and the number of unread messages. @param {Talk} talk */
function draw(talk) {
  const { view, inline, open } = talk;
  view.panel.hidden = !inline && !open;
  view.toggle.hidden = inline;
  view.close.hidden = inline;
  const shown = isShown(talk);
  setPageState('chat', shown && !inline ? 'open' : 'closed');
  view.toggle.setAttribute('aria-expanded', String(open));
  if (shown) read(talk);
  write(view.badge, talk.unread > 0 ? String(Math.min(talk.unread, MAX_BADGE)) : '');
  view.toggle.setAttribute('aria-label', strings.chatUnread(talk.unread));
  if (shown) view.log.scrollTop = view.log.scrollHeight;
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
  const { view } = talk;
  const place = placeOnScreen();
  talk.inline = place !== null;
  (place ?? document.body).append(view.element);
  view.element.toggleAttribute('data-inline', talk.inline);
  if (!talk.inline) talk.open = false;
  setWords(view);
  draw(talk);
}

/** Send the written line; it stays in the field until the server has sent it back. @param {Talk} talk */
function sendLine(talk) {
  const { app, view } = talk;
  const text = view.line.value.trim();
  write(view.problem, '');
  if (!text) return;
  talk.sent.push(text);
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
function receive(talk, { v, seat, name, text, emote }) {
  const { app, view } = talk;
  const { log } = view;
  const code = app.state().room?.code;
  if (code && code !== talk.room) enterRoom(talk, code);
  if (v <= talk.receivedUpTo) return;
  talk.receivedUpTo = v;
  const isOld = v <= talk.oldUpTo;
  if (!isOld) storeChatReceived(talk.room, v);
  talk.speakers.set(seat, name);
  const words = text ?? emoteText(emote ?? '');
  const isOwn = seat === app.state().me?.seat;
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
  const speaker = h('b');
  const { room } = app.state();
  writeName(speaker, name, programSeats(room).get(seat), coloursOf(room)(seat));
  const item = h('p', {}, speaker, h('bdi', { text: words }));
  item.dataset.seat = String(seat);
  if (emote) item.dataset.emote = emote;
  item.toggleAttribute('data-own', isOwn);
  item.hidden = isMuted(talk.muted, seat, name);
  log.append(item);
  if (log.children.length > MAX_MESSAGES) log.firstElementChild?.remove();
  view.empty.hidden = true;
  if (emote && !item.hidden && !isOld) {
    publishEmote(seat, emote, words);
    if (!isOwn) app.sound.play('react');
  }
  if (isOwn && text !== null) clearSent(talk, text);
  if (isOwn || (isShown(talk) && atEnd && !item.hidden)) log.scrollTop = log.scrollHeight;
  if (isShown(talk)) read(talk);
  else if (!isOwn && !item.hidden && v > talk.readUpTo) {
    talk.unread += 1;
    draw(talk);
    if (!isOld) talk.sayLater(strings.says(name, words));
  }
}

/** Start the log of another room. @param {Talk} talk @param {string} code */
function enterRoom(talk, code) {
  talk.view.log.replaceChildren();
  talk.view.empty.hidden = false;
  talk.unread = 0;
  talk.speakers.clear();
  talk.room = code;
  talk.receivedUpTo = 0;
  // The store may have lost events that this browser has received.
  talk.oldUpTo = Math.min(chatReceivedIn(code) ?? Infinity, talk.app.state().room?.v ?? 0);
  talk.readUpTo = Math.min(chatReadIn(code) ?? talk.oldUpTo, talk.oldUpTo);
  talk.muted = mutedIn(code);
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
  const { view, speakers } = talk;
  const all = new Map(speakers);
  for (const { seat, name } of state.room?.seats ?? []) all.set(seat, name);
  all.delete(state.me?.seat ?? -1);
  view.mute.hidden = all.size === 0;
  /** @type {Speaker[]} */
  const list = Array.from(all, ([seat, name]) => ({ seat, name }));
  keyed(
    view.speakers,
    list,
    ({ seat, name }) => `${seat} ${name}`,
    (speaker) => {
      const button = h('button');
      button.addEventListener('click', () => toggleMuted(talk, speaker));
      return h('li', {}, button);
    },
    (item, { seat, name }) => {
      const [button] = item.children;
      const isSilent = isMuted(talk.muted, seat, name);
      button?.setAttribute('aria-pressed', String(isSilent));
      if (button) write(button, strings.muteVoice(name, isSilent));
    },
  );
}

/** Hide the messages of a player, or show them again. @param {Talk} talk @param {Speaker} speaker */
function toggleMuted(talk, { seat, name }) {
  const { app, view, room, muted } = talk;
  if (isMuted(muted, seat, name)) muted.delete(seat);
  else muted.set(seat, name);
  storeMuted(room, muted);
  for (const each of view.log.children)
    if (each instanceof HTMLElement)
      each.hidden = isMuted(
        muted,
        Number(each.dataset.seat),
        each.firstElementChild?.textContent ?? '',
      );
  drawSpeakers(talk, app.state());
}
