// The question whether to end a game in which no move is left: when it is asked. Pure.
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
 * Make the question. If it was put off, it is asked again when the game is stuck again; while an
 * answer is in flight, it is not asked.
 */
export function makeQuestion() {
  let putOff = false;
  return {
    /** Return the table that the player is asked about in a state; null if there is no question. Call it with each state. @param {State} state @returns {TableView | null} */
    tableIn(state) {
      const stuck = stuckTable(state);
      if (!stuck) putOff = false;
      const isAnswered = state.play?.inFlight.some(({ action }) => ANSWERS.includes(action.type));
      return putOff || isAnswered ? null : stuck;
    },
    /** Ask no more about this end. */
    putOff() {
      putOff = true;
    },
  };
}
