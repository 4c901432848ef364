// The screens: how each is loaded, and which one is shown.
//
// The code, style sheets and sentences of a screen are loaded when it is first needed or a player
// begins to play, so that the front page is shown at once. If a screen cannot be loaded because the
// server has another version of the page, only a reload helps.

import { fetchStrings, strings } from '../core/language.js';
import { makeThrottle } from '../core/throttle.js';
import { h, loadSheet } from './element.js';
import { forgetPart, needPart } from './lazy-part.js';
import { setPageState } from './page-state.js';
import { isOfOtherVersion } from './page-version.js';

/**
 * @import {Feature} from '../core/language.js'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @typedef {{update: (state: State) => void, unbind: () => void}} Bound
 * @typedef {(root: HTMLElement, app: App, code: string) => Bound} Binder
 * @typedef {'landing' | 'join' | 'missing' | 'seating' | 'waiting' | 'room' | 'countdown' | 'race' | 'results'
 *   | 'finished' | 'strategy'} Screen
 * @typedef {object} Parts
 * @property {() => Promise<Binder>} code
 * @property {readonly Feature[]} strings
 * @property {readonly string[]} sheets in order: later ones refine the earlier
 * @typedef {object} Surroundings the page around the screens
 * @property {() => {name: Screen, key: string, code: string}} wanted the screen to show; it is bound
 *   anew if `key` has changed
 * @property {() => void} outdated this page cannot load a screen any more
 * @property {() => void} replacing a screen is about to be replaced
 * @property {() => void} replaced another screen is shown
 * @property {() => HTMLElement | null} focused an element that keeps the focus on the next screen
 * @property {(state: State) => void} drawn
 * @typedef {object} Stage
 * @property {HTMLElement} root
 * @property {App} app
 * @property {Surroundings} page
 * @property {string} key of the shown screen
 * @property {Screen | ''} awaited the screen that is being loaded to be shown
 * @property {Bound | null} bound the shown screen
 * @property {boolean} requested whether a drawing is scheduled
 * @property {ReturnType<typeof makeThrottle>} throttle for drawings of the play of others
 */

/** @type {Readonly<Record<Exclude<Screen, 'seating'>, Parts>>} */
const SCREENS = {
  landing: {
    code: async () => (await import('../landing/landing.js')).bindLanding,
    strings: [],
    sheets: [],
  },
  join: {
    code: async () => (await import('../landing/join.js')).bindJoin,
    strings: ['join'],
    sheets: [],
  },
  missing: {
    code: async () => (await import('../landing/missing.js')).bindMissing,
    strings: ['join'],
    sheets: [],
  },
  waiting: {
    code: async () => (await import('../room/join-requests.js')).bindWaiting,
    strings: ['admission'],
    sheets: [],
  },
  room: {
    code: async () => (await import('../room/room.js')).bindRoom,
    strings: ['room', 'admission', 'rules', 'match', 'host', 'lesson'],
    sheets: ['room', 'lesson'],
  },
  countdown: {
    code: async () => (await import('../race/countdown.js')).bindCountdown,
    strings: ['deal'],
    sheets: ['room'],
  },
  race: {
    code: async () => (await import('../race/race.js')).bindRace,
    strings: ['race', 'board'],
    sheets: ['board', 'race'],
  },
  results: {
    code: async () => (await import('../results/results.js')).bindResults,
    strings: ['results', 'replay', 'board', 'match', 'deal'],
    sheets: ['room', 'board', 'results', 'replay'],
  },
  finished: {
    code: async () => (await import('../results/finished.js')).bindFinished,
    strings: ['results', 'replay', 'board', 'deal'],
    sheets: ['board', 'results', 'replay'],
  },
  strategy: {
    code: async () => (await import('../strategy/strategy.js')).bindStrategy,
    strings: [],
    sheets: ['strategy'],
  },
};

/** A screen that failed so often because the server has no such file ends this version of the page. */
const MAX_FAILURES = 3;

/** Bind the screen that is shown while the seat is being taken. @type {Binder} */
function bindSeating(root) {
  root.replaceChildren(h('p', { class: 'page seating', text: strings.TAKING_SEAT }));
  return { update() {}, unbind() {} };
}

/** The loaded screens. @type {Map<Screen, Binder>} */
const loadedScreens = new Map([['seating', bindSeating]]);

/** The screens that are being loaded. @type {Map<Screen, Promise<Binder>>} */
const loadingScreens = new Map();

/** Load a screen, once at a time. @param {Exclude<Screen, 'seating'>} name @returns {Promise<Binder>} */
function loadScreen(name) {
  const { code, strings: features, sheets } = SCREENS[name];
  const loading =
    loadingScreens.get(name) ??
    Promise.all([code(), fetchStrings(...features), ...sheets.map(loadSheet)])
      .then(([bind]) => {
        loadedScreens.set(name, bind);
        return bind;
      })
      .finally(() => loadingScreens.delete(name));
  loadingScreens.set(name, loading);
  return loading;
}

/** Return the name under which a screen is loaded. @param {Screen | ''} name */
const partOf = (name) => `screen ${name}`;

/** Load the wanted screen and show it, or find that the server has another version of it. @param {Stage} stage @param {Exclude<Screen, 'seating'>} name */
function fetchWanted(stage, name) {
  if (stage.awaited !== name) forgetPart(partOf(stage.awaited));
  stage.awaited = name;
  let misfits = 0;
  needPart(
    partOf(name),
    () => loadScreen(name),
    () => drawStage(stage),
    (error) => {
      misfits = isOfOtherVersion(error) ? misfits + 1 : 0;
      if (misfits < MAX_FAILURES) return;
      forgetPart(partOf(name));
      stage.page.outdated();
    },
  );
}

/** Load all screens of a race ahead, while the player types a name or waits for others. */
export function fetchAhead() {
  const { strategy: _strategy, ...screensOfRace } = SCREENS;
  for (const name of /** @type {(keyof typeof SCREENS)[]} */ (Object.keys(screensOfRace)))
    if (!loadedScreens.has(name)) loadScreen(name).catch(() => {}); // loaded when it is wanted
}

/** The least time between two drawings of the play of others, for spectators. */
const WATCHING_MS = 500;

/** Make the stage, which shows one screen at a time. @param {HTMLElement} root @param {App} app @param {Surroundings} page */
export function makeStage(root, app, page) {
  /** @type {Stage} */
  const stage = {
    root,
    app,
    page,
    key: '',
    awaited: '',
    bound: null,
    requested: false,
    throttle: makeThrottle(WATCHING_MS, () => requestDraw(stage, false)),
  };
  return stage;
}

/** Draw in the next frame, or later if only the play of others has changed. @param {Stage} stage @param {boolean} ofOthers */
export function requestDraw(stage, ofOthers) {
  if (stage.requested) return;
  if (ofOthers && stage.key === 'race') {
    stage.throttle.request();
    return;
  }
  stage.requested = true;
  requestAnimationFrame(() => drawStage(stage));
}

/** Show the wanted screen and the state on it. @param {Stage} stage */
export function drawStage(stage) {
  stage.requested = false;
  bindWanted(stage);
  const state = stage.app.state();
  stage.bound?.update(state);
  stage.page.drawn(state);
}

/** Bind the wanted screen; the old one stays until the new one is loaded. @param {Stage} stage */
function bindWanted(stage) {
  const { root, app, page } = stage;
  const { name, key, code } = page.wanted();
  if (key === stage.key) return;
  const bind = loadedScreens.get(name);
  if (!bind) {
    if (name !== 'seating') fetchWanted(stage, name);
    return;
  }
  forgetPart(partOf(stage.awaited));
  stage.awaited = '';
  stage.key = key;
  const focused = page.focused();
  stage.bound?.unbind();
  page.replacing();
  if (document.body.dataset.screen !== name) window.scrollTo(0, 0);
  setPageState('screen', name);
  stage.bound = bind(root, app, code);
  page.replaced();
  focused?.focus();
}
