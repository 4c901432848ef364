// The chat: one window that moves from screen to screen, and the reactions, which one press sends. It is
// made anew in another language.
//
// Text of other players is inserted as text, never as HTML. This browser stores which players are muted.

import * as storage from '../browser/storage.js';
import { LINE_LENGTH } from '../contract/protocol.js';
import { setPageState } from '../page/frame.js';
import { coloursOf, isForOne, programSeats, screenOf, waits } from '../state/state.js';
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
 * @typedef {ReturnType<typeof makeState> & {view: ReturnType<typeof makeView>}} Talk
 */

/** Windows without room for the chat beside or below the table: there it is one line in the bar at the foot. */
const LOW =
  '(max-width: 719.9px) and (max-height: 739.9px), (max-height: 480px) and (min-width: 560px)';
const MAX_MESSAGES = 200;
/** The log scrolls to new messages while its end is nearer than this. */
const NEAR_END_PX = 40;
/** An equal line within this time is a second press of the key, unless the first one has come back. */
const ECHO_MS = 10_000;

/** Make the sign of an emote, as high as the text around it; null for one that only a newer server knows. @param {string} emote */
export function reactionSign(emote) {
  if (!Object.hasOwn(strings.CHAT.emoteWords, emote)) return null;
  return svg(
    'svg',
    { viewBox: '0 0 20 20', width: '1.25em', height: '1.25em', 'aria-hidden': 'true' },
    svg('use', { href: `/icons/reactions.svg#${emote}` }),
  );
}

/** What shows emotes beside their senders. @type {Set<Listener>} */
const listeners = new Set();

/** Call a listener with each emote that is received. @param {Listener} listener @returns {() => void} the unbinder */
export function onEmote(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Return the words of a message; of an emote that only a newer server knows '…'. @param {Pick<Said, 'text' | 'emote'>} said */
function wordsOf({ text, emote }) {
  return text ?? (emote && strings.CHAT.emoteWords[emote]) ?? '…';
}

let notes = 0; // how many there were

/** Return a note with these words, which follow a change of language. @param {() => string} words @returns {Note} */
function noteOf(words) {
  notes += 1;
  return { id: `note ${notes}`, words };
}

/** Return the notes on a room that has changed: newcomers, people who left, and a new host. @param {RoomView} old @param {RoomView} room @param {number} me this player's seat @returns {Note[]} */
function notesOf(old, room, me) {
  const isIn = (/** @type {RoomView} */ { seats }, /** @type {number | null} */ number) =>
    seats.find(({ seat }) => seat === number);
  // People waiting to be admitted do not see the others.
  if (old.code !== room.code || !isIn(old, me)) return [];
  const come = room.seats.filter(({ seat }) => !isIn(old, seat));
  const gone = old.seats.filter(({ seat }) => !isIn(room, seat));
  const namesOf = (/** @type {string} */ role) =>
    come.filter((each) => each.role === role).map(({ name }) => name);
  const [players, watchers] = [namesOf('player'), namesOf('spectator')];
  const host = old.host === room.host ? undefined : isIn(room, room.host);
  const words = [
    players.length > 0 && (() => strings.joined(players)),
    watchers.length > 0 && (() => strings.watch(watchers)),
    ...gone.map((each) => () => strings.left(each.name)),
    host && (() => (host.seat === me ? strings.NEWS.host : strings.hosts(host.name))),
  ];
  return words.filter((each) => typeof each === 'function').map(noteOf);
}

/** Make the state of the chat. @param {App} app @param {(words: () => string) => void} sayLater */
const makeState = (app, sayLater) => ({
  app,
  sayLater, // shows a sentence in the status line once the last one has been read
  low: matchMedia(LOW),
  inline: false, // whether the screen shows the chat in its place
  open: false, // whether the window is open
  room: '', // its code
  messages: /** @type {(Said | Note)[]} the latest ones of the room */ ([]),
  known: /** @type {RoomView | null} the room when the last note was added */ (null),
  receivedUpTo: 0, // the event of the room up to which all messages were received
  oldUpTo: 0, // the event up to which messages came before this page was loaded
  readUpTo: 0, // the event up to which messages were shown
  sent: '', // the latest line of this player, until the server has sent it back
  sentAt: 0, // local time in ms
  notice: /** @type {Notice | null} the last one that was shown */ (null),
  muted: /** @type {Map<number, string>} the names of muted players, by seat */ (new Map()),
});

/** Make the chat, for as long as the page is open; it has no place yet. @param {App} app @param {(words: () => string) => void} sayLater */
export function makeChat(app, sayLater) {
  /** @type {Talk} */
  const talk = { ...makeState(app, sayLater), view: makeView(() => talk) };
  listen(document, 'pointerdown', ({ target }) => {
    if (!talk.view.element.contains(target)) talk.view.opener.open = false; // closes the emotes
  });
  // `move` closes the window, so it is moved only to another place, not at another size.
  talk.low.addEventListener('change', () => {
    if (placeFor(talk) !== talk.view.element.parentElement) move(talk);
  });
  return {
    receivedUpTo: () => talk.receivedUpTo,
    /** Return the focused element, which keeps the focus when the window changes its place. */
    focused: () => /** @type {HTMLElement | null} */ (talk.view.element.querySelector(':focus')),
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
      move(talk);
    },
    /** Accept other events with the numbers of those that the store has lost. @param {number} v the latest event that it has */
    rejoined(v) {
      talk.receivedUpTo = Math.min(talk.receivedUpTo, v);
      talk.oldUpTo = Math.min(talk.oldUpTo, v);
      talk.readUpTo = Math.min(talk.readUpTo, v);
    },
    receive: (/** @type {Said} */ said) => receive(talk, said),
    update: (/** @type {State} */ state) => update(talk, state),
  };
}

/** Make the elements, in the language of the page. @param {() => Talk} talk called later: the chat is not made yet */
function makeView(talk) {
  const words = strings.CHAT;
  const press = () => toggleWindow(talk());
  const reactions = Object.entries(words.emoteWords).map(([key, title]) => {
    const emote = /** @type {Emote} */ (key);
    const onclick = (/** @type {MouseEvent} */ event) => react(talk(), emote, event);
    return h('button', { title, 'data-emote': emote, onclick }, reactionSign(emote));
  });
  const group = { id: 'emotes', role: 'group', 'aria-label': words.emotes };
  const emotes = h('div', { class: 'line grow chat-emotes', ...group }, ...reactions);
  const wow = h('summary', { title: words.emotes }, reactionSign('wow'));
  const opener = h('details', { class: 'chat-react', id: 'react' }, wow);
  const badge = h('span', { class: 'chat-badge', id: 'chat-badge', 'aria-hidden': 'true' });
  const latest = h('span', { class: 'chat-latest text-cut', 'aria-hidden': 'true' });
  const opening = { id: 'chat-toggle', 'aria-controls': 'chat-panel', onclick: press };
  const looks = { class: 'line chat-toggle', title: words.title };
  const toggle = iconButton('chat', { ...looks, ...opening }, latest, badge);
  const speakers = h('div', { class: 'row chat-speakers' });
  const muting = { class: 'icon line', '--icon': 'var(--icon-mute)', title: words.mute };
  const opensMute = h('summary', { ...muting, 'aria-label': words.mute });
  const mute = h('details', { class: 'chat-mute', id: 'chat-mute' }, opensMute, speakers);
  const close = h('button', {
    class: 'top-icon',
    id: 'chat-close',
    'data-kind': 'quiet',
    'aria-label': words.close,
    text: '×',
    onclick: press,
  });
  const logging = { id: 'chat-log', role: 'log', tabindex: 0, 'aria-label': words.log };
  const log = h('div', { class: 'chat-log', ...logging });
  const changes = h('p', { class: 'chat-changes', id: 'changes' }); // the room fills it
  const line = lineInput(LINE_LENGTH, {
    id: 'chat-line',
    autocomplete: 'off',
    enterkeyhint: 'send',
    placeholder: words.placeholder,
    'aria-label': words.placeholder,
  });
  const sending = { type: 'submit', id: 'chat-send', label: words.send, 'data-kind': 'quiet' };
  const send = iconButton('send', sending);
  const onsubmit = () => sendLine(talk());
  const form = h('form', { class: 'field-framed', onsubmit }, line, send);
  const problem = h('p', { class: 'field-problem', id: 'chat-problem', role: 'alert' });
  const heading = h('h2', { class: 'grow', text: words.title });
  const head = h('div', { class: 'line chat-head' }, heading, close);
  const tools = h('div', { class: 'row' }, emotes, mute);
  const panel = h('div', { class: 'pane chat-panel', id: 'chat-panel' }, head, log, changes);
  panel.append(tools, form, problem);
  const naming = { id: 'chat', 'aria-label': words.title, onkeydown: closeByKey };
  const element = h('section', { class: 'chat', ...naming, hidden: true }, opener, toggle, panel);

  /** Close what is open, the emotes first; the board does not hear of the key. @param {KeyboardEvent} event */
  function closeByKey(event) {
    const { inline, open } = talk();
    if (event.key !== 'Escape' || inline || !(opener.open || open)) return; // inline nothing is ever closed
    event.stopPropagation();
    if (opener.open) closeEmotes(talk());
    else press();
  }

  const language = document.documentElement.lang;
  const inPanel = { changes, panel, speakers, mute, close, log, emotes, tools, line, problem };
  return { language, element, toggle, badge, latest, opener, ...inPanel };
}

/** Return the chat's parent on this screen: its own place, or for a window the line, the bar or the page. @param {Talk} talk */
const placeFor = ({ app, low }) =>
  (!low.matches && document.getElementById('chat-place')) ||
  document.getElementById('chat-ticker') ||
  (screenOf(app.state()) !== 'race' && document.querySelector('#screen .bar')) ||
  document.body;

/** Move the chat to its place on the screen. If the screen has none, it's a closed window. @param {Talk} talk */
function move(talk) {
  const place = placeFor(talk);
  const { element, tools, opener, emotes } = talk.view;
  const isRace = screenOf(talk.app.state()) === 'race';
  talk.inline = place.id === 'chat-place';
  if (place.matches('.bar')) place.firstElementChild?.after(element);
  else place.append(element);
  const outside = isRace ? 'bar' : 'foot';
  set(element, {
    'data-place': { 'chat-place': 'screen', 'chat-ticker': 'line' }[place.id] ?? outside,
  });
  // In the race one press sends a reaction without opening the window.
  if (isRace) opener.after(emotes);
  else tools.prepend(emotes);
  talk.open = false;
  opener.open = false;
  draw(talk);
  scrollToEnd(talk); // moving the log resets its scroll position
}

/** Show the latest messages. @param {Talk} talk */
function scrollToEnd({ view: { log } }) {
  log.scrollTop = log.scrollHeight;
}

/** Open the window at its latest message, or close it; the focus goes along. @param {Talk} talk */
function toggleWindow(talk) {
  const { element, toggle, line } = talk.view;
  const hadFocus = element.contains(document.activeElement);
  talk.open = !talk.open;
  draw(talk);
  scrollToEnd(talk);
  if (talk.open) line.focus();
  else if (hadFocus) toggle.focus();
}

/** Close the emotes where they are behind a button, which gets the focus if they were open. @param {Talk} talk */
function closeEmotes({ view: { opener } }) {
  if (opener.open) opener.querySelector('summary')?.focus();
  opener.open = false;
}

/** Send an emote; after a pointer's press in the race, where the board is, keys go to the board again. @param {Talk} talk @param {Emote} emote @param {MouseEvent} event */
function react(talk, emote, event) {
  const isByPointer = event.detail > 0; // a key clicks without a count of presses
  talk.app.send({ type: 'say', emote });
  closeEmotes(talk);
  if (isByPointer) document.getElementById('board')?.focus({ preventScroll: true });
}

/** Return whether the messages can be seen. @param {Talk} talk */
const isShown = ({ view, inline, open }) => !view.element.hidden && (inline || open);

/** Return the messages of all who are not muted. @param {Talk} talk */
const audible = ({ messages, muted }) =>
  messages.filter((each) => 'id' in each || !storage.isMuted(muted, each.seat, each.name));

/** Store as read what can be seen, then show or hide the window, and the number of unread messages of others. @param {Talk} talk */
function draw(talk) {
  const { app, view, inline } = talk;
  const isSeen = isShown(talk);
  if (isSeen && talk.receivedUpTo > talk.readUpTo) {
    talk.readUpTo = talk.receivedUpTo;
    storage.keepOf('read', talk.room, talk.readUpTo);
  }
  const lines = audible(talk);
  const isUnread = (/** @type {Said | Note} */ each) =>
    'v' in each && each.v > talk.readUpTo && each.seat !== app.state().me?.seat;
  const unread = lines.filter(isUnread).length;
  setPageState('chat', isSeen && !inline ? 'open' : 'closed');
  set(view.panel, { hidden: !inline && !talk.open });
  set(view.close, { hidden: inline });
  set(view.toggle, {
    hidden: inline,
    'aria-expanded': String(talk.open),
    'aria-label': strings.chatUnread(unread),
  });
  set(view.badge, { text: unread > 0 ? String(unread) : '' });
  const last = lines.at(-1);
  const text = last && ('id' in last ? last.words() : `${last.name}: ${wordsOf(last)}`);
  set(view.latest, { text: view.changes.textContent || text || strings.CHAT.title });
}

/** Draw the log. A line is drawn once, and stays that way even if its sender leaves. @param {Talk} talk */
function drawLog(talk) {
  const { app, view } = talk;
  const { room, me } = app.state();
  const lines = audible(talk);
  const hello = { id: 'hello', words: () => strings.CHAT.hello };
  keyed(
    view.log,
    room?.state !== 'LOBBY' || lines.some((each) => 'v' in each) ? lines : [hello, ...lines],
    (each) => ('id' in each ? each.id : String(each.v)), // the number of the event
    (said) => {
      // The status line has read it out.
      if ('id' in said)
        return h('div', { 'aria-live': 'off', 'data-note': said.id, text: said.words() });
      const { seat, name } = said;
      const colour = coloursOf(room)(seat);
      const speaker = h('b');
      writeName(speaker, name, programSeats(room).get(seat), colour);
      const words = h('bdi', { text: wordsOf(said) });
      const looks = { class: 'mark-tone', 'data-colour': colour, 'data-own': seat === me?.seat };
      return h('p', looks, speaker, ' ', words);
    },
  );
}

/** Send the written line; it stays in the field until the server has sent it back. @param {Talk} talk */
function sendLine(talk) {
  const { line, problem } = talk.view;
  const text = line.value.trim();
  set(problem, { text: '' });
  const isOnItsWay = text === talk.sent && performance.now() - talk.sentAt < ECHO_MS;
  if (!text || isOnItsWay || !talk.app.send({ type: 'say', text })) return;
  talk.sent = text;
  talk.sentAt = performance.now();
}

/** Take the line that the server has sent back from the field. What was written after it stays, and so does a line that was changed since. @param {Talk} talk */
function takeSentLine(talk) {
  const { line } = talk.view;
  const written = line.value.trimStart();
  if (written.startsWith(talk.sent)) line.value = written.slice(talk.sent.length).trimStart();
  talk.sent = '';
}

/** Add a message to the log, and tell of it; return whether it is news: of another player, not muted, and not from before this page. @param {Talk} talk @param {Said} said */
function receive(talk, said) {
  const { app } = talk;
  const { v, seat, name, text, emote } = said;
  const { room, me } = app.state();
  if (room) enterRoom(talk, room, me);
  if (v <= talk.receivedUpTo) return false; // a new connection sends it again
  const isOld = v <= talk.oldUpTo;
  const isOwn = seat === me?.seat;
  talk.receivedUpTo = v;
  if (!isOld) storage.keepOf('heard', talk.room, v); // for `enterRoom`, once the page is loaded again
  addLines(talk, [said], isOwn);
  if (isOwn && text !== null) takeSentLine(talk);
  draw(talk);
  if (isOld || storage.isMuted(talk.muted, seat, name)) return false;
  const words = wordsOf(said);
  if (emote) for (const listener of listeners) listener(seat, emote, words);
  if (emote && !isOwn) app.sound.play('react');
  if (!isOwn && !isShown(talk)) talk.sayLater(() => `${name}: ${words}`);
  return !isOwn;
}

/** Add lines to the log, and scroll to them if it was at its end or has to. @param {Talk} talk @param {(Said | Note)[]} lines @param {boolean} [goesToEnd] */
function addLines(talk, lines, goesToEnd = false) {
  if (lines.length === 0) return;
  const { log } = talk.view;
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
  talk.messages = [...talk.messages, ...lines].slice(-MAX_MESSAGES);
  drawLog(talk);
  if (isAtEnd || goesToEnd) scrollToEnd(talk);
}

/**
 * Start the log of another room, and add a line for each newcomer and each player who leaves. The first line
 * names the player who opened the room, if they still host it. Events this browser has already received there
 * are old; in a room it sees for the first time, so are all events up to now.
 * @param {Talk} talk
 * @param {RoomView} room
 * @param {State['me']} me
 */
function enterRoom(talk, room, me) {
  const { code, seats, host } = room;
  if (code !== talk.room) beginLog(talk, code);
  const { known } = talk;
  if (known === room || !me) return;
  talk.known = room;
  const opener = seats.find(({ seat }) => seat === 0 && seat === host);
  const isOwn = me.seat === 0;
  if (known) addLines(talk, notesOf(known, room, me.seat));
  else if (opener)
    addLines(talk, [noteOf(() => (isOwn ? strings.CHAT.opened : strings.opened(opener.name)))]);
}

/** Begin the log of a room. @param {Talk} talk @param {string} code */
function beginLog(talk, code) {
  talk.messages = [];
  talk.room = code;
  talk.receivedUpTo = 0;
  // Not beyond the last event of now: the store may have lost events that this browser has received.
  const latest = talk.app.state().room?.v ?? 0;
  talk.oldUpTo = Math.min(storage.keptOf('heard', code) ?? latest, latest);
  talk.readUpTo = Math.min(storage.keptOf('read', code) ?? talk.oldUpTo, talk.oldUpTo);
  talk.muted = storage.mutedIn(code);
  talk.known = null;
  drawLog(talk);
}

/** Follow a state: the room, the players who can be muted, and a refusal of a line. @param {Talk} talk @param {State} state */
function update(talk, { room, me, notice }) {
  const { view } = talk;
  set(view.element, { hidden: !room || me === null || isForOne(room) || waits({ room, me }) });
  if (room) enterRoom(talk, room, me);
  draw(talk);
  if (!room) return;
  drawSpeakers(talk);
  if (notice?.command === 'say' && notice !== talk.notice) {
    talk.sent = ''; // it stays in the field
    set(view.problem, { text: strings.sentence(notice) });
    if (!isShown(talk)) talk.app.announce(strings.sentence(notice)); // the window with the problem is closed
  }
  talk.notice = notice;
}

/** Draw the list of the players who can be muted: all others who are in the room or have written. @param {Talk} talk */
function drawSpeakers(talk) {
  const { app, view, messages, muted } = talk;
  const { room, me } = app.state();
  const speakers = messages.filter((each) => 'v' in each);
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

/** Mute a player, or let one speak again; the log is drawn without the messages, or with them. @param {Talk} talk @param {number} seat @param {string} name */
function toggleMuted(talk, seat, name) {
  const { room, muted } = talk;
  if (storage.isMuted(muted, seat, name)) muted.delete(seat);
  else muted.set(seat, name);
  storage.storeMuted(room, muted);
  drawLog(talk);
  drawSpeakers(talk);
}
