// When a player is asked whether to end a game in which no move is left. Pure.
//
// Law: only the server says that a game is stuck; the page never guesses it.

import { plays } from '../core/reducer.js';

/**
 * @import {TableView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 */

const ANSWERS = ['finish', 'undo'];

/** This player's own table, if no move is left on it. @param {State} state @returns {TableView | null} */
export function stuckTable(state) {
  const table = state.play?.base;
  return table?.stuck && !table.outcome && plays(state) ? table : null;
}

/**
 * Whether the player is asked, from one state to the next. A question that was put off is asked
 * again when the game is stuck again, and one that is being answered is not asked meanwhile.
 */
export function makeQuestion() {
  let putOff = false;
  return {
    /** @param {State} state @returns {TableView | null} the table that the player is asked about now */
    follow(state) {
      const stuck = stuckTable(state);
      if (!stuck) putOff = false;
      const answered = state.play?.flying.some(({ action }) => ANSWERS.includes(action.type));
      return putOff || answered ? null : stuck;
    },
    /** The player would rather look on. */
    putOff() {
      putOff = true;
    },
  };
}
