// The root of the page: it connects its parts, and shows the screen that the address and the state ask
// for.

import { vibrate } from './browser/haptics.js';
import { makeSound } from './browser/sound.js';
import {
  forgetRoom,
  hasMoved,
  hasSeenLesson,
  onPreference,
  preference,
  storedSeat,
  storeLanguage,
} from './browser/storage.js';
import { CloseCode } from './contract/protocol.js';
import {
  fetchClassic,
  fetchWithRoom,
  makeLateParts,
  openPreferences,
  prepareOffline,
  receiveSaid,
  updateLate,
} from './late-parts.js';
import { bindAppearance } from './page/appearance.js';
import { invitationTo, storeInvitation } from './page/invitations.js';
import { makeLateSession } from './page/late-session.js';
import { resumeParts } from './page/lazy-part.js';
import { codeIn, roundIn } from './page/room-code.js';
import { drawStage, fetchAhead, makeStage, requestDraw } from './page/stage.js';
import { bindConnectionSign, bindStatus } from './page/status.js';
import { bindWayBack } from './page/way-back.js';
import { SCREENS } from './screens.js';
import { isOfOthers, isOnlyRacer, plays, screenOf } from './state/state.js';
import { booted } from './strings/boot-language.js';
import { speak, strings } from './strings/language.js';
import { ask } from './widgets/ask.js';
import { listen } from './widgets/element.js';

/**
 * @import {App, Screen} from './page/app.d.ts'
 * @import {Sound} from './browser/sound.js'
 */

/** The time after which the first screen is drawn, also on a slow phone. */
const REST_MS = 1_000;

/** Return an element of the page. */
const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const preferences = byId('preferences');
const status = bindStatus(byId('status'), () => wanted().key);
const sign = bindConnectionSign(byId('connection'), () => session.reconnect());
const tonePlayer = makeSound(() => (preference('muted') ? 0 : preference('volume')));
/** @type {Sound} */
const sound = {
  wake: tonePlayer.wake,
  play(cue) {
    tonePlayer.play(cue);
    vibrate(cue);
  },
};

/** This page is of another version than the server. */
const outdated = () => offerReload(CloseCode.VERSION);

const session = makeLateSession(
  {
    newsOfGame: (...change) => stage.bound?.newsOfGame?.(...change) ?? '',
    changed(message) {
      late.tab?.update(session.state()); // a hidden tab has no frames
      requestDraw(stage, isOfOthers(session.state(), message));
    },
    entering() {
      fetchAhead(stage);
      fetchWithRoom(late);
    },
    said: (said) => receiveSaid(late, said),
    rejoined: (v) => late.chat?.rejoined(v),
    chatReceivedUpTo: () => late.chat?.receivedUpTo() ?? 0,
    home,
    offerReload,
    draw: () => drawStage(stage),
    status,
    sound,
  },
  outdated,
);

/** @type {App} */
const app = {
  state: session.state,
  send(message) {
    if (!session.send(message)) status.say(strings.NOT_CONNECTED);
  },
  act: session.act,
  enter(opening, how) {
    late.showsLesson = how.startsAtOnce === true && !hasSeenLesson() && !hasMoved();
    session.enter(opening, how);
  },
  visit,
  leave,
  announce: status.say,
  readOut: status.readOut,
  reason: session.reason,
  speak: translate,
  openPreferences,
  now: session.now,
  sound,
};

const stage = makeStage(byId('screen'), app, SCREENS, {
  wanted,
  outdated,
  replacing: () => status.changeScreen(),
  replaced() {
    preferences.hidden = false;
    preferences.title = strings.PREFERENCES_TITLE;
    preferences.setAttribute('aria-label', strings.PREFERENCES_TITLE);
    late.chat?.moveToScreen();
  },
  focused: () => late.chat?.focused() ?? null,
  drawn(state) {
    updateLate(late, state, stage.key);
    wayBack.update();
    showConnection();
  },
});

const late = makeLateParts(app, status.sayLater, () => drawStage(stage));

const wayBack = bindWayBack({
  state: app.state,
  release: session.release,
  route,
  home,
});

/** Return the screen that the state and the address ask for. @returns {{name: Screen, key: string, code: string}} */
function wanted() {
  const path = location.pathname;
  const code = codeIn(path) ?? '';
  if (session.isOnTheWay()) return { name: 'seating', key: 'seating', code };
  if (session.isConnected()) {
    const name = screenOf(session.state());
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
  if (code && session.state().room?.code === code && session.isConnected()) return;
  session.release();
  status.clear(); // it was about another room
  if (code && invitationTo(code) === null) forgetRoom(code);
  if (code && storedSeat(code)) session.resume(code);
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
  session.release();
  history.pushState(null, '', '/');
  drawStage(stage);
}

/** Leave the room and give up the seat; during a race ask first. @param {unknown} [sure] true to skip the question */
async function leave(sure) {
  const racing = plays(session.state()) && sure !== true;
  const question = isOnlyRacer(session.state()) ? strings.ASK.leaveAlone : strings.ASK.leave;
  if (racing && !(await ask({ ...question, grave: true }))) return;
  session.giveUpSeat();
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

/** Load what a race needs, while the player types a name. */
function fetchRaceAhead() {
  session.fetchAhead();
  fetchAhead(stage);
}

/** Say why this page cannot go on, and load it again. @param {number} code of the close that says why */
async function offerReload(code) {
  await ask({ ...strings.ASK.closed, text: strings.closing(code) });
  location.reload();
}

/** Show the state of the connection. */
function showConnection() {
  sign.show(session.isConnected() ? session.state() : null, session.retryIn());
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
  if (name === 'keys') fetchClassic(late);
});
listen(preferences, 'click', openPreferences);
setInterval(showConnection, 1_000);
listen(window, 'popstate', wayBack.handleStep);
for (const type of ['online', 'offline']) listen(window, type, showConnection);
listen(window, 'online', resumeParts);
listen(window, 'pagehide', session.announceLeft);
for (const type of ['pointerdown', 'keydown'])
  listen(document, type, fetchRaceAhead, { once: true });
// A finger that goes down allows no sound in Safari: one that goes up does.
for (const type of ['pointerdown', 'pointerup', 'click', 'keydown'])
  listen(document, type, () => sound.wake(), { capture: true });
listen(document, 'click', prepareOffline, { once: true });
route();
fetchClassic(late);
setTimeout(session.fetchAhead, REST_MS);
