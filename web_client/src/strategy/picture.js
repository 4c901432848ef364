// A position of a tip, drawn small; the cards that have moved are marked. It is an image, whose text
// alternative names the cards pile by pile.
//
// Positions are in the project's notation, `t0: [5H 6C] KS-9S 8H; t1: 2D`: the cards of a pile from
// bottom to top. Those in brackets lie face down, and `KS-9S` is a run.

import { GAMES, RANKS } from '../contract/protocol.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';

/**
 * @typedef {{cards: readonly string[], down: number}} Pile the first `down` cards lie face down
 * @typedef {ReadonlyMap<string, Pile>} Position by the name of the pile
 * @typedef {object} Drawing
 * @property {string} game
 * @property {readonly string[] | undefined} shows the piles from left to right; if undefined all but
 *   the stock, in their rows
 * @property {Position} position
 * @property {Position | undefined} [other] cards that lie elsewhere in it are marked
 * @property {Readonly<Record<string, number>> | undefined} [takes] how many cards are marked at the end
 *   of a pile, if there is no `other`
 */

/** @type {Pile} */
export const EMPTY = { cards: [], down: 0 };
/** What an empty pile says of its first card, by the direction in which it is built. */
const BUILT = { up: 'A\n▲', down: 'K\n▼' };

/** Return the cards of words: single cards and runs. @param {string} words */
function cardsOf(words) {
  const each = words.split(' ').filter(Boolean);
  return each.flatMap((word) => {
    const [first = '', last = first] = word.split('-');
    const [from, to] = [RANKS.indexOf(first.charAt(0)), RANKS.indexOf(last.charAt(0))];
    const step = Math.sign(to - from);
    const ranks = Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + i * step);
    return ranks.map((rank) => RANKS.charAt(rank) + first.charAt(1));
  });
}

/**
 * Parse a position. Piles that the text omits are as in `base`.
 * @param {string} text
 * @param {Position} [base]
 * @returns {Position}
 */
export function parsePosition(text, base) {
  const piles = new Map(base);
  for (const part of text.split(';')) {
    const [, name = '', hidden = '', open = ''] =
      /^ *(\w+): *(?:\[([^\]]*)\])?(.*)$/.exec(part) ?? [];
    const down = cardsOf(hidden);
    piles.set(name, { cards: [...down, ...cardsOf(open)], down: down.length });
  }
  return piles;
}

/** Return how many cards at the beginning of a pile are the same as in the other one. @param {Pile} one @param {Pile} other */
export function sameCards(one, other) {
  const index = one.cards.findIndex((card, i) => card !== other.cards[i]);
  return index < 0 ? one.cards.length : index;
}

/** Return the piles of a drawing, row by row, with their cards. @param {Drawing} drawing */
function pilesOf({ game, shows, position }) {
  const all = GAMES[game].piles.toSorted((one, other) => one.y - other.y || one.x - other.x);
  const drawn = shows
    ? shows.flatMap((id) => all.filter((spec) => spec.id === id))
    : all.filter(({ role }) => role !== 'stock');
  return drawn.map((spec) => {
    const { cards, down } = position.get(spec.id) ?? EMPTY;
    return { ...spec, cards, down: spec.role === 'stock' ? cards.length : down };
  });
}

/** Return the text alternative of a picture. @param {Drawing} drawing */
export function describePicture(drawing) {
  const piles = pilesOf(drawing).map(({ id, role, cards, down }) => {
    /** @type {'none' | 'down'} */
    const fan = role === 'foundation' ? 'none' : 'down';
    const text = `${strings.pileName(id)}: ${strings.describe({ down, up: cards.slice(down), fan })}.`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  });
  return piles.join(' ');
}

/** Draw a pile; of a stock and of a foundation only the top card. @param {ReturnType<typeof pilesOf>[number]} pile @param {Drawing} drawing */
function drawPile({ id, role, direction, cards, down }, { other, takes }) {
  const unmoved = other
    ? sameCards({ cards, down }, other.get(id) ?? EMPTY)
    : cards.length - (takes?.[id] ?? 0);
  const first = role === 'tableau' ? 0 : Math.max(0, cards.length - 1);
  const drawn = cards.slice(first).map((face, i) => {
    const at = first + i;
    const looks =
      at < down ? { 'data-back': true } : { 'data-card': face, 'data-moved': at >= unmoved };
    return h('span', { class: 'card', ...looks });
  });
  if (drawn.length === 0)
    drawn.push(h('span', { class: 'strategy-gap', text: direction && BUILT[direction] }));
  else if (role === 'stock') drawn.push(h('span', { class: 'strategy-left', text: cards.length }));
  return h('span', { class: 'strategy-pile' }, ...drawn);
}

/** Draw the piles of a position as an image. @param {Drawing} drawing */
export function drawPicture(drawing) {
  const piles = pilesOf(drawing);
  const looks = { class: 'strategy-table', 'data-small': true };
  const table = h('span', looks, ...piles.map((pile) => drawPile(pile, drawing)));
  const columns = new Set(piles.map(({ x }) => x)).size;
  set(table, { '--piles': drawing.shows?.length ?? columns });
  const image = { role: 'img', 'aria-label': describePicture(drawing) };
  return h('div', { class: 'strategy-picture', 'data-part': 'picture', ...image }, table);
}
