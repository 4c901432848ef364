// The switch from this player's table to the race of the others, when the own game is over. A table
// that was won stays for a moment.

import { isCalm } from '../shared/appearance.js';
import { setPageState } from '../shared/page-state.js';
import { isDone, isWatching } from './watching.js';

/**
 * @import {TableView} from '../core/notation.js'
 * @import {State} from '../core/reducer.js'
 * @typedef {object} Parts
 * @property {HTMLElement} element the race
 * @property {HTMLElement} felt
 * @property {{element: HTMLElement}} gameOver
 * @property {{element: HTMLElement}} grid
 * @property {TableView | null} drawn
 */

/** The time for which a table that was won is still shown. */
const WON_TABLE_MS = 2_000;

/** Make the switch. @param {Parts} parts @param {() => void} redraw */
export function makeWatchSwitch(parts, redraw) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let done = false;
  setPageState('watching', 'false');

  /** Return whether a table that was won is still shown. Call it with each state. @param {State} state */
  function showsWonTable(state) {
    const wasDone = done;
    done = isDone(state);
    if (done && !wasDone && parts.drawn?.outcome === 'won' && !isCalm())
      timer = setTimeout(() => {
        timer = undefined;
        redraw();
      }, WON_TABLE_MS);
    return timer !== undefined;
  }

  /** Show the race of the others, or the table. @param {boolean} watching */
  function show(watching) {
    const { element, felt, gameOver, grid } = parts;
    if (element.classList.contains('race-watching') === watching) return;
    const wasFocused = felt.contains(document.activeElement);
    element.classList.toggle('race-watching', watching);
    setPageState('watching', String(watching));
    grid.element.hidden = !watching;
    if (watching) grid.element.prepend(gameOver.element);
    else felt.append(gameOver.element);
    if (watching && wasFocused) grid.element.focus({ preventScroll: true });
  }

  return {
    /** Show the table or the race of the others. @param {State} state */
    update: (state) => show(isWatching(state) && !showsWonTable(state)),
    unbind: () => clearTimeout(timer),
  };
}
