// The screens: how each is loaded, and which one is shown.
//
// The code, style sheets and sentences of a screen come when it is first needed or somebody begins
// to play, so that the front page is there at once. A screen that cannot be loaded although the
// server answers belongs to another build of the page: then only a reload helps.

import { fetchStrings, strings } from '../core/language.js';
import { makeThrottle } from '../core/throttle.js';
import { h, loadSheet } from './element.js';

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
 * @property {() => {name: Screen, key: string, code: string}} wanted the screen to show; another
 *   `key` puts it up anew
 * @property {() => void} outdated this page cannot load a screen any more
 * @property {() => void} replacing a screen is about to go
 * @property {() => void} replaced another screen is there
 * @property {() => HTMLElement | null} focused an element that keeps the focus on the next screen
 * @property {(state: State) => void} drawn
 * @typedef {object} Stage
 * @property {HTMLElement} root
 * @property {App} app
 * @property {Surroundings} page
 * @property {string} key of the shown screen
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
    strings: ['race', 'board', 'host', 'admission'],
    sheets: ['room', 'board', 'race'],
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

const RETRY_MS = 1_000;
const MAX_FAILURES = 3;
let failures = 0;

/** The screen that stands while the seat is taken. @type {Binder} */
function bindSeating(root) {
  root.replaceChildren(h('p', { class: 'page seating', text: strings.TAKING_SEAT }));
  return { update() {}, unbind() {} };
}

/** Screens that are at hand. @type {Map<Screen, Binder>} */
const ready = new Map([['seating', bindSeating]]);

/** @param {Screen} name @returns {Promise<Binder>} */
async function load(name) {
  if (name === 'seating') return bindSeating;
  const parts = SCREENS[name];
  const late = [fetchStrings(...parts.strings), ...parts.sheets.map(loadSheet)];
  const [bind] = await Promise.all([parts.code(), ...late]);
  ready.set(name, bind);
  return bind;
}

/** Return whether the server answers at all. */
const answers = async () => (await fetch('/', { method: 'HEAD' }).catch(() => null))?.ok ?? false;

/**
 * Return the binder of a screen if it is at hand, and load it otherwise.
 *
 * @param {Screen} name
 * @param {() => void} loaded called when it is at hand, and when it is time to ask again
 * @param {() => void} outdated called when this page cannot load it any more
 * @returns {Binder | undefined}
 */
function binder(name, loaded, outdated) {
  const found = ready.get(name);
  if (!found)
    load(name).then(
      () => {
        failures = 0;
        loaded();
      },
      async () => {
        if (await answers()) failures += 1;
        if (failures === MAX_FAILURES) outdated();
        else setTimeout(loaded, RETRY_MS);
      },
    );
  return found;
}

/** Load all screens of a race, while somebody types a name or the room fills. */
export function fetchAhead() {
  const { strategy: _aside, ...race } = SCREENS;
  for (const name of /** @type {Screen[]} */ (Object.keys(race))) load(name).catch(() => {});
}

/** Two drawings of the play of others are so far apart, for spectators. */
const WATCHING_MS = 500;

/** Make the stage on which one screen stands at a time. @param {HTMLElement} root @param {App} app @param {Surroundings} page */
export function makeStage(root, app, page) {
  /** @type {Stage} */
  const stage = {
    root,
    app,
    page,
    key: '',
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

/** Put up the wanted screen; the old one stays until the new one is at hand. @param {Stage} stage */
function bindWanted(stage) {
  const { root, app, page } = stage;
  const { name, key, code } = page.wanted();
  if (key === stage.key) return;
  const bind = binder(name, () => drawStage(stage), page.outdated);
  if (!bind) return;
  stage.key = key;
  const focused = page.focused();
  stage.bound?.unbind();
  page.replacing();
  if (document.body.dataset.screen !== name) window.scrollTo(0, 0);
  document.body.dataset.screen = name;
  stage.bound = bind(root, app, code);
  page.replaced();
  focused?.focus();
}
