// The chat: one panel that moves from screen to screen, and reactions, sent with one press. When the language changes,
// its elements are made again. Law: messages change the record `Talk`, and `draw` shows it.
//
// Other people's lines are inserted as text, never as HTML. The browser stores who is muted.

import * as storage from '../browser/storage.js';
import { LINE_LENGTH } from '../contract/protocol.js';
import { setPageState } from '../page/looks.js';
import { awaitsAdmission, coloursOf, isForOne, programSeats, screenOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { iconButton, lineInput } from '../widgets/controls.js';
import { h, keyed, listen, set, svg } from '../widgets/element.js';
import { writeName } from '../widgets/names.js';

/**
 * @import {RoomView, Said} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {Notice, State} from '../state/state.js'
 * @typedef {NonNullable<Said['emote']>} Emote
 * @typedef {(seat: number, emote: string, text: string) => void} Listener
 * @typedef {{id: string, words: () => string}} Note a line about people, between the messages
 * @typedef {Said | Note} Line
 * @typedef {ReturnType<typeof makeState> & {view: ReturnType<typeof makeView>}} Talk
 */

/** Screens without room for a chat beside or below the table: on these it is a single line in the bar at the bottom. */
const LOW =
  '(max-width: 719.9px) and (max-height: 739.9px), (max-height: 480px) and (min-width: 560px)';
const MAX_MESSAGES = 200;
const NEAR_END_PX = 40; // a log that is scrolled up further than this does not scroll to new messages
/** If the same line is sent twice within this time, before the first has come back, the Enter key was pressed twice. */
const ECHO_MS = 10_000;

/** Make the picture of an emote, as high as the text around it; null if only a newer server knows the emote. @param {string} emote its id */
export function reactionSign(emote) {
  if (!Object.hasOwn(strings.CHAT.emoteWords, emote)) return null;
  const size = { viewBox: '0 0 20 20', width: '1.25em', height: '1.25em' };
  const use = svg('use', { href: `/icons/reactions.svg#${emote}` });
  return svg('svg', { ...size, 'aria-hidden': 'true' }, use);
}

/** The listeners that show emotes beside their senders. @type {Set<Listener>} */
const listeners = new Set();

/** Call a listener for each emote that is received. @param {Listener} listener @returns {() => void} removes the listener */
export function onEmote(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Return a message's words; '…' for emotes only a newer server knows. @param {Pick<Said, 'text' | 'emote'>} said */
function wordsOf({ text, emote }) {
  return text ?? (emote && strings.CHAT.emoteWords[emote]) ?? '…';
}

let noteCount = 0; // gives each note an id

/** Return whether a line of the log is a message, not a note. @param {Line} line @returns {line is Said} */
const isMessage = (line) => 'v' in line;

/** Make a note. Its words are a function, since the language may change. @param {() => string} words @returns {Note} */
function makeNote(words) {
  noteCount += 1;
  return { id: `note ${noteCount}`, words };
}

/** Return the notes about a change of the room: people who join or leave, and a new host. @param {RoomView} old @param {RoomView} room @param {number} me this player's seat @returns {Note[]} */
function notesOf(old, room, me) {
  const seatIn = (/** @type {RoomView} */ { seats }, /** @type {number | null} */ number) =>
    seats.find(({ seat }) => seat === number);
  // People waiting to be admitted do not see the others.
  if (old.code !== room.code || !seatIn(old, me)) return [];
  const arrived = room.seats.filter(({ seat }) => !seatIn(old, seat));
  const gone = old.seats.filter(({ seat }) => !seatIn(room, seat));
  const namesOf = (/** @type {string} */ role) =>
    arrived.filter((each) => each.role === role).map(({ name }) => name);
  const [players, watchers] = [namesOf('player'), namesOf('spectator')];
  const host = old.host === room.host ? undefined : seatIn(room, room.host);
  // Each is a function, as for `makeNote`.
  const words = [
    players.length > 0 && (() => strings.joined(players)),
    watchers.length > 0 && (() => strings.watch(watchers)),
    ...gone.map((each) => () => strings.left(each.name)),
    host && (() => (host.seat === me ? strings.NEWS.host : strings.hosts(host.name))),
  ];
  return words.filter((each) => typeof each === 'function').map(makeNote);
}

/** Make a `Talk` without its `view`. @param {App} app @param {(words: () => string) => void} sayLater as in `makeChat` */
const makeState = (app, sayLater) => ({
  app,
  sayLater,
  lowScreen: matchMedia(LOW), // matches if the screen has room only for a line in the bar
  isInline: false, // whether the chat is always visible as part of the screen, and not a panel that opens
  isOpen: false, // whether the panel is open
  room: '', // the code of the room
  notedRoom: /** @type {RoomView | null} the last view that was searched for notes */ (null),
  messages: /** @type {readonly Line[]} the latest messages and notes of the room */ ([]),
  lines: /** @type {readonly Line[]} those that are shown: not by muted players */ ([]),
  receivedUpTo: 0, // the event number of the latest message received
  oldUpTo: 0, // the event number of the latest message from before this page was loaded
  readUpTo: 0, // the event number of the latest message shown
  sent: '', // the line that this player has sent, until the server sends it back
  sentAt: 0, // when it was sent, in local ms
  notice: /** @type {Notice | null} the state's latest notice that the chat has seen */ (null),
  muted: /** @type {Map<number, string>} the names of muted players, by seat */ (new Map()),
});

/**
 * Make the chat, which all screens share. `moveToScreen` moves it to the current screen.
 * @param {App} app
 * @param {(words: () => string) => void} sayLater shows a sentence in the status line once the last one has been read
 */
export function makeChat(app, sayLater) {
  /** @type {Talk} */
  const talk = { ...makeState(app, sayLater), view: makeView(() => talk) };
  listen(document, 'pointerdown', ({ target }) => {
    if (!talk.view.element.contains(target)) talk.view.opener.open = false; // closes the emotes
  });
  // `moveToPlace` closes the panel, so call it only if the new size gives the chat a new place.
  talk.lowScreen.addEventListener('change', () => {
    if (placeFor(talk) !== talk.view.element.parentElement) moveToPlace(talk);
  });
  return {
    receivedUpTo: () => talk.receivedUpTo,
    /** Return the chat's element that has the focus, or null. */
    focused: () => /** @type {HTMLElement | null} */ (talk.view.element.querySelector(':focus')),
    /** Move the chat to its place on a new screen, which may be in another language. */
    moveToScreen() {
      const { view } = talk;
      if (view.language !== document.documentElement.lang) {
        view.element.remove();
        talk.view = makeView(() => talk);
        talk.view.line.value = view.line.value;
        update(talk, app.state());
      }
      moveToPlace(talk);
    },
    /** Forget events after `v`, the latest that the server has: it may have lost them, and new ones reuse their numbers. @param {number} v */
    rejoined(v) {
      talk.receivedUpTo = Math.min(talk.receivedUpTo, v);
      talk.oldUpTo = Math.min(talk.oldUpTo, v);
      talk.readUpTo = Math.min(talk.readUpTo, v);
    },
    receive: (/** @type {Said} */ said) => receive(talk, said),
    update: (/** @type {State} */ state) => update(talk, state),
  };
}

/** Make the chat's elements, in the language of the page. @param {() => Talk} talk returns the chat, once it is made */
function makeView(talk) {
  const words = strings.CHAT;
  const press = () => togglePanel(talk());
  const wow = h('summary', { title: words.emotes }, reactionSign('wow'));
  const opener = h('details', { class: 'chat-react', id: 'react' }, wow);
  const badge = h('span', { class: 'chat-badge', id: 'chat-badge', 'aria-hidden': 'true' });
  const latest = h('span', { class: 'chat-latest text-cut', 'aria-hidden': 'true' });
  const opening = { id: 'chat-toggle', 'aria-controls': 'chat-panel', onclick: press };
  const looks = { class: 'line chat-toggle', title: words.title };
  const toggle = iconButton('chat', { ...looks, ...opening }, latest, badge);
  const inPanel = makePanel(talk, press);
  const naming = { id: 'chat', 'aria-label': words.title, onkeydown: closeByKey };
  const element = h('section', { class: 'chat', ...naming, hidden: true }, opener, toggle);
  element.append(inPanel.panel);

  /** On Escape, close the emotes or, if they are closed, the panel. The board does not get the key. @param {KeyboardEvent} event */
  function closeByKey(event) {
    const { isInline, isOpen } = talk();
    if (event.key !== 'Escape' || isInline || !(opener.open || isOpen)) return; // an inline chat never closes
    event.stopPropagation();
    if (opener.open) closeEmotes(talk());
    else press();
  }

  const language = document.documentElement.lang;
  return { language, element, toggle, badge, latest, opener, ...inPanel };
}

/** Make the row of buttons that send an emote. @param {() => Talk} talk returns the chat, once it is made */
function makeEmotes(talk) {
  const { emotes, emoteWords } = strings.CHAT;
  const buttons = Object.entries(emoteWords).map(([key, title]) => {
    const emote = /** @type {Emote} */ (key);
    const onclick = (/** @type {MouseEvent} */ event) => react(talk(), emote, event);
    return h('button', { title, 'data-emote': emote, onclick }, reactionSign(emote));
  });
  const looks = { class: 'line grow chat-emotes', id: 'emotes', role: 'group' };
  return h('div', { ...looks, 'aria-label': emotes }, ...buttons);
}

/** Make the panel: the log, the field for a line, and the buttons. @param {() => Talk} talk as in `makeView` @param {() => void} onclose */
function makePanel(talk, onclose) {
  const words = strings.CHAT;
  const emotes = makeEmotes(talk);
  const speakers = h('div', { class: 'row chat-speakers' });
  const muting = { class: 'icon line', '--icon': 'var(--icon-mute)', title: words.mute };
  const opensMute = h('summary', { ...muting, 'aria-label': words.mute });
  const mute = h('details', { class: 'chat-mute', id: 'chat-mute' }, opensMute, speakers);
  const closing = { class: 'top-icon', id: 'chat-close', 'data-kind': 'quiet', text: '×' };
  const close = h('button', { ...closing, 'aria-label': words.close, onclick: onclose });
  const logging = { id: 'chat-log', role: 'log', tabindex: 0, 'aria-label': words.log };
  const log = h('div', { class: 'chat-log', ...logging });
  const changes = h('p', { class: 'chat-changes text-note', id: 'changes' }); // the host's, of the settings: `drawChanges` fills it
  const typing = { id: 'chat-line', autocomplete: 'off', enterkeyhint: 'send' };
  const named = { placeholder: words.placeholder, 'aria-label': words.placeholder };
  const line = lineInput(LINE_LENGTH, { ...typing, ...named });
  const sending = { type: 'submit', id: 'chat-send', label: words.send, 'data-kind': 'quiet' };
  const onsubmit = () => sendLine(talk());
  const form = h('form', { class: 'field-framed', onsubmit }, line, iconButton('send', sending));
  const problem = h('p', { class: 'field-problem', id: 'chat-problem', role: 'alert' });
  const heading = h('h2', { class: 'grow', text: words.title });
  const head = h('div', { class: 'line chat-head' }, heading, close);
  const tools = h('div', { class: 'row' }, emotes, mute);
  const panel = h('div', { class: 'pane chat-panel', id: 'chat-panel' }, head, log, changes);
  panel.append(tools, form, problem);
  const drawn = /** @type {readonly Line[] | null} */ (null); // the lines of the log
  return { drawn, changes, panel, speakers, mute, close, log, emotes, tools, line, problem };
}

/** Return where the chat goes on this screen: its own place, a place for one line, the bar, or else the page. @param {Talk} talk */
const placeFor = ({ app, lowScreen }) =>
  (!lowScreen.matches && document.getElementById('chat-place')) ||
  document.getElementById('chat-ticker') ||
  (screenOf(app.state()) !== 'race' && document.querySelector('#screen .bar')) ||
  document.body;

/** Move the chat to its place on the screen, and close its panel. @param {Talk} talk */
function moveToPlace(talk) {
  const place = placeFor(talk);
  const { element, tools, opener, emotes } = talk.view;
  const isRace = screenOf(talk.app.state()) === 'race';
  talk.isInline = place.id === 'chat-place';
  if (place.matches('.bar')) place.firstElementChild?.after(element);
  else place.append(element);
  let look = isRace ? 'bar' : 'foot'; // in a race the chat is a bar, elsewhere a button at the foot
  if (talk.isInline) look = 'screen';
  else if (place.id === 'chat-ticker') look = 'line';
  set(element, { 'data-place': look });
  // In a race the emotes are outside the panel, so that one press sends a reaction.
  if (isRace) opener.after(emotes);
  else tools.prepend(emotes);
  talk.isOpen = false;
  opener.open = false;
  draw(talk);
  scrollToEnd(talk); // moving the log has reset its scroll position
}

/** Scroll to the latest messages. @param {Talk} talk */
function scrollToEnd({ view: { log } }) {
  log.scrollTop = log.scrollHeight;
}

/** Open the panel, scrolled to its latest message, or close it; move the focus. @param {Talk} talk */
function togglePanel(talk) {
  const { element, toggle, line } = talk.view;
  const hadFocus = element.contains(document.activeElement);
  talk.isOpen = !talk.isOpen;
  draw(talk);
  scrollToEnd(talk);
  if (talk.isOpen) line.focus();
  else if (hadFocus) toggle.focus();
}

/** Close the menu of emotes. If it was open, its button gets the focus. @param {Talk} talk */
function closeEmotes({ view: { opener } }) {
  if (opener.open) opener.querySelector('summary')?.focus();
  opener.open = false;
}

/** Send an emote. After a click (not a key) the board is focused again. @param {Talk} talk @param {Emote} emote @param {MouseEvent} event */
function react(talk, emote, { detail }) {
  talk.app.send({ type: 'say', emote });
  closeEmotes(talk);
  if (detail > 0) document.getElementById('board')?.focus({ preventScroll: true });
}

/** Return whether the messages are visible. @param {Talk} talk */
const isShown = ({ view, isInline, isOpen }) => !view.element.hidden && (isInline || isOpen);

/** Set the messages, and from them the lines to show: no muted player's. @param {Talk} talk @param {readonly Line[]} messages */
function setMessages(talk, messages) {
  talk.messages = messages.slice(-MAX_MESSAGES);
  talk.lines = talk.messages.filter(
    (each) => !isMessage(each) || !storage.isMuted(talk.muted, each.seat, each.name),
  );
}

/** If the messages are visible, mark them as read. @param {Talk} talk */
function markRead(talk) {
  if (!isShown(talk) || talk.receivedUpTo <= talk.readUpTo) return;
  talk.readUpTo = talk.receivedUpTo;
  storage.keepOf('read', talk.room, talk.readUpTo);
}

/** Draw the chat from its record: the log, the panel if it is open, the unread count and the latest line. @param {Talk} talk */
function draw(talk) {
  const { app, view, isInline, lines } = talk;
  markRead(talk);
  drawLog(talk);
  setPageState('chat', isShown(talk) && !isInline ? 'open' : 'closed');
  set(view.panel, { hidden: !isInline && !talk.isOpen });
  for (const each of [view.close, view.toggle]) set(each, { hidden: isInline });
  const me = app.state().me?.seat;
  const isUnread = (/** @type {Line} */ each) =>
    isMessage(each) && each.v > talk.readUpTo && each.seat !== me;
  const unread = lines.filter(isUnread).length;
  const label = strings.chatUnread(unread);
  set(view.toggle, { 'aria-expanded': String(talk.isOpen), 'aria-label': label });
  set(view.badge, { text: unread > 0 ? String(unread) : '' });
  const last = lines.at(-1);
  const text = last && (isMessage(last) ? `${last.name}: ${wordsOf(last)}` : last.words());
  const settingsNews = view.changes.textContent; // more important than any line
  set(view.latest, { text: settingsNews || text || strings.CHAT.title });
}

/**
 * Draw the log if its lines have changed. A line is drawn only once, so it stays the same even if its sender
 * leaves. The log scrolls to new lines if it was at its end, or if the last line is this player's.
 * @param {Talk} talk
 */
function drawLog(talk) {
  const { app, view, lines } = talk;
  const { log, drawn: before } = view;
  if (lines === before) return;
  view.drawn = lines;
  const { room, me } = app.state();
  const last = lines.at(-1);
  const isOwn = last && isMessage(last) && last.seat === me?.seat;
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
  const hello = { id: 'hello', words: () => strings.CHAT.hello };
  keyed(
    log,
    room?.state !== 'LOBBY' || lines.some(isMessage) ? lines : [hello, ...lines],
    (each) => (isMessage(each) ? String(each.v) : each.id), // `v` is the event's number
    (each) => makeLine(talk, each),
  );
  if (isAtEnd || (isOwn && last !== before?.at(-1))) scrollToEnd(talk);
}

/** Make a line of the log. @param {Talk} talk @param {Line} said */
function makeLine({ app }, said) {
  // Screen readers already read notes in the status line.
  const quiet = { class: 'text-note', 'aria-live': 'off' };
  if (!isMessage(said)) return h('div', { ...quiet, 'data-note': said.id, text: said.words() });
  const { room, me } = app.state();
  const { seat, name } = said;
  const colour = coloursOf(room)(seat);
  const speaker = h('b');
  writeName(speaker, name, programSeats(room).get(seat), colour);
  const looks = { 'data-colour': colour, 'data-own': seat === me?.seat };
  return h('p', looks, speaker, ' ', h('bdi', { text: wordsOf(said) }));
}

/** Send the line in the field, where it stays until the server has sent it back. @param {Talk} talk */
function sendLine(talk) {
  const { line, problem } = talk.view;
  const text = line.value.trim();
  set(problem, { text: '' });
  const isOnItsWay = text === talk.sent && performance.now() - talk.sentAt < ECHO_MS;
  if (!text || isOnItsWay || !talk.app.send({ type: 'say', text })) return;
  talk.sent = text;
  talk.sentAt = performance.now();
}

/** Remove from the field the line that the server has sent back, but leave later text. @param {Talk} talk */
function clearSentLine(talk) {
  const { line } = talk.view;
  const written = line.value.trimStart();
  if (written.startsWith(talk.sent)) line.value = written.slice(talk.sent.length).trimStart();
  talk.sent = '';
}

/**
 * Receive a message, show it and announce it.
 * @param {Talk} talk @param {Said} said
 * @returns {boolean} whether it is new to this player: not seen before, from somebody else, and not muted
 */
function receive(talk, said) {
  const { app } = talk;
  const { v, seat, name, text } = said;
  const { room, me } = app.state();
  if (room) followRoom(talk, room, me);
  if (v <= talk.receivedUpTo) return false; // sent again on a new connection
  const isOld = v <= talk.oldUpTo;
  const isOwn = seat === me?.seat;
  talk.receivedUpTo = v;
  if (!isOld) storage.keepOf('heard', talk.room, v); // for `startLog`, after the page is loaded again
  setMessages(talk, [...talk.messages, said]);
  if (isOwn && text !== null) clearSentLine(talk);
  draw(talk);
  const isNews = !isOld && !storage.isMuted(talk.muted, seat, name);
  if (isNews) announce(talk, said, isOwn);
  return isNews && !isOwn;
}

/** Pass an emote to the `listeners`. Another person's makes a sound. Announce others' messages while the log is hidden. @param {Talk} talk @param {Said} said @param {boolean} isOwn */
function announce(talk, said, isOwn) {
  const { seat, name, emote } = said;
  const words = wordsOf(said);
  if (emote) for (const listener of listeners) listener(seat, emote, words);
  if (isOwn) return;
  if (emote) talk.app.sound.play('react');
  if (!isShown(talk)) talk.sayLater(() => `${name}: ${words}`);
}

/**
 * Follow the room: start a new log in another room, and add notes about people who join or leave. The first note names
 * the player who opened the room, if they are still the host.
 * @param {Talk} talk @param {RoomView} room @param {State['me']} me
 */
function followRoom(talk, room, me) {
  const { code, seats, host } = room;
  if (code !== talk.room) startLog(talk, room);
  const { notedRoom } = talk;
  if (notedRoom === room || !me) return;
  talk.notedRoom = room;
  const opener = seats.find(({ seat }) => seat === 0 && seat === host); // the first seat opened it
  const isOwn = me.seat === 0;
  let added = notedRoom ? notesOf(notedRoom, room, me.seat) : [];
  if (!notedRoom && opener)
    added = [makeNote(() => (isOwn ? strings.CHAT.opened : strings.opened(opener.name)))];
  if (added.length > 0) setMessages(talk, [...talk.messages, ...added]);
}

/**
 * Start the log of a room. Messages that this browser has received before are old; in a room that it sees for the first
 * time, all messages up to now are.
 * @param {Talk} talk @param {RoomView} room
 */
function startLog(talk, { code, v: latest }) {
  talk.room = code;
  talk.receivedUpTo = 0;
  // At most the latest event: the server's store may have lost events that this browser has received.
  talk.oldUpTo = Math.min(storage.keptOf('heard', code) ?? latest, latest);
  talk.readUpTo = Math.min(storage.keptOf('read', code) ?? talk.oldUpTo, talk.oldUpTo);
  talk.muted = storage.mutedIn(code);
  talk.notedRoom = null;
  setMessages(talk, []);
}

/** Update the chat: its room, the players who can be muted, and the error of a refused line. @param {Talk} talk @param {State} state */
function update(talk, { room, me, notice }) {
  const { view } = talk;
  set(view.element, {
    hidden: !room || me === null || isForOne(room) || awaitsAdmission({ room, me }),
  });
  if (room) followRoom(talk, room, me);
  draw(talk);
  if (!room) return;
  drawSpeakers(talk);
  if (notice?.command === 'say' && notice !== talk.notice) {
    talk.sent = ''; // the line stays in the field
    set(view.problem, { text: strings.sentence(notice) });
    if (!isShown(talk)) talk.app.announce(strings.sentence(notice)); // the panel is closed
  }
  talk.notice = notice;
}

/** Draw the list of players who can be muted: all others who are there or have written something. @param {Talk} talk */
function drawSpeakers(talk) {
  const { app, view, messages, muted } = talk;
  const { room, me } = app.state();
  const speakers = messages.filter(isMessage);
  const all = new Map([...speakers, ...(room?.seats ?? [])].map(({ seat, name }) => [seat, name]));
  if (me) all.delete(me.seat);
  set(view.mute, { hidden: all.size === 0 });
  keyed(
    view.speakers,
    [...all],
    ([seat, name]) => `${seat} ${name}`, // a seat can go to another person
    ([seat, name]) =>
      h('button', { class: 'text-cut', onclick: () => toggleMuted(talk, seat, name) }),
    (button, [seat, name]) => {
      const isSilent = storage.isMuted(muted, seat, name);
      const words = strings.DO_TO[isSilent ? 'unmute' : 'mute'];
      set(button, { text: words(name), 'aria-pressed': String(isSilent) });
    },
  );
}

/** Mute a player or unmute them: their messages disappear from the log, or come back. @param {Talk} talk @param {number} seat @param {string} name */
function toggleMuted(talk, seat, name) {
  const { room, muted } = talk;
  if (storage.isMuted(muted, seat, name)) muted.delete(seat);
  else muted.set(seat, name);
  storage.storeMuted(room, muted);
  setMessages(talk, talk.messages);
  draw(talk);
  drawSpeakers(talk);
}
