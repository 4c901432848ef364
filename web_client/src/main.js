// Puts the parts together: one state, one line to the server, one screen at a time.

import { makeAnnouncer } from './core/announcer.js';
import { begun } from './core/boot-language.js';
import { fetchStrings, speak, strings } from './core/language.js';
import {
  browserId,
  forgetRoom,
  forgetSeat,
  hasMoved,
  onPreference,
  preference,
  storedSeat,
  storeLanguage,
  storeMoved,
  storeSeat,
} from './core/preferences.js';
import { amHost, isOfOthers, NOTHING, plays, reduce, screen, wantsCards } from './core/reducer.js';
import { codeIn, roundIn } from './core/room-code.js';
import { makeSender } from './core/sender.js';
import { openLine } from './core/socket.js';
import { toneOf } from './core/sound-cues.js';
import { makePace } from './core/throttle.js';
import { bindAppearance, openOptions } from './shared/appearance.js';
import { ask } from './shared/ask.js';
import { bindConnection } from './shared/connection.js';
import { h, listen, sheet } from './shared/element.js';
import { binder, fetchAhead } from './shared/screens.js';
import { makeSound } from './shared/sound.js';
import { bindStatus } from './shared/status.js';

/**
 * @import {ClientMessage} from './core/messages.d.ts'
 * @import {Message, State} from './core/reducer.js'
 * @import {Attempt} from './core/table.js'
 * @typedef {object} App what screens may ask for
 * @property {() => State} state
 * @property {(message: ClientMessage) => void} say
 * @property {(action: Attempt) => void} act
 * @property {(first: ClientMessage, how: {alone: boolean}) => void} enter
 * @property {(code: string, n?: number) => void} visit a room's page, or that of its round `n`
 * @property {(sure?: unknown) => void} leave asks in a race, unless it is `true` that this is meant
 * @property {(text: string) => void} announce
 * @property {() => string} why we are here, if we did not come by ourselves
 * @property {(language: string) => void} speak from now on
 * @property {() => number} now the server's time
 * @property {ReturnType<typeof makeSound>} sound
 */

/** Who looks on sees the news of all players together, so often. */
const WATCHING = 500;
/** What connections of this page have in common. */
const TAB = Math.random().toString(36).slice(2);
const root = /** @type {HTMLElement} */ (document.getElementById('screen'));
const status = bindStatus(/** @type {HTMLElement} */ (document.getElementById('status')));
const connection = bindConnection(
  /** @type {HTMLElement} */ (document.getElementById('connection')),
  () => line?.again(),
);
const preferences = /** @type {HTMLElement} */ (document.getElementById('preferences'));
const announcement = makeAnnouncer(
  () => performance.now(),
  () => app.now(),
  () => preference('reasons') === 'at-once',
);
const sound = makeSound(() => (preference('muted') ? 0 : preference('volume')));
const sender = makeSender((message) => line?.say(message));

/** @type {State} */
let state = NOTHING;
/** @type {ReturnType<typeof openLine> | null} */
let line = null;
/** @type {ClientMessage | null} */
let first = null;
let alone = false;
let drawing = false;
let shownScreen = '';
/** Why we are on a page to fill in, if something brought us there. */
let why = '';
/** @type {import('./shared/screens.js').Bound | null} */
let bound = null;
/** Comes with the first room. @type {import('./chat/chat.js').Chat | null} */
let chat = null;
/** Comes when the first one asks to join. @type {typeof import('./room/join-requests.js') | null} */
let requests = null;
/** @type {import('./core/messages.d.ts').Said[]} */
const unheard = [];
/** Comes with the keys of 1987. @type {import('./classic/between-games.js').Between | null} */
let between = null;
const watching = makePace(WATCHING, () => {
  if (!drawing) drawSoon();
});

/** @type {App} */
const app = {
  state: () => state,
  say(message) {
    if (!line?.say(message)) status.say(strings.NOT_CONNECTED);
  },
  act: (action) => dispatch({ type: '@act', action }),
  enter,
  visit,
  leave,
  announce: status.say,
  why: () => why,
  speak: translate,
  now: () => line?.now() ?? Date.now(),
  sound,
};

/** @param {Message} message */
function dispatch(message) {
  const before = state;
  state = reduce(before, message);
  status.say(announcement(before, state, message));
  const tone = toneOf(before, state, message);
  if (tone) sound.play(tone);
  follow(before, message);
  sender.send(state);
  if (drawing) return;
  if (shownScreen.startsWith('race') && isOfOthers(state, message)) watching.ask();
  else drawSoon();
}

function drawSoon() {
  drawing = true;
  requestAnimationFrame(draw);
}

/** What follows from a message besides the new state. @param {State} before @param {Message} message */
function follow(before, message) {
  switch (message.type) {
    case 'joined': {
      const { seat, token, room } = message;
      chat?.rejoined(room.v);
      if (token) storeSeat(room.code, { seat, token });
      if (location.pathname !== `/r/${room.code}`) history.pushState(null, '', `/r/${room.code}`);
      if (alone) line?.say({ type: 'ready', ready: true });
      if (wantsCards(state)) line?.say({ type: 'cards' });
      break;
    }
    case 'room':
      // Alone there is nobody to wait for; a room that starts by itself refuses, and that is well.
      if (alone && message.room.state === 'LOBBY') line?.say({ type: 'start' });
      alone = false;
      if (before.room?.state !== message.room.state) {
        line?.ping();
        if (message.room.state === 'RUNNING' && plays(state) && !hasMoved())
          status.murmur(strings.FIRST_MOVE);
      }
      if (message.room.state === 'CLOSED') ended(4504);
      break;
    case 'said':
      if (chat) chat.heard(message);
      else unheard.push(message);
      break;
    case 'acted':
      if (hasMoved()) break;
      storeMoved();
      status.hush();
      break;
    case 'refused':
      if (state.me !== null) break;
      why = strings.refusal(message.code, message.details);
      unseated(message.command === 'resume', message.code);
      break;
    case '@line':
      sender.restart();
      if (message.line === 'closed') ended(message.code ?? 0);
      break;
    default:
  }
}

/** @param {ClientMessage} opening @param {{alone: boolean}} how */
function enter(opening, how) {
  why = '';
  fetchAhead();
  fetchChat();
  // Nobody else is in the old room, and nobody comes back to it.
  if (state.room?.seats.length === 1) {
    line?.say({ type: 'leave' });
    forgetRoom(state.room.code);
  }
  line?.close();
  first =
    opening.type === 'create' || opening.type === 'join'
      ? { ...opening, browser: browserId() }
      : opening;
  alone = how.alone;
  sender.restart();
  state = { ...NOTHING, notice: state.notice };
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  line = openLine(`${scheme}://${location.host}/ws`, {
    hello,
    heard: dispatch,
    changed: (to, code) => dispatch({ type: '@line', line: to, ...(code ? { code } : {}) }),
    racing: () => state.room?.state === 'RUNNING' || state.room?.state === 'COUNTDOWN',
    version: () => state.room?.v ?? 0,
  });

  /** Once seated, every new connection takes the same seat again. @returns {ClientMessage} */
  function hello() {
    const code = state.room?.code;
    const seat = code ? storedSeat(code) : null;
    if (!code || !seat) return /** @type {ClientMessage} */ (first);
    return { type: 'resume', room: code, ...seat, have: chat?.heardUpTo() ?? 0, tab: TAB };
  }
}

/** The chat is not needed to play: it comes when it comes. */
async function fetchChat() {
  if (chat) return;
  const [{ makeChat }] = await Promise.all([
    import('./chat/chat.js'),
    fetchStrings('chat'),
    sheet('chat'),
  ]);
  chat ??= makeChat(app, status.murmur);
  for (const said of unheard.splice(0)) chat.heard(said);
  chat.settle();
  chat.update(state);
}

async function fetchClassic() {
  if (between || preference('keys') !== 'classic') return;
  between = await (await import('./classic/between-games.js')).bindBetween(app);
  draw();
}

/** @param {string} code @param {number} [n] of a round that is over */
function visit(code, n) {
  const path = n ? `/r/${code}/${n}` : `/r/${code}`;
  if (location.pathname !== path) history.pushState(null, '', path);
  route();
}

/** Shows what the address says: a room that we sit in or may join, a race that is over, or the front page. */
function route() {
  const seated = location.pathname.startsWith('/r/') && !roundIn(location.pathname);
  const code = seated ? codeIn(location.pathname) : null;
  if (code && state.room?.code === code && line) return;
  line?.close();
  line = null;
  status.clear(); // it was said of another room
  state = { ...NOTHING, notice: state.notice };
  const seat = code && storedSeat(code);
  if (code && seat)
    enter({ type: 'resume', room: code, ...seat, have: 0, tab: TAB }, { alone: false });
  draw();
}

/** @param {unknown} [sure] */
async function leave(sure) {
  const racing = plays(state) && sure !== true;
  const yes = !racing || (await ask({ ...strings.ASK.leave, grave: true }));
  if (!yes) return;
  why = '';
  const code = state.room?.code;
  line?.say({ type: 'leave' });
  // Nobody comes back to a room that is empty.
  if (code) (state.room?.seats.length === 1 ? forgetRoom : forgetSeat)(code);
  home();
}

function home() {
  line?.close();
  line = null;
  state = reduce(state, { type: '@left' });
  history.pushState(null, '', '/');
  draw();
}

/**
 * There is no seat for us: back to the page that can be filled in again.
 *
 * @param {boolean} forget the seat that this browser remembered is no longer there
 * @param {string} [code] why
 */
function unseated(forget, code = '') {
  const room = codeIn(location.pathname);
  if (room && (forget || code === 'no_such_room')) forgetRoom(room);
  if (code === 'no_such_room') history.replaceState(null, '', '/');
  line?.close();
  line = null;
  state = reduce(state, { type: '@left' });
  draw();
}

/** The server closed the line for good. @param {number} code */
async function ended(code) {
  if (code === 4503) {
    const text = strings.closing(code);
    const again = await ask({ ...strings.ASK.elsewhere, text });
    if (again) line?.again();
    else home();
  } else if (code === 4502) {
    why = strings.closing(code);
    unseated(true);
  } else if (code === 4504 || code === 4505 || code === 4506 || code === 4507 || code === 1000) {
    const here = codeIn(location.pathname);
    if (here) forgetRoom(here);
    why = strings.closing(code);
    home();
    status.say(why);
  } else {
    await ask({ ...strings.ASK.closed, text: strings.closing(code) });
    location.reload();
  }
}

/** @returns {import('./shared/screens.js').Screen} */
function wanted() {
  if (line && state.room) return screen(state);
  if (roundIn(location.pathname)) return 'finished';
  if (location.pathname === '/strategy') return 'strategy';
  return location.pathname === '/' ? 'landing' : 'join';
}

/** Puts up the screen that the state asks for; the old one stays until the new is at hand. */
function bind() {
  const name = wanted();
  const coming = line !== null && !state.room;
  const code = codeIn(location.pathname) ?? '';
  const page = name === 'join' || name === 'finished' ? location.pathname : '';
  const key = coming ? 'coming' : `${name} ${page}`;
  if (key === shownScreen) return;
  const make = coming ? takingSeat : binder(name, draw, () => ended(4501));
  if (!make) return;
  shownScreen = key;
  const talking = chat?.focused();
  bound?.unbind();
  status.turn();
  if (document.body.dataset.screen !== name) window.scrollTo(0, 0);
  document.body.dataset.screen = name;
  preferences.title = preferences.ariaLabel = strings.PREFERENCES_TITLE;
  bound = make(root, app, code);
  chat?.settle();
  talking?.focus();
}

/** @type {import('./shared/screens.js').Binder} */
function takingSeat() {
  root.replaceChildren(h('p', { class: 'page coming', text: strings.TAKING_SEAT }));
  return { update() {}, unbind() {} };
}

function draw() {
  drawing = false;
  bind();
  bound?.update(state);
  chat?.update(state);
  between?.update(state);
  if (requests) requests.showRequests(app);
  else if (amHost(state) && state.room?.waiting.length) fetchRequests();
  showLine();
}

async function fetchRequests() {
  requests = await Promise.all([import('./room/join-requests.js'), fetchStrings('admission')]).then(
    ([found]) => found,
    () => null,
  );
  requests?.showRequests(app);
}

/** Another language: the screen is put up again, with the same state. @param {string} language */
async function translate(language) {
  if (!(await speak(language))) return;
  document.documentElement.lang = language;
  storeLanguage(language);
  shownScreen = '';
  draw();
  document.getElementById('language')?.focus();
}

function showLine() {
  connection.show(line && state, line?.retryIn() ?? 0);
}

bindAppearance();
onPreference((name) => {
  sound.wake();
  if (name === 'volume' || name === 'muted') sound.play('put');
  if (name === 'keys') fetchClassic();
});
listen(preferences, 'click', openOptions);
setInterval(showLine, 1_000);
listen(window, 'popstate', route);
for (const type of ['online', 'offline']) listen(window, type, showLine);
listen(document, 'pointerdown', () => sound.wake(), { capture: true });
listen(document, 'keydown', () => sound.wake(), { capture: true });
document.documentElement.lang = await begun;
route();
fetchClassic();
for (const sign of ['pointerdown', 'keydown']) listen(document, sign, fetchAhead, { once: true });
