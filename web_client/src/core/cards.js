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

/**
 * The cards that a deal has laid on the piles, in their order.
 *
 * @param {readonly {id: string, up: readonly string[]}[]} before
 * @param {readonly {id: string, up: readonly string[]}[]} after
 */
export function dealtCards(before, after) {
  return after.flatMap(({ id, up }) => {
    const old = before.find((pile) => pile.id === id);
    return old ? up.slice(old.up.length) : [];
  });
}

/** @type {Readonly<Record<string, string>>} */
const SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };

/** As it is printed on the card, in every language. @param {string} card e.g. `10♥` */
export const sign = (card) => shortRank(card) + (SIGNS[suit(card)] ?? '');
