// The stage, which loads screens and shows one at a time. If a screen cannot be loaded because the
// server has another version of the page, only a reload helps.

import { fetchStrings, strings } from '../strings/language.js';
import { h, loadSheet } from '../widgets/element.js';
import { forgetPart, needPart } from './lazy-part.js';
import { setPageState } from './page-state.js';
import { makeThrottle } from './throttle.js';

/**
 * @import {Load} from '../strings/language.js'
 * @import {State} from '../state/state.js'
 * @import {App, Binder, Bound, Screen} from './app.d.ts'
 * @typedef {Exclude<Screen, 'seating'>} LoadedScreen
 * @typedef {Readonly<Record<LoadedScreen, Parts>>} Screens
 * @typedef {object} Parts
 * @property {() => Promise<Binder>} code
 * @property {readonly Load[]} strings
 * @property {readonly string[]} [sheets] in order: later ones refine the earlier
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
 * @property {Screens} screens
 * @property {Map<Screen, Binder>} loaded
 * @property {Map<Screen, Promise<Binder>>} loading
 * @property {string} key of the shown screen
 * @property {Screen | ''} awaited the screen that is being loaded to be shown
 * @property {Bound | null} bound the shown screen
 * @property {boolean} requested whether a drawing is scheduled
 * @property {ReturnType<typeof makeThrottle>} throttle for drawings of the play of others
 */

/** Bind the screen that is shown while the seat is being taken. @type {Binder} */
function bindSeating(root) {
  root.replaceChildren(h('p', { class: 'page page-seating', text: strings.TAKING_SEAT }));
  return { update() {}, unbind() {} };
}

/** Load a screen, once at a time. @param {Stage} stage @param {LoadedScreen} name */
function loadScreen({ screens, loaded, loading }, name) {
  const { code, strings: loads, sheets = [] } = screens[name];
  const screen =
    loading.get(name) ??
    Promise.all([code(), fetchStrings(...loads), ...sheets.map(loadSheet)])
      .then(([bind]) => {
        loaded.set(name, bind);
        return bind;
      })
      .finally(() => loading.delete(name));
  loading.set(name, screen);
  return screen;
}

/** Return the name under which a screen is loaded. @param {Screen | ''} name */
const partOf = (name) => `screen ${name}`;

/** Load the wanted screen and show it, or find that the server has another version of it. @param {Stage} stage @param {LoadedScreen} name */
function fetchWanted(stage, name) {
  if (stage.awaited !== name) forgetPart(partOf(stage.awaited));
  stage.awaited = name;
  needPart(
    partOf(name),
    () => loadScreen(stage, name),
    () => drawStage(stage),
    stage.page.outdated,
  );
}

/** Load all screens of a race ahead, while the player types a name or waits for others. @param {Stage} stage */
export function fetchAhead(stage) {
  const { strategy: _strategy, ...screensOfRace } = stage.screens;
  for (const name of /** @type {LoadedScreen[]} */ (Object.keys(screensOfRace)))
    if (!stage.loaded.has(name)) loadScreen(stage, name).catch(() => {}); // loaded when it is wanted
}

/** The least time between two drawings of the play of others, for spectators. */
const WATCHING_MS = 500;

/** Make the stage. @param {HTMLElement} root @param {App} app @param {Screens} screens @param {Surroundings} page */
export function makeStage(root, app, screens, page) {
  /** @type {Stage} */
  const stage = {
    root,
    app,
    screens,
    page,
    loaded: new Map([['seating', bindSeating]]),
    loading: new Map(),
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
  const bind = stage.loaded.get(name);
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
