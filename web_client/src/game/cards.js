// Cards in the notation of the contract, their runs, and the effect of an act on them. Pure.

import { RANKS } from '../contract/protocol.js';

/**
 * @import {TablePile} from '../contract/notation.js'
 * @import {Attempt} from './table.js'
 * @typedef {ReturnType<typeof effectOf>} Effect
 */

/** The cards of a complete suit, from the king to the ace. */
export const SUIT_LENGTH = RANKS.length;

/** @type {Readonly<Record<string, string>>} */
const SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };

/** Return the rank of a card: 1 for an ace to 13 for a king. @param {string} card */
export const rank = (card) => RANKS.indexOf(card.charAt(0)) + 1;
/** Return the suit of a card: S, H, D or C. @param {string} card */
export const suit = (card) => card.charAt(1);
/** Return the printed rank of a card. @param {string} card */
export const shortRank = (card) => (card.charAt(0) === 'T' ? '10' : card.charAt(0));
/** Return a card as printed in every language: `10♥`. @param {string} card */
export const sign = (card) => shortRank(card) + (SIGNS[suit(card)] ?? '');

/**
 * Split face-up cards into runs: descending, of one suit, each as long as possible.
 * @param {readonly string[]} up bottom to top @returns {{start: number, length: number}[]}
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
    .filter(({ role, up }) => role === 'foundation' && up.length === SUIT_LENGTH)
    .map(({ up }) => suit(up[0] ?? ''));

/** Return whether players build runs in a pile, as in spread columns. @param {TablePile} pile */
const buildsRuns = ({ role, fan }) => role === 'tableau' && fan === 'down';

/** Return the complete suits of a table, in its columns and on its foundations. @param {readonly TablePile[]} piles */
function completeSuits(piles) {
  const inColumns = piles.filter(buildsRuns).flatMap(({ up }) =>
    runs(up)
      .filter(({ length }) => length === SUIT_LENGTH)
      .map(({ start }) => suit(up[start] ?? '')),
  );
  return [...inColumns, ...suitsHome(piles)];
}

/** Return the items that a list has more often than another list. @param {readonly string[]} list @param {readonly string[]} other */
function surplus(list, other) {
  const rest = [...other];
  return list.filter((each) => {
    const i = rest.indexOf(each);
    if (i >= 0) rest.splice(i, 1); // each item of the other list matches one
    return i < 0;
  });
}

/**
 * Return the cards that an act has moved or dealt. If suits leave the table at once, moved cards may be gone from
 * their new pile, and a column that a deal has made shorter was dealt the ace of its last suit.
 * @param {Attempt} action @param {readonly TablePile[]} before @param {readonly TablePile[]} after
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

/** Return the effect of an act. @param {Attempt} action @param {readonly TablePile[]} before @param {readonly TablePile[]} after */
export function effectOf(action, before, after) {
  const turned = before.flatMap((pile) => {
    const now = after.find((each) => each.id === pile.id);
    return now && now.down < pile.down && pile.role === 'tableau' ? now.up.slice(0, 1) : []; // the turned card
  });
  const complete = completeSuits(after);
  const home = suitsHome(after);
  return {
    cards: cardsOf(action, before, after), // that were moved or dealt
    turned,
    completed: surplus(complete, completeSuits(before)), // the suits that the act has completed
    removed: surplus(home, suitsHome(before)), // the suits that left the table
    complete: complete.length, // the number of complete suits, on the table and removed
    home: home.length, // the number of removed suits
    of: after.filter(({ role }) => role === 'foundation').length, // the number of suits of the game
  };
}

/** Return whether the act has completed one suit and all its cards are of that suit. @param {Effect} effect */
export const areOfCompleted = ({ cards, completed }) =>
  completed.length === 1 && cards.every((card) => suit(card) === completed[0]);
