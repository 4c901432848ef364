// When a player is asked whether to end a game in which no move is left. Pure.
//
// Law: only the server says that a game is stuck; the page never guesses it.

import { plays } from '../core/reducer.js';

/**
 * @import {TableView} from '../core/notation.js'
 * @import {State} from '../core/reducer.js'
 */

const ANSWERS = ['finish', 'undo'];

/** Return this player's own table, if no move is left on it. @param {State} state @returns {TableView | null} */
export function stuckTable(state) {
  const table = state.play?.base;
  return table?.stuck && !table.outcome && plays(state) ? table : null;
}

/**
 * Make the question, which goes from one state to the next. If it was put off, it is asked again
 * when the game is stuck again; while an answer is in flight it is not asked.
 */
export function makeQuestion() {
  let putOff = false;
  return {
    /** Return the table that the player is asked about now. @param {State} state @returns {TableView | null} */
    follow(state) {
      const stuck = stuckTable(state);
      if (!stuck) putOff = false;
      const answered = state.play?.inFlight.some(({ action }) => ANSWERS.includes(action.type));
      return putOff || answered ? null : stuck;
    },
    putOff() {
      putOff = true;
    },
  };
}
