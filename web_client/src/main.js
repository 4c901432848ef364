// The root of the page: it connects its parts, and shows the screen that the address and the state ask
// for.

import { booted } from './core/boot-language.js';
import { invitationTo, storeInvitation } from './core/invitations.js';
import { fetchStrings, speak, strings } from './core/language.js';
import {
  forgetRoom,
  hasMoved,
  hasSeenLesson,
  onPreference,
  preference,
  storedSeat,
  storeLanguage,
  storeLessonSeen,
} from './core/preferences.js';
import { CloseCode } from './core/protocol.js';
import { amHost, isOfOthers, isPractice, plays, screenOf } from './core/reducer.js';
import { codeIn, roundIn } from './core/room-code.js';
import { reconnect, retryIn, send } from './core/socket.js';
import { bindAppearance, openPreferences } from './shared/appearance.js';
import { ask } from './shared/ask.js';
import { listen, loadSheet } from './shared/element.js';
import { vibrate } from './shared/haptics.js';
import { keepPart, loadPart, resumeParts } from './shared/lazy-part.js';
import { drawStage, fetchAhead, makeStage, requestDraw } from './shared/screens.js';
import {
  announceLeft,
  dispatch,
  enter,
  giveUpSeat,
  handleFinalClose,
  makeSession,
  now,
  release,
  resume,
} from './shared/session.js';
import { makeSound } from './shared/sound.js';
import { bindConnectionSign, bindStatus } from './shared/status.js';
import { bindWayBack } from './shared/way-back.js';

/**
 * @import {Said} from './core/messages.d.ts'
 * @import {ClientMessage} from './core/notation.js'
 * @import {State} from './core/reducer.js'
 * @import {Attempt} from './core/table.js'
 * @import {Screen} from './shared/screens.js'
 * @import {Sound} from './shared/sound.js'
 * @typedef {object} App the interface of the page for its screens
 * @property {() => State} state
 * @property {(message: ClientMessage) => void} send
 * @property {(action: Attempt) => void} act
 * @property {(opening: ClientMessage, how: {alone: boolean, chases?: boolean}) => void} enter
 * @property {(code: string, n?: number) => void} visit show a room's page, or that of its round `n`
 * @property {(sure?: unknown) => void} leave asks first in a race, unless `sure` is `true`
 * @property {(text: string) => void} announce
 * @property {() => string} reason why the player is on this page, or ''
 * @property {(language: string) => void} speak
 * @property {() => number} now the server's time in ms
 * @property {Sound} sound
 */

/** Return an element of the page. */
const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const preferences = byId('preferences');
const status = bindStatus(byId('status'), () => wanted().key);
const sign = bindConnectionSign(byId('connection'), () => {
  if (session.connection) reconnect(session.connection);
});
const tonePlayer = makeSound(() => (preference('muted') ? 0 : preference('volume')));
/** @type {Sound} */
const sound = {
  wake: tonePlayer.wake,
  play(cue) {
    tonePlayer.play(cue);
    vibrate(cue);
  },
};

/** Loaded with the first room. @type {import('./chat/chat.js').Chat | null} */
let chat = null;
/** Messages that came before the chat was loaded. @type {Said[]} */
const unread = [];
/** Loaded with the first room. @type {import('./presence/presence.js').Presence | null} */
let presence = null;
/** Whether the lesson is shown over the next game. */
let showsLesson = false;
/** Loaded when the first player asks to join. @type {typeof import('./room/join-requests.js') | null} */
let requests = null;
/** Loaded with the keys of 1987. @type {import('./classic/between-games.js').BetweenGames | null} */
let betweenGames = null;
/** Whether the early keys are bound, which load `betweenGames`. */
let earlyKeysBound = false;

const session = makeSession({
  changed: (message) => requestDraw(stage, isOfOthers(session.state, message)),
  entering() {
    fetchAhead();
    fetchChat();
    fetchPresence();
  },
  said(said) {
    if (chat) chat.receive(said);
    else unread.push(said);
    presence?.said(said);
  },
  rejoined: (v) => chat?.rejoined(v),
  chatReceivedUpTo: () => chat?.receivedUpTo() ?? 0,
  home,
  draw: () => drawStage(stage),
  status,
  sound,
});

/** @type {App} */
const app = {
  state: () => session.state,
  send(message) {
    if (!send(session.connection, message)) status.say(strings.NOT_CONNECTED);
  },
  act: (action) => dispatch(session, { type: '@act', action }),
  enter(opening, { alone, chases = false }) {
    showsLesson = alone && !hasSeenLesson() && !hasMoved();
    enter(session, opening, alone, chases);
  },
  visit,
  leave,
  announce: status.say,
  reason: () => session.reason,
  speak: translate,
  now: () => now(session),
  sound,
};

const stage = makeStage(byId('screen'), app, {
  wanted,
  outdated: () => handleFinalClose(session, CloseCode.VERSION),
  replacing: () => status.changeScreen(),
  replaced() {
    preferences.hidden = false;
    preferences.title = strings.PREFERENCES_TITLE;
    preferences.setAttribute('aria-label', strings.PREFERENCES_TITLE);
    chat?.moveToScreen();
  },
  focused: () => chat?.focused() ?? null,
  drawn(state) {
    chat?.update(state);
    betweenGames?.update(state);
    presence?.update(state);
    if (showsLesson && state.play && stage.key === 'race') startLesson();
    if (requests) requests.showRequests(app);
    else if (amHost(state) && state.room?.waiting.length) fetchRequests();
    wayBack.update();
    showConnection();
  },
});

const wayBack = bindWayBack({
  state: app.state,
  release: () => release(session),
  route,
  home,
});

/** Return the screen that the state and the address ask for. @returns {{name: Screen, key: string, code: string}} */
function wanted() {
  const path = location.pathname;
  const code = codeIn(path) ?? '';
  if (session.connection && !session.state.room) return { name: 'seating', key: 'seating', code };
  if (session.connection && session.state.room) {
    const name = screenOf(session.state);
    return { name, key: name, code };
  }
  if (roundIn(path)) return { name: 'finished', key: `finished ${path}`, code };
  if (path === '/strategy') return { name: 'strategy', key: 'strategy', code };
  if (path === '/') return { name: 'landing', key: 'landing', code };
  const isThere = code && /^\/r\//i.test(path) && invitationTo(code) !== null;
  return { name: isThere ? 'join' : 'missing', key: `${isThere} ${path}`, code };
}

/** Show the page of the address: a room, with or without a seat of this browser, or another page. */
function route() {
  const isRoom = location.pathname.startsWith('/r/') && !roundIn(location.pathname);
  const code = isRoom ? codeIn(location.pathname) : null;
  if (code && session.state.room?.code === code && session.connection) return;
  release(session);
  status.clear(); // it was about another room
  if (code && invitationTo(code) === null) forgetRoom(code);
  if (code && storedSeat(code)) resume(session, code);
  drawStage(stage);
}

/** Show the page of a room, or of one of its finished rounds. @param {string} code @param {number} [n] of the round */
function visit(code, n) {
  const path = n ? `/r/${code}/${n}` : `/r/${code}`;
  if (location.pathname !== path) history.pushState(null, '', path);
  route();
}

/** Close the connection and show the front page; the seat stays. */
function home() {
  release(session);
  history.pushState(null, '', '/');
  drawStage(stage);
}

/** Leave the room and give up the seat; during a race ask first. @param {unknown} [sure] true to skip the question */
async function leave(sure) {
  const racing = plays(session.state) && sure !== true;
  const question = isPractice(session.state) ? strings.ASK.leaveAlone : strings.ASK.leave;
  if (racing && !(await ask({ ...question, grave: true }))) return;
  giveUpSeat(session);
  home();
}

/** Show the screen again in another language, with the same state. @param {string} language */
async function translate(language) {
  if (!(await speak(language))) return;
  document.documentElement.lang = language;
  storeLanguage(language);
  stage.key = '';
  drawStage(stage);
  document.getElementById('language')?.focus();
}

/** Load the chat, and give it the messages that came before it. */
function fetchChat() {
  if (chat) return;
  const load = () =>
    Promise.all([import('./chat/chat.js'), fetchStrings('chat'), loadSheet('chat')]);
  keepPart('chat', load, ([{ makeChat }]) => {
    chat = makeChat(app, status.sayLater);
    for (const said of unread.splice(0)) chat.receive(said);
    chat.moveToScreen();
    chat.update(session.state);
  });
}

/** Load the presence: what a page in the background shows, and the lock of the screen. */
function fetchPresence() {
  if (presence) return;
  const load = () => Promise.all([import('./presence/presence.js'), fetchStrings('presence')]);
  keepPart('presence', load, ([{ bindPresence }]) => {
    presence = bindPresence(app);
    presence.update(session.state);
  });
}

/** Load the lesson and show it, over the first practice game of this browser. */
function startLesson() {
  showsLesson = false;
  storeLessonSeen();
  const load = async () => {
    const lesson = await import('./help/lesson.js');
    await lesson.prepareLesson();
    return lesson;
  };
  loadPart('lesson', load, ({ showLesson }) => showLesson());
}

/** Store the page that is shown when the network is lost. */
const prepareOffline = () =>
  import('./presence/offline.js')
    .then(({ prepareForOffline }) => prepareForOffline())
    .catch(() => {}); // without it a page is not shown when the network is lost

/** Load the list of people who ask to join. */
function fetchRequests() {
  const load = () => Promise.all([import('./room/join-requests.js'), fetchStrings('admission')]);
  keepPart('requests', load, ([module]) => {
    requests = module;
    requests.showRequests(app);
  });
}

/** Load the keys of 1987, if the player uses them. */
function fetchClassic() {
  if (earlyKeysBound || preference('keys') !== 'classic') return;
  keepPart(
    'early keys',
    () => import('./classic/early-keys.js'),
    ({ bindEarlyKeys }) => {
      if (earlyKeysBound) return;
      earlyKeysBound = true;
      bindEarlyKeys(app, async () => {
        const { loadBetweenGames } = await import('./classic/between-games.js');
        const bind = await loadBetweenGames(app);
        return () => {
          betweenGames = bind();
          drawStage(stage);
        };
      });
    },
  );
}

/** Show the state of the connection. */
function showConnection() {
  const { connection, state } = session;
  sign.show(connection && state, connection ? retryIn(connection) : 0);
}

storeInvitation(
  location.pathname,
  document.querySelector('meta[name="room"]')?.getAttribute('content'),
);
bindAppearance();
// What is bound below shows sentences, on a slow network long before the first ones are loaded.
document.documentElement.lang = await booted;
onPreference((name) => {
  sound.wake();
  if (name === 'volume' || name === 'muted') sound.play('put');
  if (name === 'keys') fetchClassic();
});
listen(preferences, 'click', openPreferences);
setInterval(showConnection, 1_000);
listen(window, 'popstate', wayBack.handleStep);
for (const type of ['online', 'offline']) listen(window, type, showConnection);
listen(window, 'online', resumeParts);
listen(window, 'pagehide', () => announceLeft(session));
for (const type of ['pointerdown', 'keydown']) listen(document, type, fetchAhead, { once: true });
// A finger that goes down allows no sound in Safari: one that goes up does.
for (const type of ['pointerdown', 'pointerup', 'click', 'keydown'])
  listen(document, type, () => sound.wake(), { capture: true });
listen(document, 'click', prepareOffline, { once: true });
route();
fetchClassic();
