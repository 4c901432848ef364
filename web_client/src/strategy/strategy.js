// Tips for playing well, on a page of their own and in a dialog over the race. Each family of games has a section, and
// each tip is an article with pictures. `tips.en.html` has the words. The positions are in `tips.json`, so that a test
// can play them on the real engine. Both files are loaded when first used.

import { GAMES, RANKS } from '../contract/protocol.js';
import { capital } from '../contract/text.js';
import { spoken, strings } from '../strings/language.js';
import { openDialog } from '../widgets/dialogs.js';
import { h, set, tableRow } from '../widgets/element.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @typedef {object} Frame a picture
 * @property {string} piles in the project's notation: all of them, or those that differ from the frame `from`
 * @property {number} [from] the index of the frame before this one
 * @property {Record<string, number>} [takes] by pile, how many cards a player could pick up
 *
 * @typedef {object} Tip
 * @property {string} id
 * @property {string} game
 * @property {string[]} [shows] the ids of the piles in its pictures, if not all are shown
 * @property {number[][]} [prices] rows of the table: the number of exceptions (moves of mixed suits), and the points
 *   for a suit, a pair and a win
 * @property {Frame[]} frames
 */

/** A picture with at most this many piles fits beside another one on a phone. */
const NARROW_PILES = 5;

/** Return the position of each frame; a frame can start `from` an earlier one. @param {readonly Frame[]} frames */
export function positionsOf(frames) {
  /** @type {Position[]} */
  const positions = [];
  for (const { piles, from } of frames)
    positions.push(parsePosition(piles, from === undefined ? undefined : positions[from]));
  return positions;
}

/**
 * Draw a tip's pictures into the figures of its article. A picture is compared with the frame that it starts `from`,
 * and marks the cards that have moved. A picture of the kind `before` is instead compared with the first good one that
 * starts from it, and marks the cards that will move.
 * @param {Element} article @param {Tip} tip
 */
function drawTip(article, { game, frames, shows: pileIds, prices = [] }) {
  const count = pileIds?.length ?? 0; // 0: all piles are shown
  const isWide = count > NARROW_PILES;
  let minWidth = count === 1 ? '5.25rem' : '8.75rem'; // of a picture beside others
  if (isWide) minWidth = '20rem';
  if (article.querySelector('details')) minWidth = '100%'; // the steps of a game, one below the other
  for (const part of article.querySelectorAll('.strategy-frames'))
    set(part, { 'data-wide': isWide, '--least': minWidth });
  article.querySelector('tbody')?.append(...prices.map(tableRow));
  const figures = [...article.querySelectorAll('figure')];
  const kinds = figures.map(({ dataset }) => dataset.kind);
  const positions = positionsOf(frames);
  for (const [i, figure] of figures.entries()) {
    const nextGood = frames.findIndex(({ from }, at) => from === i && kinds[at] !== 'bad');
    const compared = kinds[i] === 'before' ? nextGood : frames[i]?.from;
    const position = positions[i] ?? new Map();
    const other = positions[compared ?? -1]; // undefined if there is nothing to compare it with
    figure.prepend(drawPicture({ game, pileIds, takes: frames[i]?.takes, position, other }));
  }
}

/** Fetch HTML as a document: Trusted Types forbid parsing text. @param {string} path @returns {Promise<Document>} */
function fetchHtml(path) {
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
async function loadTips() {
  const [{ body }, answer] = await Promise.all([
    fetchHtml(`/src/strategy/tips.${spoken}.html`),
    fetch('/src/strategy/tips.json'),
  ]);
  if (!answer.ok) throw new Error(answer.statusText);
  for (const tip of await answer.json()) {
    const article = body.querySelector(`[data-tip=${tip.id}]`);
    if (article) drawTip(article, tip);
  }
  return [...body.children];
}

/** Replace a section's headings by headings one level lower. @param {Element} section */
function lowerHeadings(section) {
  for (const heading of section.querySelectorAll('h2, h3')) {
    const lower = h(heading.matches('h2') ? 'h3' : 'h4', {}, ...heading.childNodes);
    for (const { name, value } of heading.attributes) set(lower, { [name]: value });
    heading.replaceWith(lower);
  }
}

/** Scroll to the section about a family of games, if there is one, and focus it. @param {string} family */
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

  /** Fill the page, unless the player has left it. @param {Element[]} loaded see `loadTips` */
  function show([introduction, ...parts]) {
    if (!all.isConnected) return;
    document.title = `${strings.LANDING.tips} · Spider Race`;
    set(title, { text: strings.LANDING.tips });
    lead.replaceWith(introduction ?? '');
    all.replaceChildren(...parts);
    goTo(location.hash.slice(1));
  }
  loadTips().then(show, () => {
    if (all.isConnected) app.announce(strings.NOT_LOADED);
  });

  const unbind = () => {
    document.title = oldTitle;
  };
  return { update() {}, unbind };
}

/** Load the tips; return a function that opens them in a dialog, at a game's section. @param {string} game */
export async function prepareStrategy(game) {
  const [, ...parts] = await loadTips();
  return () => {
    if (document.getElementById('strategy-dialog')) return;
    for (const part of parts) lowerHeadings(part); // below the dialog's own
    const dialog = openDialog('strategy', strings.LANDING.tips, strings.BUTTONS.close, ...parts);
    // A link would change the address and so leave the race.
    dialog.addEventListener('click', (event) => {
      if (!(event.target instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      goTo(event.target.hash.slice(1));
    });
    // Close the dialog when the screen changes, since it would hide the new one.
    const observer = new MutationObserver(() => dialog.close());
    observer.observe(document.body, { attributeFilter: ['data-screen'] });
    dialog.addEventListener('close', () => observer.disconnect());
    goTo(GAMES[game]?.family ?? '');
  };
}

// A small picture of a position, with marks on the cards that have moved. It is an image, and its text alternative
// names the cards pile by pile.
//
// Positions are in the project's notation, such as `t0: [5H 6C] KS-9S 8H; t1: 2D`: the cards of each pile from bottom
// to top. Cards in brackets lie face down, and `KS-9S` is a run.

/**
 * @typedef {{cards: readonly string[], faceDown: number}} Pile its first `faceDown` cards lie face down
 * @typedef {ReadonlyMap<string, Pile>} Position by the id of the pile
 * @typedef {object} Drawing
 * @property {string} game
 * @property {readonly string[] | undefined} pileIds of the piles to show, from left to right; if undefined, all piles
 *   but the stock are shown, in their rows
 * @property {Position} position
 * @property {Position | undefined} [other] mark the cards that lie elsewhere in this position
 * @property {Readonly<Record<string, number>> | undefined} [takes] without an `other` position, mark this many top
 *   cards of a pile
 */

/** @type {Pile} */
export const EMPTY = { cards: [], faceDown: 0 };
/** The label of an empty pile: the first card that it accepts, and its direction. */
const BUILT = { up: 'A\n▲', down: 'K\n▼' };

/** Return the cards in a text such as `KS-9S 8H`; a run can go up or down. @param {string} text */
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

/**
 * Parse a position such as `t0: [5H 6C] KS-9S 8H; t1: 2D`. Piles that the text leaves out are taken from `base`.
 * @param {string} text @param {Position} [base] @returns {Position}
 */
export function parsePosition(text, base) {
  const piles = new Map(base);
  for (const part of text.split(';')) {
    const [, id = '', down = '', up = ''] = /^ *(\w+): *(?:\[([^\]]*)\])?(.*)$/.exec(part) ?? [];
    const below = cardsOf(down);
    piles.set(id, { cards: [...below, ...cardsOf(up)], faceDown: below.length });
  }
  return piles;
}

/** Return how many cards two piles have in common before they first differ. @param {Pile} one @param {Pile} other */
export function countShared(one, other) {
  const index = one.cards.findIndex((card, i) => card !== other.cards[i]);
  return index < 0 ? one.cards.length : index;
}

/** Return a drawing's piles, row by row, with their cards. @param {Drawing} drawing */
function pilesOf({ game, pileIds, position }) {
  const all = GAMES[game].piles.toSorted((one, other) => one.y - other.y || one.x - other.x);
  const drawn = pileIds
    ? pileIds.flatMap((id) => all.filter((spec) => spec.id === id))
    : all.filter(({ role }) => role !== 'stock');
  return drawn.map((spec) => ({ ...spec, ...(position.get(spec.id) ?? EMPTY) }));
}

/** Return the text alternative of a picture. @param {Drawing} drawing */
export function describePicture(drawing) {
  const piles = pilesOf(drawing).map(({ id, role, cards, faceDown }) => {
    // In a pile that isn't fanned, only the top card can be seen.
    /** @type {'none' | 'down'} */
    const fan = role === 'foundation' ? 'none' : 'down';
    const pile = { down: faceDown, up: cards.slice(faceDown), fan };
    return capital(`${strings.pileName(id)}: ${strings.describe(pile)}.`);
  });
  return piles.join(' ');
}

/**
 * Make the drawing of a pile; a stock or a foundation shows only its top card. Marked are the cards that lie elsewhere
 * in the `other` position; without one, those that the player `takes`.
 * @param {ReturnType<typeof pilesOf>[number]} pile @param {Drawing} drawing
 */
function drawPile({ id, role, direction, cards, faceDown }, { other, takes }) {
  const unmarkedCount = other
    ? countShared({ cards, faceDown }, other.get(id) ?? EMPTY)
    : cards.length - (takes?.[id] ?? 0);
  const first = role === 'tableau' ? 0 : Math.max(0, cards.length - 1); // the first card to draw
  const drawn = cards.slice(first).map((face, i) => {
    const at = first + i;
    const card = h('span', { class: 'card' });
    if (at < faceDown) set(card, { 'data-back': true });
    else set(card, { 'data-card': face, 'data-moved': at >= unmarkedCount });
    return card;
  });
  if (drawn.length === 0)
    drawn.push(h('span', { class: 'strategy-gap', text: direction && BUILT[direction] }));
  else if (role === 'stock') drawn.push(h('span', { class: 'strategy-left', text: cards.length }));
  return h('span', { class: 'strategy-pile' }, ...drawn);
}

/** Draw a position's piles as an image. @param {Drawing} drawing */
function drawPicture(drawing) {
  const piles = pilesOf(drawing);
  const looks = { class: 'strategy-table', 'data-small': true };
  const table = h('span', looks, ...piles.map((pile) => drawPile(pile, drawing)));
  const columns = new Set(piles.map(({ x }) => x)).size;
  set(table, { '--piles': drawing.pileIds?.length ?? columns }); // chosen piles lie in one row
  const image = h('div', { class: 'strategy-picture', 'data-part': 'picture' }, table);
  set(image, { role: 'img', 'aria-label': describePicture(drawing) });
  return image;
}
