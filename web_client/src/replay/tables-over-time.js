// A tape of a finished game: a table for every act, and the table at any time. Tables share the piles
// that did not change, so that the tape of a game of thousands of acts stays small. Pure.

import { indexAt } from './scores-over-time.js';

/**
 * @import {Replay, TableView} from '../contract/notation.js'
 * @typedef {object} Tape
 * @property {Replay} replay
 * @property {number[]} times of the tables, in ms; the first is the deal, at 0
 * @property {TableView[]} tables
 */

/** Make the tape of a replay. @param {Replay} replay @returns {Tape} */
export function makeTape(replay) {
  const indexes = new Map(replay.start.piles.map((pile, i) => [pile.id, i]));
  const tables = [replay.start];
  let table = replay.start;
  for (const step of replay.steps) {
    const piles = table.piles.slice();
    for (const pile of step.piles) {
      const index = indexes.get(pile.id) ?? -1;
      const old = piles[index];
      if (old) piles[index] = { ...old, ...pile };
    }
    const { moves, suits, home, face_down } = step;
    const counts = { ...table.counts, moves, suits, home, face_down };
    table = { ...table, at: table.at + 1, piles, score: step.score, counts, elapsed_ms: step.ms };
    tables.push(table);
  }
  return { replay, times: tables.map(({ elapsed_ms }) => elapsed_ms), tables };
}

/** Return how many acts had been made. @param {Tape} tape @param {number} ms */
export const actsAt = (tape, ms) => indexAt(tape.times, ms);

/** Return the table at a time. @param {Tape} tape @param {number} ms */
export const tableAt = (tape, ms) => tape.tables[actsAt(tape, ms)] ?? tape.replay.start;
