// What an act has done, from the act and the tables before and after it: the cards that moved, were
// dealt or turned up, and the suits that it completed. Pure.
//
// The cards of a move are those of the pile that it took them from: where suits leave the table at
// once, they are not on their new pile any more.

import { dealtCards, runs, suit } from './cards.js';

/**
 * @import {TablePile} from '../contract/notation.js'
 * @import {Attempt} from './table.js'
 * @typedef {object} Effect
 * @property {string[]} cards that were moved or dealt
 * @property {string[]} turned
 * @property {string[]} completed the suits, one for each time
 * @property {string[]} removed the suits that left the table
 * @property {number} complete the number of complete suits, on the table and removed
 * @property {number} home the number of removed suits
 * @property {number} of the number of suits of the game
 */

const SUIT_SIZE = 13;

/** Return the suits of the full foundations. @param {readonly TablePile[]} piles */
const suitsHome = (piles) =>
  piles.flatMap(({ role, up }) =>
    role === 'foundation' && up.length === SUIT_SIZE ? [suit(up[0] ?? '')] : [],
  );

/** Return the complete suits of a table, in its columns and on its foundations. @param {readonly TablePile[]} piles */
function completeSuits(piles) {
  const inColumns = piles.flatMap(({ role, fan, up }) => {
    if (role !== 'tableau' || fan !== 'down') return [];
    const whole = runs(up).filter(({ length }) => length === SUIT_SIZE);
    return whole.map(({ start }) => suit(up[start] ?? ''));
  });
  return [...inColumns, ...suitsHome(piles)];
}

/** Return what a list has more than another one. @param {readonly string[]} list @param {readonly string[]} other */
function surplus(list, other) {
  const rest = [...other];
  return list.filter((each) => {
    const i = rest.indexOf(each);
    if (i >= 0) rest.splice(i, 1);
    return i < 0;
  });
}

/**
 * Return the cards that an act has moved or dealt.
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
function cardsOf(action, before, after) {
  if (action.type === 'deal') return dealtCards(before, after);
  if (action.type !== 'move') return [];
  const pile =
    before.find(({ id }) => id === action.from) ?? after.find(({ id }) => id === action.to);
  return pile?.up.slice(-action.count) ?? [];
}

/**
 * Return what an act has done.
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 * @returns {Effect}
 */
export function effectOf(action, before, after) {
  const turned = before.flatMap((pile) => {
    const now = after.find((each) => each.id === pile.id);
    return now && now.down < pile.down && pile.role === 'tableau' ? now.up.slice(0, 1) : [];
  });
  const complete = completeSuits(after);
  return {
    cards: cardsOf(action, before, after),
    turned,
    completed: surplus(complete, completeSuits(before)),
    removed: surplus(suitsHome(after), suitsHome(before)),
    complete: complete.length,
    home: suitsHome(after).length,
    of: after.filter(({ role }) => role === 'foundation').length,
  };
}

/** Return whether cards are those of one suit that an act has completed. @param {Effect} effect */
export const areOfCompleted = ({ cards, completed }) =>
  completed.length === 1 && cards.every((card) => suit(card) === completed[0]);
