// The switch from this player's table to the race of the others, when the own game is over. A table
// that was won stays for a moment. The report of the race stands where boards are hidden, or else at the
// side.

import { isCalm } from '../page/appearance.js';
import { setPageState } from '../page/page-state.js';
import { isDone, isWatching, watchable } from './watching.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
 * @typedef {object} Parts
 * @property {HTMLElement} felt
 * @property {{element: HTMLElement}} gameOver
 * @property {{element: HTMLElement}} grid
 * @property {{element: HTMLElement}} report
 * @property {HTMLElement} side
 * @property {() => TableView | null} drawn the drawn table
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
    if (done && !wasDone && parts.drawn()?.outcome === 'won' && !isCalm())
      timer = setTimeout(() => {
        timer = undefined;
        redraw();
      }, WON_TABLE_MS);
    return timer !== undefined;
  }

  /** Show the race of the others, or the table. @param {boolean} watching */
  function show(watching) {
    const { felt, gameOver, grid } = parts;
    if (grid.element.hidden !== watching) return;
    const wasFocused = felt.contains(document.activeElement);
    setPageState('watching', String(watching));
    grid.element.hidden = !watching;
    if (watching) grid.element.prepend(gameOver.element);
    else felt.append(gameOver.element);
    if (watching && wasFocused) grid.element.focus({ preventScroll: true });
  }

  /** Put the report of the race in its place. @param {boolean} hasWall whether it stands where boards are hidden */
  function placeReport(hasWall) {
    const { grid, report, side } = parts;
    const place = hasWall ? grid.element : side;
    // A grid without boards can scroll, but has no element with focus: it takes the focus itself.
    grid.element.tabIndex = hasWall ? 0 : -1;
    if (report.element.parentElement !== place) place.append(report.element);
  }

  return {
    /** Show the table or the race of the others. @param {State} state */
    update(state) {
      const watching = isWatching(state) && !showsWonTable(state);
      show(watching);
      placeReport(watching && watchable(state).length === 0);
    },
    unbind: () => clearTimeout(timer),
  };
}
