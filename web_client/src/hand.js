// What the player has picked up, and where the server says it may go. Pure.

import { suit } from './cards.js';

/**
 * @import {TableView} from './protocol.d.ts'
 * @import {Attempt} from './table.js'
 * @typedef {{pile: string, count: number}} Hand `count` is 0 where nothing there can be taken
 * @typedef {Extract<TableView['legal'][number], {type: 'move'}>} Move
 */

/** Moves that need no exception: one must be asked for. @param {TableView} table @returns {Move[]} */
const moves = (table) =>
  table.legal.filter((action) => action.type === 'move').filter((move) => !move.exception);

/** @param {TableView} table @param {string} id */
export const pileOf = (table, id) => table.piles.find((pile) => pile.id === id);

/**
 * The piles on which these cards may go.
 *
 * @param {TableView} table
 * @param {Hand} hand
 */
export function targets(table, { pile, count }) {
  return new Set(
    moves(table)
      .filter((move) => move.from === pile && move.count === count)
      .map((move) => move.to),
  );
}

/**
 * The piles from which something may go on this one, for those who pick the target first.
 *
 * @param {TableView} table
 * @param {string} to
 */
export function sources(table, to) {
  return new Set(
    moves(table)
      .filter((move) => move.to === to)
      .map((move) => move.from),
  );
}

/**
 * How many cards can be taken at most; 1 if none has a place now, 0 if none lies face up.
 *
 * @param {TableView} table
 * @param {string} from
 */
export function longest(table, from) {
  const counts = moves(table)
    .filter((move) => move.from === from)
    .map((move) => move.count);
  return Math.min(Math.max(1, ...counts), pileOf(table, from)?.up.length ?? 0);
}

/**
 * The legal move that is meant: with this count, or with the only count there is.
 *
 * @param {TableView} table
 * @param {Hand} hand
 * @param {string} to
 * @returns {Move | undefined}
 */
export function between(table, hand, to) {
  const all = moves(table).filter((move) => move.from === hand.pile && move.to === to);
  return all.find((move) => move.count === hand.count) ?? (all.length === 1 ? all[0] : undefined);
}

/**
 * Where cards go by themselves: in suit first, never into a space.
 *
 * @param {TableView} table
 * @param {Hand} hand
 * @returns {Move | undefined}
 */
export function autoMove(table, hand) {
  const source = pileOf(table, hand.pile);
  const all = moves(table).filter((move) => {
    const up = pileOf(table, move.to)?.up.length ?? 0;
    return move.from === hand.pile && up > 0;
  });
  const exact = all.filter((move) => move.count === hand.count);
  const inSuit = (/** @type {Move} */ move) => {
    const card = source?.up.at(-move.count);
    const onto = pileOf(table, move.to)?.up.at(-1);
    return card !== undefined && onto !== undefined && suit(card) === suit(onto);
  };
  const among = exact.length > 0 ? exact : all;
  return among.find(inSuit) ?? among[0];
}

/**
 * What a second pick comes to: the hand goes there, or the other way round, or it is tried for
 * the sake of the answer; null if it is only a new pick.
 *
 * @param {TableView} table
 * @param {Hand} hand
 * @param {Hand} next
 * @returns {Attempt | null}
 */
export function meant(table, hand, next) {
  const there = hand.count > 0 ? between(table, hand, next.pile) : undefined;
  const back = next.count > 0 ? between(table, next, hand.pile) : undefined;
  if (there ?? back) return there ?? back ?? null;
  if (hand.count < 1) return null;
  return { type: 'move', from: hand.pile, count: Math.min(hand.count, 13), to: next.pile };
}
