// The questions whether to end a game: no move is left, nothing can change any more, the rest can be
// played out, nobody else races, or somebody has won the race. When they are asked. Pure.
//
// Law: only the server says that a game is stuck, dead or won; the page never guesses it.

import { assessedInForce } from '../play/outlook.js';
import { lostTo } from '../state/first-home.js';
import { amHost, isPlaying, plays } from '../state/state.js';
import { isDone } from './watching.js';

/**
 * @import {Assessed, TableView} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
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

/** Return whether this player is the host, whose own game is over, and only computer players still race. @param {State} state */
export function awaitsComputers(state) {
  const playing = state.room?.seats.filter(isPlaying) ?? [];
  return (
    isDone(state) && amHost(state) && playing.length > 0 && playing.every(({ level }) => level)
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
  /** The round in which the player races on for a place behind the winner. */
  let behindIn = '';
  /** The act after which the race was lost, or -1: the next act is an answer too. */
  let lostAt = -1;
  let shownRound = '';
  /** The rounds in which the player has put off a question about the rest of the game, with its outlook. @type {Set<string>} */
  const outlooksPutOff = new Set();
  return {
    /**
     * Return what is known about the rest of the game, if the player is to be asked about it: that
     * nothing can change any more, or how it is won. Call it with each state.
     * @param {State} state
     * @returns {Assessed | null}
     */
    outlookIn(state) {
      const assessed = plays(state) ? assessedInForce(state) : null;
      shownRound = `${state.room?.code} ${state.room?.round?.n}`;
      const isKnown = assessed?.outlook === 'dead' || assessed?.outlook === 'won';
      return isKnown && !outlooksPutOff.has(`${shownRound} ${assessed.outlook}`) ? assessed : null;
    },
    /** Ask no more about this outlook in this round. @param {Assessed} assessed */
    putOffOutlook({ outlook }) {
      outlooksPutOff.add(`${shownRound} ${outlook}`);
    },
    /** Return whether to ask if the race should end, as nobody else races. Call it with each state. @param {State} state */
    asksLastRacer(state) {
      shownRound = `${state.room?.code} ${state.room?.round?.n}`;
      return shownRound !== aloneIn && isLastRacer(state);
    },
    /** Race on alone. */
    raceOn() {
      aloneIn = shownRound;
    },
    /**
     * Return who has won the race, if this player is to be asked about racing on. An act is the answer
     * that the player does. Call it with each state.
     * @param {State} state
     */
    asksBehind(state) {
      shownRound = `${state.room?.code} ${state.room?.round?.n}`;
      const winner = shownRound === behindIn ? undefined : lostTo(state);
      const at = state.play?.shown.at ?? -1;
      if (!winner || lostAt < 0) lostAt = winner ? at : -1;
      if (winner && at !== lostAt) behindIn = shownRound;
      return winner && at === lostAt ? winner : undefined;
    },
    /** Race on for a place behind the winner. */
    raceOnBehind() {
      behindIn = shownRound;
    },
    /**
     * Return the table on which no move is left, if the player is to be asked about it. Call it with
     * each state.
     * @param {State} state
     * @returns {TableView | null}
     */
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
