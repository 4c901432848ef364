// Cards as the contract writes them, their runs, and what an act has done with them. Pure.

import { MAX_MOVE_COUNT, RANKS } from '../contract/protocol.js';

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

/** @type {Readonly<Record<string, string>>} */
const SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };

/** Return the rank of a card: 1 for an ace to 13 for a king. @param {string} card */
export const rank = (card) => RANKS.indexOf(card.charAt(0)) + 1;
/** Return the suit of a card: S, H, D or C. @param {string} card */
export const suit = (card) => card.charAt(1);
/** Return the rank as it is printed. @param {string} card */
export const shortRank = (card) => (card.charAt(0) === 'T' ? '10' : card.charAt(0));
/** Return a card as it is printed, in every language: `10♥`. @param {string} card */
export const sign = (card) => shortRank(card) + (SIGNS[suit(card)] ?? '');

/**
 * Split face-up cards into runs: descending, of one suit, each as long as possible.
 * @param {readonly string[]} up bottom to top
 * @returns {{start: number, length: number}[]}
 */
export function runs(up) {
  /** @type {{start: number, length: number}[]} */
  const found = [];
  up.forEach((card, i) => {
    const last = found.at(-1);
    const before = up[i - 1];
    if (last && before && suit(before) === suit(card) && rank(before) === rank(card) + 1)
      last.length += 1;
    else found.push({ start: i, length: 1 });
  });
  return found;
}

/** Return the suits of the full foundations. @param {readonly TablePile[]} piles */
const suitsHome = (piles) =>
  piles
    .filter(({ role, up }) => role === 'foundation' && up.length === MAX_MOVE_COUNT)
    .map(({ up }) => suit(up[0] ?? ''));

/** Return the complete suits of a table, in its columns and on its foundations. @param {readonly TablePile[]} piles */
function completeSuits(piles) {
  const columns = piles.filter(({ role, fan }) => role === 'tableau' && fan === 'down');
  const inColumns = columns.flatMap(({ up }) =>
    runs(up)
      .filter(({ length }) => length === MAX_MOVE_COUNT)
      .map(({ start }) => suit(up[start] ?? '')),
  );
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
 * Return the cards that an act has moved or dealt. Where suits leave the table at once, moved cards
 * are not on their new pile any more, and a column that a deal made shorter has received the ace of
 * its last suit.
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
function cardsOf(action, before, after) {
  const old = new Map(before.map(({ id, up }) => [id, up]));
  if (action.type === 'move') {
    const up = old.get(action.from) ?? after.find(({ id }) => id === action.to)?.up;
    return up?.slice(-action.count) ?? [];
  }
  if (action.type !== 'deal') return [];
  return after.flatMap(({ id, role, up }) => {
    const was = old.get(id);
    if (!was || role === 'foundation') return [];
    const last = was.at(-1);
    return last && up.length < was.length ? [`A${suit(last)}`] : up.slice(was.length);
  });
}

/**
 * Return what an act has done.
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
export function effectOf(action, before, after) {
  const turned = before.flatMap((pile) => {
    const now = after.find((each) => each.id === pile.id);
    return now && now.down < pile.down && pile.role === 'tableau' ? now.up.slice(0, 1) : [];
  });
  const complete = completeSuits(after);
  const home = suitsHome(after);
  return {
    cards: cardsOf(action, before, after),
    turned,
    completed: surplus(complete, completeSuits(before)),
    removed: surplus(home, suitsHome(before)),
    complete: complete.length,
    home: home.length,
    of: after.filter(({ role }) => role === 'foundation').length,
  };
}

/** Return whether cards are those of one suit that an act has completed. @param {Effect} effect */
export const areOfCompleted = ({ cards, completed }) =>
  completed.length === 1 && cards.every((card) => suit(card) === completed[0]);
