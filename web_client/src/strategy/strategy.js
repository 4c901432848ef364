// Tips for playing well, on a page of their own and in a dialog over the race: links to a section for each family of
// games, with an article for each tip and its pictures. `tips.en.html` has the words, and `tips.json` the positions, so
// that a test can play them on the real engine. The first use loads all of this.

import { GAMES, RANKS } from '../contract/protocol.js';
import { spoken, strings } from '../strings/language.js';
import { openDialog } from '../widgets/dialogs.js';
import { h, set, tableRow } from '../widgets/element.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @typedef {object} Frame a picture
 * @property {string} piles in the project's notation; later frames have only the changed ones
 * @property {number} [from] the frame before it
 * @property {Record<string, number>} [takes] how many cards of a pile can be picked up
 *
 * @typedef {object} Tip
 * @property {string} id
 * @property {string} game
 * @property {string[]} [shows] the piles of its pictures
 * @property {number[][]} [prices] rows of the table: how many exceptions, and the points for a suit, a pair and a win
 * @property {Frame[]} frames
 */

/** A picture with at most this many piles fits beside another one on a phone. */
const NARROW_PILES = 5;

/** Return the position of each frame; with `from` a frame names only the piles that differ from that frame. @param {readonly Frame[]} frames */
export function positionsOf(frames) {
  /** @type {Position[]} */
  const positions = [];
  for (const { piles, from } of frames)
    positions.push(parsePosition(piles, from === undefined ? undefined : positions[from]));
  return positions;
}

/**
 * Draw a tip's pictures into the figures of its article. Each picture marks the cards that differ from the one before
 * it; a picture of the kind `before` marks the cards that will move in the next good one.
 * @param {Element} article @param {Tip} tip
 */
function drawTip(article, { game, frames, shows, prices = [] }) {
  const piles = shows?.length ?? 0;
  const isWide = piles > NARROW_PILES;
  let least = piles === 1 ? '5.25rem' : '8.75rem'; // the width of a picture that stands beside others
  if (isWide) least = '20rem';
  if (article.querySelector('details')) least = '100%'; // a game step by step, one below the other
  for (const part of article.querySelectorAll('.strategy-frames'))
    set(part, { 'data-wide': isWide, '--least': least });
  article.querySelector('tbody')?.append(...prices.map(tableRow));
  const figures = [...article.querySelectorAll('figure')];
  const kinds = figures.map(({ dataset }) => dataset.kind);
  const positions = positionsOf(frames);
  for (const [i, figure] of figures.entries()) {
    const nextGoodIndex = frames.findIndex(({ from }, at) => from === i && kinds[at] !== 'bad');
    const comparedIndex = (kinds[i] === 'before' ? nextGoodIndex : frames[i]?.from) ?? -1; // -1: none
    const [position = new Map(), other] = [positions[i], positions[comparedIndex]];
    figure.prepend(drawPicture({ game, shows, takes: frames[i]?.takes, position, other }));
  }
}

/**
 * Fetch an HTML document, whose elements can move to the page. The page's Trusted Types policy forbids it
 * to parse text as HTML.
 * @param {string} path @returns {Promise<Document>}
 */
function fetchDocument(path) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', path);
    request.responseType = 'document';
    request.onloadend = () => {
      if (request.status === 200 && request.responseXML) resolve(request.responseXML);
      else reject(new Error(`${path}: ${request.status}`));
    };
    request.send();
  });
}

/** Load the tips in the page's language. @returns {Promise<Element[]>} the introduction, the links, and the sections */
async function load() {
  const [{ body }, answer] = await Promise.all([
    fetchDocument(`/src/strategy/tips.${spoken}.html`),
    fetch('/src/strategy/tips.json'),
  ]);
  if (!answer.ok) throw new Error(answer.statusText);
  for (const tip of await answer.json()) {
    const article = body.querySelector(`[data-tip=${tip.id}]`);
    if (article) drawTip(article, tip);
  }
  return [...body.children];
}

/** Make a section's headings one level lower. @param {Element} section */
function lowerHeadings(section) {
  for (const heading of section.querySelectorAll('h2, h3')) {
    const lower = h(heading.matches('h2') ? 'h3' : 'h4', {}, ...heading.childNodes);
    for (const { name, value } of heading.attributes) set(lower, { [name]: value });
    heading.replaceWith(lower);
  }
}

/** Scroll to the section of a family, if there is one, and focus it. @param {string} family */
function goTo(family) {
  const heading = document.querySelector(`.strategy-family > [id="${CSS.escape(family)}"]`);
  if (!(heading instanceof HTMLElement)) return;
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
}

/** Bind the tips page. @param {HTMLElement} root @param {App} app */
export function bindStrategy(root, app) {
  const title = h('h1', { text: 'Spider Race' });
  const lead = h('p');
  const all = h('div', { class: 'stack strategy-tips' });
  const head = h('header', { class: 'page-title strategy-title' }, title, lead);
  const back = { class: 'buttons-link', 'data-kind': 'quiet', href: '/' };
  const bar = h('p', {}, h('a', { ...back, text: strings.BUTTONS.front }));
  root.replaceChildren(h('div', { class: 'page', id: 'strategy' }, head, all, bar));
  const oldTitle = document.title;

  /** Fill the page, unless another one is shown by now. @param {Element[]} loaded */
  function show([introduction, ...parts]) {
    if (!all.isConnected) return;
    document.title = `${strings.LANDING.tips} · Spider Race`;
    set(title, { text: strings.LANDING.tips });
    lead.replaceWith(introduction ?? '');
    all.replaceChildren(...parts);
    goTo(location.hash.slice(1));
  }
  load().then(show, () => {
    if (all.isConnected) app.announce(strings.NOT_LOADED);
  });

  const unbind = () => {
    document.title = oldTitle;
  };
  return { update() {}, unbind };
}

/**
 * Prepare the dialog with the same tips over the race.
 * @param {string} game the game that is being played
 * @returns {Promise<() => void>} opens the dialog at the section of that game
 */
export async function prepareStrategy(game) {
  const [, ...parts] = await load();
  return () => {
    if (document.getElementById('strategy-dialog')) return;
    for (const part of parts) lowerHeadings(part);
    const dialog = openDialog('strategy', strings.LANDING.tips, strings.BUTTONS.close, ...parts);
    // The address of a link would leave the race.
    dialog.addEventListener('click', (event) => {
      if (!(event.target instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      goTo(event.target.hash.slice(1));
    });
    // A new screen closes the dialog, which would hide it.
    const observer = new MutationObserver(() => dialog.close());
    observer.observe(document.body, { attributeFilter: ['data-screen'] });
    dialog.addEventListener('close', () => observer.disconnect());
    goTo(GAMES[game]?.family ?? '');
  };
}

// A small picture of a position, with marks on the cards that have moved. It is an image, and its text alternative
// names the cards pile by pile.
//
// Positions are in the project's notation, `t0: [5H 6C] KS-9S 8H; t1: 2D`: the cards of a pile from bottom to top.
// Cards in brackets lie face down, and `KS-9S` is a run.

/**
 * @typedef {{cards: readonly string[], faceDown: number}} Pile the first `faceDown` cards lie face down
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
export const EMPTY = { cards: [], faceDown: 0 };
/** The words of an empty pile for its first card, by its direction. */
const BUILT = { up: 'A\n▲', down: 'K\n▼' };

/** Return the cards in a text such as `KS-9S 8H`: single cards, and runs of one suit in either direction. @param {string} text */
function cardsOf(text) {
  const words = text.split(' ').filter(Boolean);
  return words.flatMap((word) => {
    const [first = '', last = first] = word.split('-');
    const from = RANKS.indexOf(first.charAt(0));
    const to = RANKS.indexOf(last.charAt(0));
    const ranks = [...RANKS.slice(Math.min(from, to), Math.max(from, to) + 1)];
    return (to < from ? ranks.toReversed() : ranks).map((rank) => rank + first.charAt(1));
  });
}

/** Parse a position. Piles that the text omits are as in `base`. @param {string} text @param {Position} [base] @returns {Position} */
export function parsePosition(text, base) {
  const piles = new Map(base);
  for (const part of text.split(';')) {
    const [, name = '', hidden = '', open = ''] =
      /^ *(\w+): *(?:\[([^\]]*)\])?(.*)$/.exec(part) ?? [];
    const below = cardsOf(hidden);
    piles.set(name, { cards: [...below, ...cardsOf(open)], faceDown: below.length });
  }
  return piles;
}

/** Return how many cards two piles have in common, counted from the bottom up to the first difference. @param {Pile} one @param {Pile} other */
export function sameCards(one, other) {
  const index = one.cards.findIndex((card, i) => card !== other.cards[i]);
  return index < 0 ? one.cards.length : index;
}

/** Return a drawing's piles, row by row, with their cards. @param {Drawing} drawing */
function pilesOf({ game, shows, position }) {
  const all = GAMES[game].piles.toSorted((one, other) => one.y - other.y || one.x - other.x);
  const drawn = shows
    ? shows.flatMap((id) => all.filter((spec) => spec.id === id))
    : all.filter(({ role }) => role !== 'stock');
  return drawn.map((spec) => ({ ...spec, ...(position.get(spec.id) ?? EMPTY) }));
}

/** Return a picture's text alternative. @param {Drawing} drawing */
export function describePicture(drawing) {
  const piles = pilesOf(drawing).map(({ id, role, cards, faceDown }) => {
    // Of a pile without a fan only the top card can be seen.
    /** @type {'none' | 'down'} */
    const fan = role === 'foundation' ? 'none' : 'down';
    const pile = { down: faceDown, up: cards.slice(faceDown), fan };
    const text = `${strings.pileName(id)}: ${strings.describe(pile)}.`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  });
  return piles.join(' ');
}

/** Draw a pile, but only the top card of a stock or a foundation. Mark cards that differ from the `other` picture, or the last that a move `takes`. @param {ReturnType<typeof pilesOf>[number]} pile @param {Drawing} drawing */
function drawPile({ id, role, direction, cards, faceDown }, { other, takes }) {
  const unmovedCount = other
    ? sameCards({ cards, faceDown }, other.get(id) ?? EMPTY)
    : cards.length - (takes?.[id] ?? 0);
  const first = role === 'tableau' ? 0 : Math.max(0, cards.length - 1);
  const drawn = cards.slice(first).map((face, i) => {
    const at = first + i;
    const card = h('span', { class: 'card' });
    if (at < faceDown) set(card, { 'data-back': true });
    else set(card, { 'data-card': face, 'data-moved': at >= unmovedCount });
    return card;
  });
  if (drawn.length === 0)
    drawn.push(h('span', { class: 'strategy-gap', text: direction && BUILT[direction] }));
  else if (role === 'stock') drawn.push(h('span', { class: 'strategy-left', text: cards.length }));
  return h('span', { class: 'strategy-pile' }, ...drawn);
}

/** Draw a position's piles as an image. @param {Drawing} drawing */
export function drawPicture(drawing) {
  const piles = pilesOf(drawing);
  const looks = { class: 'strategy-table', 'data-small': true };
  const table = h('span', looks, ...piles.map((pile) => drawPile(pile, drawing)));
  const columns = new Set(piles.map(({ x }) => x)).size;
  set(table, { '--piles': drawing.shows?.length ?? columns });
  const image = h('div', { class: 'strategy-picture', 'data-part': 'picture' }, table);
  set(image, { role: 'img', 'aria-label': describePicture(drawing) });
  return image;
}
