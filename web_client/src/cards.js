// Cards as the server writes them: rank, then suit: `AS 2H ... TD JC QS KH`.

export const RANKS = 'A23456789TJQK';
export const SUITS = 'SHDC';

/** @param {string} card */
export const rank = (card) => RANKS.indexOf(card.charAt(0)) + 1;
/** @param {string} card */
export const suit = (card) => card.charAt(1);

/** @param {string} card */
export const shortRank = (card) => (card.charAt(0) === 'T' ? '10' : card.charAt(0));

/**
 * Splits face-up cards into runs: descending, one suit, as long as they go.
 *
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
