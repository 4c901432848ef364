// The questions whether to end a game: no move is left, or nobody else races. When they are asked.
// Pure.
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

/** Return whether this player still races, and all others have given up. @param {State} state */
export function isLastRacer({ room, me, standings }) {
  const own = standings.find(({ seat }) => seat === me?.seat);
  if (room?.state !== 'RUNNING' || own?.state !== 'RACING') return false;
  return (
    standings.length > 1 && standings.every((each) => each === own || each.state === 'FORFEIT')
  );
}

/**
 * Make the question. If it was put off, it is asked again when the game is stuck again; while an
 * answer is in flight, it is not asked.
 */
export function makeQuestion() {
  let putOff = false;
  /** The round in which the player races on alone. */
  let aloneIn = '';
  let shownRound = '';
  return {
    /** Return whether to ask if the race should end, as nobody else races. Call it with each state. @param {State} state */
    asksLastRacer(state) {
      shownRound = `${state.room?.code} ${state.room?.round?.n}`;
      return shownRound !== aloneIn && isLastRacer(state);
    },
    /** Race on alone. */
    raceOn() {
      aloneIn = shownRound;
    },
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
