// The search for a deal that can be won, for which a race may wait some seconds: the player who wants to
// start sees why nothing happens.

/** @import {State} from '../state/state.js' */

/** The time after which a start that is not answered is explained. */
const EXPLAINED_MS = 700;

/** Return whether a start may wait for a deal. @param {State} state */
export function mayAwaitDeal({ room, starting }) {
  const settings = room?.settings;
  return starting !== null && settings?.winnable === true && settings.deal === 'secret';
}

/** Make the watch for starts that wait. @param {() => void} show explains the wait */
export function makeDealSearch(show) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isShown = false;
  /** Forget the start. */
  function end() {
    clearTimeout(timer);
    timer = undefined;
    isShown = false;
  }
  return {
    /** Follow the start of this player, if there is one. Call it with each state. @param {State} state */
    update(state) {
      if (!mayAwaitDeal(state)) {
        end();
        return;
      }
      timer ??= setTimeout(() => {
        isShown = true;
        show();
      }, EXPLAINED_MS);
    },
    /** Return whether the wait is explained now. */
    isShown: () => isShown,
    unbind: end,
  };
}
