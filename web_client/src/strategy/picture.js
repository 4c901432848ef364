// A small drawing of a position, in which the cards that have moved are marked. It is an image, and its
// text alternative names the cards pile by pile.

import { strings } from '../core/language.js';
import { h } from '../shared/element.js';
import { EMPTY, sameCards } from './position.js';

/**
 * @import {Pile, Position} from './position.js'
 * @typedef {object} Drawing
 * @property {string} game
 * @property {readonly string[]} pileNames the shown piles, from left to right
 * @property {Position} position
 * @property {Position} [other] a position to compare with: cards that lie elsewhere there are marked
 * @property {Readonly<Record<string, number>>} [takes] how many cards are marked at the end of a pile
 */

const LITTLE_SPIDER = 'little-spider';
/** Little Spider's rows, from top to bottom. */
const ROWS = ['u', 'f', 'l'];
const PILES_OF_ROW = 4;
/** The number of cards that are drawn of the stock. */
const STOCK_CARDS = 3;
/** Little Spider's first two foundations are built up. */
const BUILT_UP = 2;
/** The visible part of a covered card, face up and face down, as a part of its height. */
const FACE_STEP = 0.39;
const BACK_STEP = 0.13;

/** Return whether a pile is a foundation. @param {string} id */
const isFoundation = (id) => id.startsWith('f');

/** Return a text with a capital first letter. @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return all piles of Little Spider, in rows. */
const littlePiles = () =>
  ROWS.flatMap((row) => Array.from({ length: PILES_OF_ROW }, (_, i) => `${row}${i}`));

/** Return the height of a pile, in heights of a card. @param {string} id @param {Pile} pile */
function heightOf(id, { cards, down }) {
  if (id === 'stock' || isFoundation(id)) return 1;
  return 1 + down * BACK_STEP + Math.max(0, cards.length - down - 1) * FACE_STEP;
}

/** Return the text alternative of a picture. @param {Drawing} drawing */
export function describePicture({ game, pileNames, position }) {
  const piles = game === LITTLE_SPIDER ? littlePiles() : pileNames;
  return piles
    .map((id) => {
      const { cards, down } = position.get(id) ?? EMPTY;
      /** @type {'none' | 'down'} */
      const fan = isFoundation(id) ? 'none' : 'down';
      const hidden = id === 'stock' ? cards.length : down;
      const text = strings.describe({ down: hidden, up: cards.slice(hidden), fan });
      return `${capital(strings.pileName(id))}: ${text}.`;
    })
    .join(' ');
}

/** Draw the place of a pile without cards. @param {string} game @param {string} id */
function drawEmptyPile(game, id) {
  const place = h('span', { class: 'picture-gap' });
  if (isFoundation(id) && game === LITTLE_SPIDER)
    place.dataset.built = Number(id.slice(1)) < BUILT_UP ? 'up' : 'down';
  return place;
}

/** Draw a pile. @param {Drawing} drawing @param {string} id */
function drawPile({ game, position, other, takes }, id) {
  const pile = position.get(id) ?? EMPTY;
  const isStock = id === 'stock';
  const size = pile.cards.length;
  const unmoved = other ? sameCards(pile, other.get(id) ?? EMPTY) : size - (takes?.[id] ?? 0);
  const first = isFoundation(id) ? Math.max(0, size - 1) : 0;
  const cards = pile.cards.slice(first, isStock ? STOCK_CARDS : size).map((face, i) => {
    const index = first + i;
    if (isStock || index < pile.down)
      return h('span', { class: 'card card-back', 'data-part': 'back' });
    const card = h('span', { class: 'card', 'data-part': 'card' });
    card.dataset.card = face;
    card.toggleAttribute('data-moved', index >= unmoved);
    return card;
  });
  const element = h(
    'span',
    { class: isStock ? 'picture-pile picture-stock' : 'picture-pile' },
    ...cards,
  );
  if (cards.length === 0) element.append(drawEmptyPile(game, id));
  if (isStock && cards.length > 0) element.append(h('span', { class: 'picture-left', text: size }));
  return element;
}

/** Draw the piles of a position as an image. @param {Drawing} drawing */
export function drawPicture(drawing) {
  const { game, pileNames, position } = drawing;
  const isLittle = game === LITTLE_SPIDER;
  const piles = isLittle ? littlePiles() : pileNames;
  const table = h(
    'span',
    { class: 'picture-table small-cards' },
    ...piles.map((id) => drawPile(drawing, id)),
  );
  table.classList.toggle('picture-little', isLittle);
  table.style.setProperty('--piles', String(isLittle ? PILES_OF_ROW : pileNames.length));
  table.style.setProperty(
    '--tall',
    String(Math.max(...piles.map((id) => heightOf(id, position.get(id) ?? EMPTY)))),
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
