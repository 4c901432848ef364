// Cards as the server writes them: rank, then suit: `AS 2H ... TD JC QS KH`.

export const RANKS = 'A23456789TJQK';
export const SUITS = 'SHDC';

/** @type {Record<string, string>} */
const SYMBOLS = { S: '♠', H: '♥', D: '♦', C: '♣' };
/** @type {Record<string, string>} */
const SUIT_NAMES = { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs' };
const RANK_NAMES = ['ace', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'jack', 'queen', 'king'];

/** @param {string} card */
export const rank = (card) => RANKS.indexOf(card.charAt(0)) + 1;
/** @param {string} card */
export const suit = (card) => card.charAt(1);

/** @param {string} card */
export const shortRank = (card) => (card.charAt(0) === 'T' ? '10' : card.charAt(0));
/** @param {string} card e.g. `9♠` */
export const short = (card) => shortRank(card) + (SYMBOLS[suit(card)] ?? '');
/** @param {string} card */
export const rankName = (card) => RANK_NAMES[rank(card) - 1] ?? card;
/** @param {string} card e.g. `9 of spades` */
export const spoken = (card) => `${rankName(card)} of ${SUIT_NAMES[suit(card)]}`;

/** The name of the rank one above, or null for a king. @param {string} card */
export const rankAbove = (card) => RANK_NAMES[rank(card)] ?? null;

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
 * What a pile holds, for the ear: `4 face down; run 9 to 7 of spades, 3 of hearts`.
 *
 * @param {{down: number, up: readonly string[], fan?: 'down' | 'none', direction?: 'up' | 'down' | null}} pile
 */
export function describe(pile) {
  const found = runs(pile.up);
  const top = pile.up.at(-1);
  // Of a stack only the top is seen; one run is told as such.
  const stacked = pile.fan === 'none' && found.length > 1 && top;
  const parts = found.map(({ start, length }) => {
    const first = pile.up[start] ?? '';
    const last = pile.up[start + length - 1] ?? '';
    return length > 1 ? `run ${rankName(first)} to ${spoken(last)}` : spoken(first);
  });
  const down = pile.down > 0 ? `${pile.down} face down` : '';
  const builds = { up: 'builds up from the ace', down: 'builds down from the king' };
  const way = pile.direction ? builds[pile.direction] : '';
  const cards = stacked ? `${spoken(top)} on top of ${pile.up.length - 1}` : parts.join(', ');
  return [down, cards || (down ? '' : 'empty'), way].filter(Boolean).join('; ');
}
