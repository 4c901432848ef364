// Cards as the contract writes them, and their runs.

import { RANKS } from '../contract/protocol.js';

/** Return the rank of a card: 1 for an ace to 13 for a king. @param {string} card */
export const rank = (card) => RANKS.indexOf(card.charAt(0)) + 1;
/** Return the suit of a card: S, H, D or C. @param {string} card */
export const suit = (card) => card.charAt(1);

/** Return the rank as it is printed. @param {string} card */
export const shortRank = (card) => (card.charAt(0) === 'T' ? '10' : card.charAt(0));

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

/**
 * Return the cards that a deal has added to the piles, in the order of the piles. A pile that became
 * shorter has received the ace of its last suit, which was complete with it and was removed.
 * @param {readonly {id: string, up: readonly string[]}[]} before
 * @param {readonly {id: string, role?: string, up: readonly string[]}[]} after
 */
export function dealtCards(before, after) {
  return after.flatMap(({ id, role, up }) => {
    const old = before.find((pile) => pile.id === id);
    if (!old || role === 'foundation') return [];
    const last = old.up.at(-1);
    return last && up.length < old.up.length ? [`A${suit(last)}`] : up.slice(old.up.length);
  });
}

/** @type {Readonly<Record<string, string>>} */
const SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };

/** Return a card as it is printed, in every language: `10♥`. @param {string} card */
export const sign = (card) => shortRank(card) + (SIGNS[suit(card)] ?? '');
