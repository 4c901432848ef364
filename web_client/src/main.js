// The root of the page. It defines the loads, connects the parts, and shows the screen for the current address and
// state. The front page comes with this module; the page of a link, rooms and results are loaded later.

import { makeSound } from './browser/sound.js';
import * as storage from './browser/storage.js';
import { bindLanding } from './landing/landing.js';
import { codeIn, invitationTo, roundIn, storeInvitation } from './page/addresses.js';
import { bindConnectionSign, drawTop } from './page/frame.js';
import { makeLoad, tryAgain, withCatalogue } from './page/loads.js';
import { bindAppearance, setPageState } from './page/looks.js';
import * as statusLine from './page/status.js';
import { changesOnlyOthers, EXPLAINED_MS, isTodaysRace, NOTHING, screenOf } from './state/state.js';
import { booted, speak, strings } from './strings/language.js';
import { h, listen, makeThrottle, set } from './widgets/element.js';

/**
 * @import {AppWith, Binder, Bound, Screen} from './page/app.d.ts'
 * @import {State} from './state/state.js'
 * @typedef {ReturnType<typeof makeRoom>} Room the session, its module, and the parts around its screens
 * @typedef {typeof import('./after-load.js')} AfterRace
 * @typedef {Partial<Record<Screen, Binder<AppWith<AfterRace>>>>} Binders
 */

/** The page of a link fetches the code for a room after this time. By then the page is drawn, even on a slow phone. */
const FETCH_AHEAD_MS = 1_000;
const WATCHING_MS = 500; // the least time between two updates of others' games, for spectators

/** The code for a room until the end of its race. It is fetched while the player types a name. */
const raceLoad = makeLoad(() => withCatalogue(import('./race-load.js')), ['race']);
/** The pages after a race, and the dialogs opened on request. No game needs them, so they are fetched during a race. */
const afterLoad = makeLoad(() => withCatalogue(import('./after-load.js')), ['race', 'after']);
/** The page of a room's link, and the page for a missing room or address. */
const joinLoad = makeLoad(() => import('./landing/join.js'), []);

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** The code that moves a seat to this device. It is removed from the address before anything else happens. */
let carriedCode = storage.takeCodeFromAddress();
const status = statusLine.bindStatus(byId('status'), () => wanted().key);
const sign = bindConnectionSign(byId('connection'), () => room?.sessions.reconnect(room.session));
const sound = makeSound();

/** The session and the code for rooms; null before the first room. @type {Room | null} */
let room = null;
/** The function that will enter a room once its load has arrived, if any. @type {((room: Room) => void) | null} */
let pendingEntry = null;
let showsLesson = false; // whether the lesson is shown over the next game
let showsTable = false; // whether a kept table's page replaces its lobby or its results
/** Parts whose code comes with `afterLoad`, such as the keys of 1987. Each is updated with every state. @type {Map<string, Pick<Bound, 'update'>>} */
const lateParts = new Map();

/** The shown screen, and its key from `wanted`. @type {{key: string, bound: Bound | null}} */
const stage = { key: '', bound: null };
let isDrawingRequested = false;
const drawOthers = makeThrottle(WATCHING_MS, () => requestDraw());

/** @returns {State} */
const state = () => room?.session.state ?? NOTHING;

/** @type {AppWith<AfterRace>} */
const app = {
  state,
  log: () => room?.session.log.events ?? [],
  send(message) {
    const isSent = Boolean(room?.sessions.send(room.session, message));
    if (!isSent) statusLine.say(status, strings.NOT_CONNECTED);
    return isSent;
  },
  act: (action) => room?.sessions.act(room.session, action),
  enter(opening, how) {
    // Beginners who start alone see the lesson over their first game.
    showsLesson = how.startsAtOnce === true && !storage.kept('lesson') && !storage.kept('moved');
    enterWith(({ session, sessions }) => sessions.enter(session, opening, how));
  },
  visit,
  leave: (sure) => (room ? room.sessions.leave(room.session, sure) : home()),
  showTable(isShown) {
    showsTable = isShown;
    requestDraw();
  },
  announce: (text) => statusLine.say(status, text),
  readOut: (text) => statusLine.readOut(status, text),
  reason: () => room?.session.reason ?? '',
  speak: translate,
  openLesson: () => afterLoad.use('lesson', (code) => code.showLesson()),
  openPreferences: () => afterLoad.use('preferences', (code) => code.openPreferences()),
  openTableMenu: ({ currentTarget }) =>
    afterLoad.use('menu', (code) => code.openTableMenu(app, { currentTarget })),
  showCarry: () => afterLoad.use('code of a seat', (code) => code.showCarry(app)),
  after: afterLoad,
  redraw: () => requestDraw(),
  now: () => room?.sessions.now(room.session) ?? Date.now(),
  sound,
};

/** The screens that come with this module. `seating` is shown while a seat is being taken, and explains a long wait. @type {Binders} */
const SCREENS = {
  landing: bindLanding,
  seating(root) {
    const words = h('p', { class: 'page-title seating' });
    const text = strings.BUTTONS.front;
    const front = h('button', { id: 'front', 'data-kind': 'primary', text, onclick: home });
    root.replaceChildren(h('div', { class: 'page page-title stack landing' }, words, front));
    let isExplained = false; // whether the screen has said that the server is looking for a deal
    let explainer = 0; // the timer that does so
    function explain() {
      isExplained = true;
      app.readOut(strings.DEAL_SEARCH);
      draw();
    }
    return {
      update({ connection, closeCode }) {
        const hasReason = closeCode !== 0 && connection !== 'on';
        const waitingText = isExplained ? strings.DEAL_SEARCH : strings.TAKING_SEAT;
        set(words, { text: hasReason ? strings.closing(closeCode) : waitingText });
        set(front, { hidden: !hasReason });
        if (room?.sessions.awaitsDeal(room.session))
          explainer ||= setTimeout(explain, EXPLAINED_MS);
      },
      unbind: () => clearTimeout(explainer),
    };
  },
};

/** The screens whose code comes with `afterLoad`. @type {ReadonlySet<string>} */
const AFTER_SCREENS = new Set('table results finished strategy day days ghost yours'.split(' '));
/** Screens by the start of their paths. @type {[string, Screen][]} */
const PATH_SCREENS = [
  ['/d/', 'day'],
  ['/g/', 'ghost'],
  ['/days', 'days'],
  ['/strategy', 'strategy'],
  ['/yours', 'yours'],
];

/** The screens without a visible heading: screen readers read the page's instead. @type {ReadonlySet<string>} */
const UNTITLED = new Set(['seating', 'waiting', 'room', 'countdown', 'race']);

/**
 * Return the screen to show now: for the room that the page is connected to, otherwise for the address.
 * @returns {{name: Screen, key: string, code: string}} a new `key` binds the screen again; `code` is the room's or ''
 */
function wanted() {
  const path = location.pathname;
  const code = codeIn(path) ?? '';
  if (pendingEntry || room?.sessions.isOnTheWay(room.session))
    return { name: 'seating', key: 'seating', code };
  if (room?.session.connection) {
    if (showsTable) return { name: 'table', key: 'table', code };
    const screen = screenOf(state());
    const isOfDay = screen === 'results' && isTodaysRace(state().room);
    const name = isOfDay ? 'day' : screen;
    return { name, key: name, code };
  }
  if (roundIn(path)) return { name: 'finished', key: `finished ${path}`, code };
  const [, screen] = PATH_SCREENS.find(([begin]) => path.startsWith(begin)) ?? [];
  if (screen) return { name: screen, key: `${screen} ${path}`, code };
  if (path === '/') return { name: 'landing', key: 'landing', code };
  const isInvited = /^\/r\//i.test(path) && code !== '' && invitationTo(code) !== null; // undefined: not known yet
  const name = isInvited ? 'join' : 'missing';
  return { name, key: `${name} ${path}`, code };
}

/** Draw in the next frame; in a race a little later if only games of others have changed, as they often do. @param {boolean} [onlyOthers] */
function requestDraw(onlyOthers = false) {
  if (isDrawingRequested) return;
  if (onlyOthers && stage.key === 'race') return drawOthers.request();
  isDrawingRequested = true;
  requestAnimationFrame(draw);
}

/** Show the wanted screen, and pass the state to it and to the parts around it. */
function draw() {
  isDrawingRequested = false;
  // The page of a kept table is shown only before and after races.
  showsTable &&= Boolean(state().room?.kept) && ['room', 'results'].includes(screenOf(state()));
  bindWanted();
  const shown = state();
  stage.bound?.update(shown);
  room?.company.update(shown);
  follow(shown);
  room?.wayBack.update();
  showConnection();
}

/** Return the load, a part of the page's code that is fetched when needed, that contains a screen. @param {Screen} name */
function loadOf(name) {
  if (name === 'join' || name === 'missing') return joinLoad;
  return AFTER_SCREENS.has(name) ? afterLoad : raceLoad;
}

/** Bind the wanted screen if it isn't bound. The old one stays until the new one is loaded; results may stay longer. */
function bindWanted() {
  const { name, key, code } = wanted();
  const isResult = key === 'results' || key === 'day';
  if (key === stage.key || (isResult && stage.bound?.staysFor?.(state()))) return;
  const load = loadOf(name);
  const bind = SCREENS[name] ?? /** @type {Binders | undefined} */ (load.code?.SCREENS)?.[name];
  if (!bind) return load.use('screen', draw);
  stage.key = key;
  const focused = room?.company.chat.focused(); // the chat keeps the focus on the next screen
  stage.bound?.unbind();
  statusLine.clearOldScreen(status);
  if (document.body.dataset.screen !== name) window.scrollTo(0, 0); // not if only the language has changed
  setPageState('screen', name);
  stage.bound = bind(byId('screen'), app, code);
  byId('heading').hidden = !UNTITLED.has(name);
  drawTop(byId('top'), app, stage.bound.top);
  room?.company.chat.moveToScreen();
  focused?.focus();
}

/** Call `enter` once `raceLoad` has arrived. @param {(room: Room) => void} enter takes or resumes the seat */
function enterWith(enter) {
  pendingEntry = enter;
  if (!raceLoad.code) draw(); // shows `seating` until then
  raceLoad.use('room', (code) => {
    pendingEntry = null;
    room ??= makeRoom(code);
    enter(room);
  });
}

/** Make the session and what surrounds a room's screens: the chat and the browser tab (`company`), and the Back button. @param {typeof import('./race-load.js')} code */
function makeRoom({ sessions, bindCompany, bindWayBack }) {
  const wayBack = bindWayBack({ state, release, route, home });
  const company = bindCompany(app, (words) => statusLine.sayLater(status, words));
  const session = sessions.makeSession({
    newsOfGame: (change) => stage.bound?.newsOfGame?.(change) ?? '',
    changed(message) {
      company.updateTab();
      requestDraw(changesOnlyOthers(state(), message));
    },
    said: company.receive,
    rejoined: company.chat.rejoined,
    chatReceivedUpTo: company.chat.receivedUpTo,
    home,
    draw,
    status,
    sound,
  });
  return { session, sessions, company, wayBack };
}

/** Close the connection, and stop waiting for `raceLoad` to enter a room. The seat is kept. */
function release() {
  pendingEntry = null;
  raceLoad.drop('room');
  room?.sessions.release(room.session);
}

/** Update the parts that `afterLoad` has brought, load others once they are needed, and show a beginner the lesson. @param {State} shown */
function follow(shown) {
  for (const each of lateParts.values()) each.update(shown);
  if (shown.room?.state === 'RUNNING') afterLoad.fetchAhead();
  if (shown.room?.settings.score === 'dos' && !storage.kept('asked-first'))
    bindOnce('first questions', (code) => code.bindFirstQuestions(app)); // as the DOS program asks
  if (!showsLesson || !shown.play || stage.key !== 'race') return;
  showsLesson = false;
  storage.keep('lesson', true);
  afterLoad.use('lesson', (code) => code.showFirstLesson(app));
}

/** If the player prefers the keys of 1987, bind those that work between games. */
function bindClassic() {
  if (storage.preference('keys') === 'classic')
    bindOnce('keys of 1987', (code) => code.bindBetweenGames(app));
}

/**
 * Bind a part whose code comes with `afterLoad`, once that is here, unless the part is already bound.
 * @param {string} name @param {(code: AfterRace) => Pick<Bound, 'update'>} bind
 */
function bindOnce(name, bind) {
  if (lateParts.has(name)) return;
  afterLoad.use(name, (code) => {
    lateParts.set(name, bind(code));
    requestDraw();
  });
}

/** Show the page of the current address: a room, where this browser may have a seat, or another page. */
function route() {
  const isRoom = /^\/r\//i.test(location.pathname) && !roundIn(location.pathname);
  const code = isRoom ? codeIn(location.pathname) : null;
  const carried = carriedCode || storage.takeCodeFromAddress(); // moves a seat to this device
  carriedCode = '';
  if (code) storage.takeSeatFromAddress(code);
  const isInRoom = code !== null && state().room?.code === code && room?.session.connection;
  if (isInRoom && !carried) return; // it is shown already
  release();
  statusLine.clear(status); // its sentences are about the old page
  if (code && invitationTo(code) === null) storage.forgetRoom(code); // it does not exist any more
  if (code && carried)
    enterWith(({ session, sessions }) => sessions.takeOver(session, code, carried));
  else if (code && storage.storedSeat(code))
    enterWith(({ session, sessions }) => sessions.resume(session, code));
  draw();
}

/** Show the page of a room, or of one of its finished rounds. @param {string} code @param {number} [n] of the round */
function visit(code, n) {
  const path = n ? `/r/${code}/${n}` : `/r/${code}`;
  if (location.pathname !== path) history.pushState(storage.seatInHistory(code), '', path);
  route();
}

/** Close the connection and show the front page. The seat is kept. */
function home() {
  release();
  history.pushState(null, '', '/');
  draw();
}

/** Show the screen again in another language, with the same state. @param {string} language */
async function translate(language) {
  if (!(await speak(language))) return;
  document.documentElement.lang = language;
  storage.keep('language', language);
  stage.key = ''; // bind the screen again, with the new sentences
  draw();
  document.getElementById('language')?.focus(); // `draw` has replaced the language field
}

function showConnection() {
  const seconds = room ? room.sessions.retryIn(room.session) : 0;
  sign.show(room?.session.connection ? state() : null, seconds);
}

const invitation = document.querySelector('meta[name="room"]')?.getAttribute('content');
storeInvitation(location.pathname, invitation);
bindAppearance();
// Everything below may show text: wait for the strings, which come late on a slow network.
document.documentElement.lang = await booted;
storage.onPreference((name) => {
  sound.wake();
  if (name === 'volume' || name === 'muted') sound.play('put'); // an example of the new volume
  if (name === 'keys') bindClassic();
});
setInterval(showConnection, 1_000);
listen(window, 'popstate', () => (room ? room.wayBack.handleStep() : route()));
for (const type of ['online', 'offline']) listen(window, type, showConnection);
listen(window, 'online', tryAgain);
listen(window, 'pagehide', () => room?.sessions.tellOtherTabs(room.session));
for (const type of ['pointerdown', 'keydown'])
  listen(document, type, raceLoad.fetchAhead, { once: true });
// Safari allows sound when a finger goes up, not when it goes down.
for (const type of ['pointerdown', 'pointerup', 'click', 'keydown'])
  listen(document, type, () => sound.wake(), { capture: true });
listen(document, 'click', storage.prepareForOffline, { once: true });
route();
bindClassic();
if (codeIn(location.pathname)) setTimeout(raceLoad.fetchAhead, FETCH_AHEAD_MS);
