// The stage, which shows one screen at a time, and draws the state on it.

import { makeThrottle } from '../widgets/element.js';
import { setPageState } from './appearance.js';

/**
 * @import {State} from '../state/state.js'
 * @import {App, Binder, Bound, Screen} from './app.d.ts'
 * @typedef {object} Wanted the screen to show; it is bound anew if `key` has changed
 * @property {Screen} name
 * @property {string} key
 * @property {string} code of the room, or ''
 * @typedef {object} Surroundings the page around the screens
 * @property {() => Wanted} wanted
 * @property {(name: Screen) => Binder | undefined} binderOf a screen; undefined until it is loaded
 * @property {(name: Screen) => void} fetch load a screen, and draw the stage then
 * @property {() => void} replacing a screen is about to be replaced
 * @property {() => void} replaced another screen is shown
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

/** The least time between two drawings of the play of others, for spectators. */
const WATCHING_MS = 500;

/** Make the stage. @param {HTMLElement} root @param {App} app @param {Surroundings} page */
export function makeStage(root, app, page) {
  /** @type {Stage} */
  const stage = {
    ...{ root, app, page, key: '', bound: null, requested: false },
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
  const bind = page.binderOf(name);
  if (!bind) {
    page.fetch(name);
    return;
  }
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
