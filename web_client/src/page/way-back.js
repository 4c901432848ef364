// The browser's Back button during a race: the page asks before it leaves.
//
// While this player races, the history has a marked entry after the entry of the room. Going back
// removes only the marked entry; the page adds it again and asks.

import { seatInHistory } from '../browser/storage.js';
import { isOnlyRacer, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/dialogs.js';

/**
 * @import {State} from '../state/state.js'
 * @typedef {object} Page
 * @property {() => State} state
 * @property {() => void} release gives up the connection; the seat is kept
 * @property {() => void} route shows the page of the address
 * @property {() => void} home shows the front page
 */

const MARK = { race: true };
/** The longest step in the history; if the room is its first entry, there is no step back. */
const MAX_STEP_MS = 500;

const isMarked = () => history.state?.race === true;

/**
 * Step back from the marked entry to the room's own; return false if the one before is not the room's. A
 * page that is reloaded while it adds the mark may have no other entry, or, in Chromium, a wrong place in
 * the history: one step back would leave the room. So the entry is named where the browser can.
 * @param {() => void} failed called if the browser does not make the step
 */
function stepBack(failed) {
  const { navigation } = globalThis;
  if (!navigation?.currentEntry) {
    history.back(); // the browser can name no entry
    return true;
  }
  const previous = navigation.entries()[navigation.currentEntry.index - 1];
  if (previous?.url !== location.href) return false;
  const { committed, finished } = navigation.traverseTo(previous.key);
  committed?.catch(failed);
  finished?.catch(() => {}); // it fails with the other one
  return true;
}

/** Bind the Back button, which leaves a race only after a question. @param {Page} page */
export function bindWayBack({ state, release, route, home }) {
  let leaving = false; // from the player’s answer until the step out of the room is over
  /** Whether the marked entry is being removed, which ends with a later event. */
  let unmarking = false;
  const code = () => state().room?.code ?? '';
  const addMark = () =>
    history.pushState({ ...MARK, ...seatInHistory(code()) }, '', `/r/${code()}`);

  /** Take the mark from the entry that is shown, where no step back removes it. */
  function unmark() {
    unmarking = false;
    if (isMarked()) history.replaceState(seatInHistory(code()), '', `/r/${code()}`);
  }

  /** Add the entry again and ask; leave the race if the player confirms. */
  async function confirmLeaving() {
    addMark();
    const question = isOnlyRacer(state()) ? strings.ASK.backAlone : strings.ASK.back;
    if (!(await ask({ ...question, grave: true }))) return;
    leaving = true;
    release();
    // Over the marked entry and the room's own. If the race has ended meanwhile, the marked one is gone.
    history.go(isMarked() ? -2 : -1);
    // The step is an event, which sets `leaving` back; without one, the room was the first entry.
    setTimeout(() => {
      if (leaving) home();
      leaving = false;
    }, MAX_STEP_MS);
  }

  return {
    /** Handle a step in the history: ask if the player races and has made it, else show the page. */
    handleStep() {
      if (!leaving && !unmarking && plays(state())) {
        confirmLeaving();
        return;
      }
      leaving = false;
      unmarking = false;
      route();
    },
    /** Add the marked entry when this player's race begins, and remove it when that ends. */
    update() {
      const isStepping = leaving || unmarking;
      const racing = plays(state());
      if (isStepping || !state().room || racing === isMarked()) return; // a later update does it
      unmarking = !racing;
      if (racing) addMark();
      else if (!stepBack(unmark)) unmark();
    },
  };
}
