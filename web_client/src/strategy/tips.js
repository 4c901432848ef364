// The tips on the page: a section for each family of games, with an article for each tip and its
// pictures.

import { GAMES } from '../contract/games.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { drawPicture } from './picture.js';
import { parsePosition } from './position.js';
import { makeWalk } from './walk.js';

/**
 * @import {Position} from './position.js'
 * @import {Words} from './walk.js'
 * @typedef {object} Frame
 * @property {keyof Words['KINDS']} kind
 * @property {string} piles in the project's notation; of a later frame only the changed ones
 * @property {number} [from] the frame before it
 * @property {string} [game] if it is not that of the tip
 * @property {Record<string, number>} [takes] how many cards of a pile can be picked up
 * @property {number} [points] by the score of 1987
 * @property {number} [woods] points by the classic score
 *
 * @typedef {object} Tip
 * @property {string} id
 * @property {(keyof Words['SOURCES'])[]} from the texts that give the same advice
 * @property {string} game
 * @property {string[]} [shows] the piles of its pictures
 * @property {boolean} [walk] whether its frames are shown one at a time
 * @property {number[][]} [prices] of exceptions: their number, a suit, a pair, a win
 * @property {Frame[]} frames
 */

/** The most piles of a picture that fits beside another one on a phone. */
const NARROW_PILES = 5;

/** Return the families that have tips, in the order of the menu. @param {readonly Tip[]} tips */
export function familiesOf(tips) {
  const withTips = new Set(tips.map(({ game }) => GAMES[game].family));
  return [...new Set(Object.values(GAMES).map(({ family }) => family))].filter((family) =>
    withTips.has(family),
  );
}

/** Return the position of each frame. @param {readonly Frame[]} frames */
export function positionsOf(frames) {
  /** @type {Position[]} */
  const positions = [];
  for (const { piles, from } of frames)
    positions.push(parsePosition(piles, from === undefined ? undefined : positions[from]));
  return positions;
}

/** Draw the frames of a tip, each beside the frame that it is compared with. @param {Tip} tip */
function picturesOf({ game, frames, shows = [] }) {
  const positions = positionsOf(frames);
  return positions.map((position, i) => {
    const frame = /** @type {Frame} */ (frames[i]);
    const next = frames.findIndex(({ from, kind }) => from === i && kind !== 'bad');
    const other = positions[(frame.kind === 'before' ? next : frame.from) ?? -1];
    return drawPicture({
      game: frame.game ?? game,
      pileNames: shows,
      position,
      ...(other && { other }),
      ...(frame.takes && { takes: frame.takes }),
    });
  });
}

/** Draw the pictures of a tip with their captions. @param {Tip} tip @param {Words} words */
function captionedPictures(tip, words) {
  const texts = words.TIPS[tip.id]?.frames ?? [];
  const pictures = picturesOf(tip);
  if (tip.walk) {
    const steps = pictures.map((picture, i) => ({
      picture,
      text: texts[i] ?? '',
      points: words.worth(tip.frames[i]?.points ?? 0, tip.frames[i]?.woods ?? 0),
    }));
    return makeWalk(steps, words);
  }
  return h(
    'div',
    { class: 'tip-frames', 'data-wide': (tip.shows?.length ?? 0) > NARROW_PILES },
    ...pictures.map((picture, i) => {
      const { kind, points } = /** @type {Frame} */ (tip.frames[i]);
      const caption = h(
        'figcaption',
        {},
        h('span', { class: 'tip-kind', text: words.KINDS[kind] }),
      );
      if (points !== undefined)
        caption.append(h('span', { class: 'tip-worth', text: words.points(points) }));
      caption.append(h('span', { class: 'tip-said', text: texts[i] ?? '' }));
      const figure = h('figure', { class: 'tip-frame' }, picture, caption);
      figure.dataset.kind = kind;
      return figure;
    }),
  );
}

/** Draw the table of prices of exceptions. @param {readonly number[][]} rows @param {Words} words */
function makePriceTable(rows, { PRICES }) {
  const cells = (/** @type {readonly number[]} */ [first, ...others]) => [
    h('th', { scope: 'row', text: first }),
    ...others.map((text) => h('td', { text })),
  ];
  const headings = PRICES.head.map((text) => h('th', { scope: 'col', text }));
  return h(
    'table',
    { class: 'tip-prices' },
    h('caption', { text: PRICES.title }),
    h('thead', {}, h('tr', {}, ...headings)),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...cells(row)))),
  );
}

/**
 * Draw a tip.
 * @param {Tip} tip
 * @param {Words} words
 * @param {number} level of its heading
 * @param {string} currentGame the game that is being played, if any
 */
function makeArticle(tip, words, level, currentGame) {
  const { title = '', text = [], games = [] } = words.TIPS[tip.id] ?? {};
  const sources = tip.from.map((source) => words.SOURCES[source]);
  const element = h(
    'article',
    { class: 'tip' },
    h(/** @type {'h3' | 'h4'} */ (`h${level}`), { text: title }),
    ...text.map((paragraph) => h('p', { text: paragraph })),
  );
  element.dataset.tip = tip.id;
  if (games.length > 0) {
    const items = games.map(([game, advice]) =>
      h(
        'li',
        { 'data-playing': game === currentGame },
        h('strong', { text: strings.gameName(game) }),
        h('span', { text: advice }),
      ),
    );
    element.append(h('ul', { class: 'tip-games' }, ...items));
  }
  element.append(captionedPictures(tip, words));
  if (tip.prices) element.append(makePriceTable(tip.prices, words));
  const credit = sources.length > 0 ? words.from(strings.list(sources)) : words.PAGE.ours;
  element.append(h('p', { class: 'tip-source', text: credit }));
  return element;
}

/**
 * Draw the sections of all families that have tips; the heading of each has the family as id.
 * @param {readonly Tip[]} tips
 * @param {Words} words
 * @param {number} level of the sections' headings
 * @param {string} [currentGame] the game that is being played, if any
 */
export function makeSections(tips, words, level, currentGame = '') {
  return familiesOf(tips).map((family) => {
    const { title, lead } = words.FAMILIES[family];
    return h(
      'section',
      { class: 'panel strategy-family', 'aria-labelledby': family },
      h(/** @type {'h2' | 'h3'} */ (`h${level}`), { id: family, tabindex: -1, text: title }),
      h('p', { class: 'strategy-lead', text: lead }),
      ...tips
        .filter(({ game }) => GAMES[game].family === family)
        .map((tip) => makeArticle(tip, words, level + 1, currentGame)),
    );
  });
}

/**
 * Draw links to the sections.
 * @param {readonly Tip[]} tips
 * @param {Words} words
 * @param {(family: string, event: Event) => void} [go] called at a click; without it the browser
 *   follows the link
 */
export function makeContents(tips, words, go) {
  const links = familiesOf(tips).map((family) =>
    h(
      'li',
      {},
      h('a', {
        href: `/strategy#${family}`,
        text: words.FAMILIES[family].title,
        onclick: (/** @type {Event} */ event) => go?.(family, event),
      }),
    ),
  );
  return h(
    'nav',
    { class: 'strategy-contents', 'data-part': 'contents', 'aria-label': words.PAGE.contents },
    h('ul', {}, ...links),
  );
}
