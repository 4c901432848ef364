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
  /** Whether the mark is being taken away: a step in the history takes its time. */
  let unmarking = false;
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
      if (!leaving && !unmarking && plays(state())) {
        confirm();
        return;
      }
      leaving = false;
      unmarking = false;
      route();
    },
    /** Mark the history while a race is on. */
    update() {
      const racing = plays(state());
      if (leaving || unmarking || !state().room || racing === isMarked()) return;
      unmarking = !racing;
      if (racing) history.pushState(MARK, '', pathOf());
      else history.back();
    },
  };
}
