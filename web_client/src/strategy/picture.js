// A position of a tip, drawn small; the cards that have moved are marked. It is an image, whose text
// alternative names the cards pile by pile.
//
// Positions are in the project's notation, `t0: [5H 6C] KS-9S 8H; t1: 2D`: the cards of a pile from
// bottom to top. Those in brackets lie face down, and `KS-9S` is a run.

import { GAMES } from '../contract/games.js';
import { RANKS } from '../contract/protocol.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';

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
/** The number of cards that are drawn of the stock. */
const STOCK_CARDS = 3;
/** The visible part of a covered card, face up and face down, as a part of its height. */
const [FACE_STEP, BACK_STEP] = [0.39, 0.13];

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
  return drawn.map((spec) => ({ ...spec, ...(position.get(spec.id) ?? EMPTY) }));
}

/** Return the text alternative of a picture. @param {Drawing} drawing */
export function describePicture(drawing) {
  const piles = pilesOf(drawing).map(({ id, role, cards, down }) => {
    const hidden = role === 'stock' ? cards.length : down;
    /** @type {'none' | 'down'} */
    const fan = role === 'foundation' ? 'none' : 'down';
    const name = strings.pileName(id);
    const text = strings.describe({ down: hidden, up: cards.slice(hidden), fan });
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${text}.`;
  });
  return piles.join(' ');
}

/** Draw a pile. @param {ReturnType<typeof pilesOf>[number]} pile @param {Drawing} drawing */
function drawPile({ id, role, direction, cards, down }, { other, takes }) {
  const isStock = role === 'stock';
  const unmoved = other
    ? sameCards({ cards, down }, other.get(id) ?? EMPTY)
    : cards.length - (takes?.[id] ?? 0);
  const first = role === 'foundation' ? Math.max(0, cards.length - 1) : 0;
  const drawn = cards.slice(first, isStock ? STOCK_CARDS : cards.length).map((face, i) =>
    isStock || first + i < down
      ? h('span', { class: 'card', 'data-back': true, 'data-part': 'back' })
      : h('span', {
          class: 'card',
          'data-part': 'card',
          'data-card': face,
          'data-moved': first + i >= unmoved,
        }),
  );
  if (drawn.length === 0) drawn.push(h('span', { class: 'strategy-gap', 'data-built': direction }));
  else if (isStock) drawn.push(h('span', { class: 'strategy-left', text: cards.length }));
  return h('span', { class: 'strategy-pile', 'data-stock': isStock }, ...drawn);
}

/** Draw the piles of a position as an image. @param {Drawing} drawing */
export function drawPicture(drawing) {
  const piles = pilesOf(drawing);
  const rows = drawing.shows ? 1 : new Set(piles.map(({ y }) => y)).size;
  const heights = piles.map(({ role, cards, down }) =>
    role === 'tableau'
      ? 1 + down * BACK_STEP + Math.max(0, cards.length - down - 1) * FACE_STEP
      : 1,
  );
  const table = h(
    'span',
    { class: 'strategy-table', 'data-small': true, 'data-little': rows > 1 },
    ...piles.map((pile) => drawPile(pile, drawing)),
  );
  table.style.setProperty('--piles', String(piles.length / rows));
  table.style.setProperty('--tall', String(Math.max(...heights)));
  return h(
    'div',
    {
      class: 'strategy-picture',
      'data-part': 'picture',
      role: 'img',
      'aria-label': describePicture(drawing),
    },
    table,
  );
}
