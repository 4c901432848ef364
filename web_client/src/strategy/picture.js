// A small drawing of a position, in which the cards that have moved are marked. It is an image, and its
// text alternative names the cards pile by pile.

import { GAMES } from '../contract/games.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { EMPTY, sameCards } from './position.js';

/**
 * @import {Pile, Position} from './position.js'
 * @typedef {object} Drawing
 * @property {string} game
 * @property {readonly string[]} pileNames the shown piles, from left to right; if empty all but the
 *   stock, in their rows
 * @property {Position} position
 * @property {Position} [other] a position to compare with: cards that lie elsewhere there are marked
 * @property {Readonly<Record<string, number>>} [takes] how many cards are marked at the end of a pile
 */

/** The number of cards that are drawn of the stock. */
const STOCK_CARDS = 3;
/** The visible part of a covered card, face up and face down, as a part of its height. */
const FACE_STEP = 0.39;
const BACK_STEP = 0.13;

/** Return the description of a pile. @param {string} game @param {string} id */
const specOf = (game, id) => GAMES[game].piles.find((spec) => spec.id === id);

/** Return whether a pile is a foundation. @param {string} game @param {string} id */
const isFoundation = (game, id) => specOf(game, id)?.role === 'foundation';

/** Return a text with a capital first letter. @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return all piles but the stock, row by row. @param {string} game */
const inRows = (game) =>
  GAMES[game].piles
    .filter(({ role }) => role !== 'stock')
    .toSorted((one, other) => one.y - other.y || one.x - other.x);

/** Return the names of the drawn piles. @param {Drawing} drawing */
const drawnPiles = ({ game, pileNames }) =>
  pileNames.length > 0 ? pileNames : inRows(game).map(({ id }) => id);

/** Return the height of a pile, in heights of a card. @param {string} game @param {string} id @param {Pile} pile */
function heightOf(game, id, { cards, down }) {
  if (id === 'stock' || isFoundation(game, id)) return 1;
  return 1 + down * BACK_STEP + Math.max(0, cards.length - down - 1) * FACE_STEP;
}

/** Return the text alternative of a picture. @param {Drawing} drawing */
export function describePicture(drawing) {
  const { game, position } = drawing;
  return drawnPiles(drawing)
    .map((id) => {
      const { cards, down } = position.get(id) ?? EMPTY;
      /** @type {'none' | 'down'} */
      const fan = isFoundation(game, id) ? 'none' : 'down';
      const hidden = id === 'stock' ? cards.length : down;
      const text = strings.describe({ down: hidden, up: cards.slice(hidden), fan });
      return `${capital(strings.pileName(id))}: ${text}.`;
    })
    .join(' ');
}

/** Draw the place of a pile without cards. @param {string} game @param {string} id */
function drawEmptyPile(game, id) {
  const place = h('span', { class: 'picture-gap' });
  const direction = specOf(game, id)?.direction;
  if (direction) place.dataset.built = direction;
  return place;
}

/** Draw a pile. @param {Drawing} drawing @param {string} id */
function drawPile({ game, position, other, takes }, id) {
  const pile = position.get(id) ?? EMPTY;
  const isStock = id === 'stock';
  const size = pile.cards.length;
  const unmoved = other ? sameCards(pile, other.get(id) ?? EMPTY) : size - (takes?.[id] ?? 0);
  const first = isFoundation(game, id) ? Math.max(0, size - 1) : 0;
  const cards = pile.cards.slice(first, isStock ? STOCK_CARDS : size).map((face, i) => {
    const index = first + i;
    if (isStock || index < pile.down)
      return h('span', { class: 'card', 'data-back': true, 'data-part': 'back' });
    const card = h('span', { class: 'card', 'data-part': 'card' });
    card.dataset.card = face;
    card.toggleAttribute('data-moved', index >= unmoved);
    return card;
  });
  const element = h('span', { class: 'picture-pile', 'data-stock': isStock }, ...cards);
  if (cards.length === 0) element.append(drawEmptyPile(game, id));
  if (isStock && cards.length > 0) element.append(h('span', { class: 'picture-left', text: size }));
  return element;
}

/** Draw the piles of a position as an image. @param {Drawing} drawing */
export function drawPicture(drawing) {
  const { game, pileNames, position } = drawing;
  const piles = drawnPiles(drawing);
  const rows = pileNames.length > 0 ? 1 : new Set(inRows(game).map(({ y }) => y)).size;
  const table = h(
    'span',
    { class: 'picture-table', 'data-small': true, 'data-little': rows > 1 },
    ...piles.map((id) => drawPile(drawing, id)),
  );
  table.style.setProperty('--piles', String(piles.length / rows));
  table.style.setProperty(
    '--tall',
    String(Math.max(...piles.map((id) => heightOf(game, id, position.get(id) ?? EMPTY)))),
  );
  return h(
    'div',
    {
      class: 'picture',
      'data-part': 'picture',
      role: 'img',
      'aria-label': describePicture(drawing),
    },
    table,
  );
}
