// A small drawing of a position: cards, spaces and the cards that have moved. It is an image, whose
// text alternative names the cards pile by pile.

import { strings } from '../core/language.js';
import { h } from '../shared/element.js';
import { EMPTY, sameCards } from './position.js';

/**
 * @import {Pile, Position} from './position.js'
 * @typedef {object} Drawing
 * @property {string} game
 * @property {readonly string[]} shows names of piles, from left to right
 * @property {Position} position
 * @property {Position} [other] a position to compare with: cards that lie elsewhere there are marked
 * @property {Readonly<Record<string, number>>} [takes] how many cards are marked at the end of a pile
 */

const LITTLE = 'little-spider';
/** Little Spider's rows, from top to bottom. */
const ROWS = ['u', 'f', 'l'];
const ROW = 4;
/** The number of cards that are drawn of the stock. */
const STACKED = 3;
/** Little Spider's first two foundations are built up. */
const BUILT_UP = 2;
/** The visible part of a card under another one, as a part of its height. */
const STRIP = 0.39;
const BACK = 0.13;

/** @param {string} id */
const isFoundation = (id) => id.startsWith('f');

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return all piles of Little Spider, in rows. */
const littlePiles = () =>
  ROWS.flatMap((row) => Array.from({ length: ROW }, (_, i) => `${row}${i}`));

/** Return the height of a pile, in heights of a card. @param {string} id @param {Pile} pile */
function tall(id, { cards, down }) {
  if (id === 'stock' || isFoundation(id)) return 1;
  return 1 + down * BACK + Math.max(0, cards.length - down - 1) * STRIP;
}

/** Return the text alternative of a picture. @param {Drawing} drawing */
export function describePicture({ game, shows, position }) {
  const piles = game === LITTLE ? littlePiles() : shows;
  return piles
    .map((id) => {
      const { cards, down } = position.get(id) ?? EMPTY;
      /** @type {'none' | 'down'} */
      const fan = isFoundation(id) ? 'none' : 'down';
      const hidden = id === 'stock' ? cards.length : down;
      const what = strings.describe({ down: hidden, up: cards.slice(hidden), fan });
      return `${capital(strings.pileName(id))}: ${what}.`;
    })
    .join(' ');
}

/** The place of a pile without cards. @param {string} game @param {string} id */
function gap(game, id) {
  const place = h('span', { class: 'picture-gap' });
  if (isFoundation(id) && game === LITTLE)
    place.dataset.built = Number(id.slice(1)) < BUILT_UP ? 'up' : 'down';
  return place;
}

/** @param {Drawing} drawing @param {string} id */
function drawPile({ game, position, other, takes }, id) {
  const pile = position.get(id) ?? EMPTY;
  const stock = id === 'stock';
  const size = pile.cards.length;
  const stays = other ? sameCards(pile, other.get(id) ?? EMPTY) : size - (takes?.[id] ?? 0);
  const first = isFoundation(id) ? Math.max(0, size - 1) : 0;
  const cards = pile.cards.slice(first, stock ? STACKED : size).map((face, i) => {
    const at = first + i;
    if (stock || at < pile.down) return h('span', { class: 'card card-back', 'data-part': 'back' });
    const card = h('span', { class: 'card', 'data-part': 'card' });
    card.dataset.card = face;
    card.toggleAttribute('data-moved', at >= stays);
    return card;
  });
  const element = h(
    'span',
    { class: stock ? 'picture-pile picture-stock' : 'picture-pile' },
    ...cards,
  );
  if (cards.length === 0) element.append(gap(game, id));
  if (stock && cards.length > 0) element.append(h('span', { class: 'picture-left', text: size }));
  return element;
}

/** Draw a picture. @param {Drawing} drawing */
export function drawPicture(drawing) {
  const { game, shows, position } = drawing;
  const little = game === LITTLE;
  const piles = little ? littlePiles() : shows;
  const table = h(
    'span',
    { class: 'picture-table small-cards' },
    ...piles.map((id) => drawPile(drawing, id)),
  );
  table.classList.toggle('picture-little', little);
  table.style.setProperty('--piles', String(little ? ROW : shows.length));
  table.style.setProperty(
    '--tall',
    String(Math.max(...piles.map((id) => tall(id, position.get(id) ?? EMPTY)))),
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
