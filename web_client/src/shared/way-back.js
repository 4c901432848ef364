// The browser's way back in the middle of a race: it asks first.
//
// While this player races, an entry of its own lies on top of the room's in the history. Going back
// takes only that entry away, and puts it there again until the player has answered.

import { strings } from '../core/language.js';
import { plays } from '../core/reducer.js';
import { ask } from './ask.js';

/**
 * @import {State} from '../core/reducer.js'
 * @typedef {object} Way
 * @property {() => State} state
 * @property {() => void} release gives up the connection; the seat is kept
 * @property {() => void} route shows the page of the address
 * @property {() => void} home shows the front page
 */

const MARK = { race: true };
/** Where the history begins with the room, going back further does nothing. */
const NO_WAY_MS = 500;

const isMarked = () => history.state?.race === true;

/** Bind the way back. @param {Way} way */
export function bindWayBack({ state, release, route, home }) {
  let leaving = false;
  const pathOf = () => `/r/${state().room?.code}`;

  async function confirm() {
    history.pushState(MARK, '', pathOf());
    if (!(await ask({ ...strings.ASK.back, grave: true }))) return;
    leaving = true;
    release();
    history.go(isMarked() ? -2 : -1);
    setTimeout(() => {
      if (leaving) home();
      leaving = false;
    }, NO_WAY_MS);
  }

  return {
    /** Handle a step in the history. */
    step() {
      if (!leaving && plays(state())) {
        confirm();
        return;
      }
      leaving = false;
      route();
    },
    /** Mark the history while a race is on. */
    update() {
      const racing = plays(state());
      if (leaving || !state().room || racing === isMarked()) return;
      if (racing) history.pushState(MARK, '', pathOf());
      else history.back();
    },
  };
}
