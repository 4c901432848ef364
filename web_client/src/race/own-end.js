// The end of the own game while others still race: the race of the others takes the place of the
// table, after a last look at a game that was won.

import { isCalm } from '../shared/appearance.js';
import { isDone, isWatching } from './watching.js';

/**
 * @import {TableView} from '../core/notation.js'
 * @import {State} from '../core/reducer.js'
 * @typedef {object} Places
 * @property {HTMLElement} element the race
 * @property {HTMLElement} felt
 * @property {{element: HTMLElement}} gameOver
 * @property {{element: HTMLElement}} grid
 * @property {TableView | null} drawn
 */

const LAST_LOOK_MS = 2_000;

/** @param {Places} places @param {() => void} redraw */
export function makeOwnEnd(places, redraw) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;
  let done = false;

  /** Return whether the end of a won game is still looked at. @param {State} state */
  function lastLook(state) {
    const was = done;
    done = isDone(state);
    if (done && !was && places.drawn?.outcome === 'won' && !isCalm())
      leaving = setTimeout(() => {
        leaving = undefined;
        redraw();
      }, LAST_LOOK_MS);
    return leaving !== undefined;
  }

  /** Show the race of the others, or the table again. @param {boolean} on */
  function show(on) {
    const { element, felt, gameOver, grid } = places;
    if (element.classList.contains('race-watching') === on) return;
    const focused = felt.contains(document.activeElement);
    element.classList.toggle('race-watching', on);
    grid.element.hidden = !on;
    if (on) grid.element.prepend(gameOver.element);
    else felt.append(gameOver.element);
    if (on && focused) grid.element.focus({ preventScroll: true });
  }

  return {
    /** Show what is to be seen, and return whether it is the race of the others. @param {State} state */
    update(state) {
      const on = isWatching(state) && !lastLook(state);
      show(on);
      return on;
    },
    unbind: () => clearTimeout(leaving),
  };
}
