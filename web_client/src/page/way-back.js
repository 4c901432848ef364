// The browser's Back button during a race: the page asks before it leaves.
//
// While this player races, the browser's history has a marked entry after the entry of the room. So going back only
// leaves the marked entry; the page adds it again and asks.

import { seatInHistory } from '../browser/storage.js';
import { isOnlyRacer, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/dialogs.js';

/** @import {State} from '../state/state.js' */

/** A step in the history takes no longer than this. If it has not happened by then, there was no entry to go to. */
const MAX_STEP_MS = 500;

const isMarked = () => history.state?.race === true;

/**
 * Step back from the marked entry to the room's own; return false if the previous entry is not the room's. A page that
 * was reloaded while it added the mark may have no other entry or, in Chromium, a wrong position in the history: then
 * one step back would leave the room. So the step names its target, if the browser can do that.
 * @param {() => void} failed called if the browser does not make the step
 */
function stepBack(failed) {
  const { navigation } = globalThis;
  if (!navigation?.currentEntry) {
    history.back(); // this browser cannot name entries
    return true;
  }
  const previous = navigation.entries()[navigation.currentEntry.index - 1];
  if (previous?.url !== location.href) return false;
  const { committed, finished } = navigation.traverseTo(previous.key);
  committed?.catch(failed);
  finished?.catch(() => {}); // it fails together with `committed`
  return true;
}

/**
 * Bind the Back button, so that it asks before it leaves a race. Until the race ends, a second, marked entry for the
 * room is in the history, so that a first step back does not leave the room.
 * @param {{state: () => State, release: () => void, route: () => void, home: () => void}} page `release` closes the
 *   connection and keeps the seat, `route` shows the page of the address, and `home` the front page
 */
export function bindWayBack({ state, release, route, home }) {
  let isLeaving = false; // from the player's answer until the browser has left the room
  let isUnmarking = false; // while the page itself steps back from the marked entry, until the `popstate`
  const code = () => state().room?.code ?? '';
  const addMark = () =>
    history.pushState({ race: true, ...seatInHistory(code()) }, '', `/r/${code()}`);

  /** Remove the mark from the current entry, without going back. */
  function unmark() {
    isUnmarking = false;
    if (isMarked()) history.replaceState(seatInHistory(code()), '', `/r/${code()}`);
  }

  /** After a step back from the marked entry, add it again and ask; leave the race if the player confirms. */
  async function confirmLeaving() {
    addMark();
    const question = isOnlyRacer(state()) ? strings.ASK.backAlone : strings.ASK.back;
    if (!(await ask({ ...question, grave: true }))) return;
    isLeaving = true;
    release();
    // Go back past the marked entry and the room's own. If the race has ended meanwhile, there is no marked one.
    history.go(isMarked() ? -2 : -1);
    // The `popstate` of this step resets `isLeaving`. If it does not come, the room was the first entry.
    setTimeout(() => {
      if (isLeaving) home();
      isLeaving = false;
    }, MAX_STEP_MS);
  }

  return {
    /** Handle a step in the history: ask a player who is racing, otherwise show the page of the new address. */
    handleStep() {
      if (!isLeaving && !isUnmarking && plays(state())) return confirmLeaving();
      isLeaving = false;
      isUnmarking = false;
      route();
    },
    /** Add the marked entry when this player's race starts, and remove it when the race ends. */
    update() {
      const isStepping = isLeaving || isUnmarking;
      const isRacing = plays(state());
      if (isStepping || !state().room || isRacing === isMarked()) return; // during a step, wait for the update after it
      isUnmarking = !isRacing;
      if (isRacing) addMark();
      else if (!stepBack(unmark)) unmark();
    },
  };
}
