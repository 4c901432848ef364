// Tips for playing well, on a page of their own and in a dialog over the race. `tips.json` has their
// positions, so that a test can play them on the real engine. All of this is loaded when it is first
// needed.

import { GAMES } from '../contract/games.js';
import { spoken, strings } from '../strings/language.js';
import { languageField } from '../widgets/controls.js';
import { h, write } from '../widgets/element.js';
import { drawPicture, parsePosition } from './picture.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Position} from './picture.js'
 * @import {Wide} from '../strings/language.js'
 */

/** Fetch the sentences in the page's language, and the tips. @returns {Promise<[Words, Tip[]]>} */
async function load() {
  const [words, answer] = await Promise.all([
    import(`../strings/${spoken}/strategy.js`),
    fetch('/src/strategy/tips.json'),
  ]);
  if (!answer.ok) throw new Error(answer.statusText);
  return [words, await answer.json()];
}

/** Scroll to the section of a family, if there is one, and focus it. @param {string} family */
function goTo(family) {
  const heading = document.getElementById(family);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

/** Make a link to the front page. */
function backLink() {
  return h('a', { href: '/', text: strings.LANDING.back });
}

/** Bind the page of tips. @param {HTMLElement} root @param {App} app */
export function bindStrategy(root, app) {
  const title = h('h1', { text: 'Spider Race' });
  const lead = h('p');
  const all = h('div', { class: 'strategy-tips' });
  root.replaceChildren(
    h(
      'div',
      { class: 'page strategy', id: 'strategy' },
      h('div', { class: 'strategy-bar' }, backLink(), languageField(app.speak)),
      h('header', { class: 'page-title' }, title, lead),
      all,
      h('div', { class: 'strategy-bar' }, backLink()),
    ),
  );
  let isBound = true;
  const oldTitle = document.title;

  /** Fill the page, unless another one is shown by now. @param {[Words, Tip[]]} loaded */
  function show([words, loaded]) {
    if (!isBound) return;
    document.title = words.PAGE.tab;
    title.textContent = words.PAGE.title;
    lead.textContent = words.PAGE.lead;
    all.replaceChildren(...makeTips(loaded, words, 2));
    const family = location.hash.slice(1);
    if (Object.hasOwn(words.FAMILIES, family)) goTo(family);
  }
  load().then(show, () => isBound && app.announce(strings.NOT_LOADED));

  return {
    update() {},
    unbind() {
      isBound = false;
      document.title = oldTitle;
    },
  };
}

/**
 * Prepare the dialog with the same tips over the race.
 * @param {string} game the game that is being played
 * @returns {Promise<() => void>} opens the dialog at the section of that game; a closed dialog is
 *   removed from the page
 */
export async function prepareStrategy(game) {
  const [words, loaded] = await load();
  return () => {
    if (document.getElementById('strategy-dialog')) return;
    const title = h('h2', { id: 'strategy-title', text: words.PAGE.title });
    const close = h('button', {
      id: 'strategy-close',
      'data-kind': 'primary',
      text: strings.HELP.close,
      onclick: () => dialog.close(),
    });
    const [contents, ...sections] = makeTips(loaded, words, 3, game);
    // A link of the contents would leave the race.
    contents?.addEventListener('click', (event) => {
      if (!(event.target instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      goTo(event.target.hash.slice(1));
    });
    const dialog = h(
      'dialog',
      {
        id: 'strategy-dialog',
        class: 'dialog-tall strategy-dialog',
        'aria-labelledby': title.id,
        closedby: 'any',
      },
      h('header', {}, title, close),
      h('div', { class: 'strategy' }, contents, ...sections),
    );
    // A new screen closes the dialog, which would hide it.
    const observer = new MutationObserver(() => dialog.close());
    observer.observe(document.body, { attributeFilter: ['data-screen'] });
    dialog.addEventListener('close', () => {
      observer.disconnect();
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
    goTo(GAMES[game]?.family ?? '');
  };
}

// The tips on the page: links to a section for each family of games, with an article for each tip and
// its pictures. One tip is a walk through a game, a picture at a time.

/**
 * @typedef {Wide<typeof import('../strings/en/strategy.js')>} Words
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
 *
 * @typedef {Frame & {picture: HTMLElement, text: string}} Drawn
 */

/** The most piles of a picture that fits beside another one on a phone. */
const NARROW_PILES = 5;

/** Return the families that have tips, in the order of the menu. @param {readonly Tip[]} tips */
export function familiesOf(tips) {
  const withTips = new Set(tips.map(({ game }) => GAMES[game].family));
  const all = new Set(Object.values(GAMES).map(({ family }) => family));
  return [...all].filter((family) => withTips.has(family));
}

/** Return the position of each frame. @param {readonly Frame[]} frames */
export function positionsOf(frames) {
  /** @type {Position[]} */
  const positions = [];
  for (const { piles, from } of frames)
    positions.push(parsePosition(piles, from === undefined ? undefined : positions[from]));
  return positions;
}

/** Draw the frames of a tip, each compared with the one before it, or that which follows. @param {Tip} tip @param {Words} words @returns {Drawn[]} */
function drawFrames({ id, game, frames, shows }, words) {
  const positions = positionsOf(frames);
  return frames.map((frame, i) => {
    const next = frames.findIndex(({ from, kind }) => from === i && kind !== 'bad');
    const picture = drawPicture({
      game: frame.game ?? game,
      shows,
      position: positions[i] ?? new Map(),
      other: positions[(frame.kind === 'before' ? next : frame.from) ?? -1],
      takes: frame.takes,
    });
    return { ...frame, picture, text: words.TIPS[id]?.frames[i] ?? '' };
  });
}

/** Make a picture with its caption. @param {Drawn} drawn @param {Words} words */
const makeFigure = ({ kind, picture, points, text }, words) =>
  h(
    'figure',
    { class: 'strategy-frame', 'data-kind': kind },
    picture,
    h(
      'figcaption',
      {},
      h('span', { class: 'strategy-kind', text: words.KINDS[kind] }),
      points !== undefined && h('span', { class: 'strategy-worth', text: words.points(points) }),
      h('span', { class: 'strategy-said', text }),
    ),
  );

/** Make a walk, with a button to the step before and one to the next. @param {readonly Drawn[]} steps @param {Words} words */
function makeWalk(steps, words) {
  const picture = h('div');
  const number = h('p', { class: 'strategy-walk-at', 'data-part': 'at' });
  const said = h('p');
  const worth = h('p', { class: 'strategy-worth', 'data-part': 'worth' });
  const back = h('button', { 'data-action': 'back', text: words.PAGE.back });
  const next = h('button', { 'data-kind': 'primary', 'data-action': 'on', text: words.PAGE.on });
  const last = steps.length - 1;
  let index = 0;

  /** Go to another step; at an end nothing changes. @param {number} by */
  function go(by) {
    index = Math.min(Math.max(index + by, 0), last);
    const step = steps[index];
    if (!step) return;
    picture.replaceChildren(step.picture);
    write(number, words.stepOf(index, last));
    write(said, step.text);
    write(worth, words.worth(step.points ?? 0, step.woods ?? 0));
    // A disabled button would lose the focus, so at an end a button is only announced as disabled.
    back.setAttribute('aria-disabled', String(index === 0));
    next.setAttribute('aria-disabled', String(index === last));
  }

  back.addEventListener('click', () => go(-1));
  next.addEventListener('click', () => go(1));
  go(0);
  return h(
    'div',
    { class: 'strategy-walk', id: 'walk' },
    picture,
    h(
      'div',
      { class: 'strategy-walk-foot', 'data-part': 'foot' },
      h('div', { class: 'strategy-walk-text', 'aria-live': 'polite' }, number, said, worth),
      h('div', { class: 'buttons' }, back, next),
    ),
  );
}

/** Make the table of prices of exceptions. @param {readonly number[][]} rows @param {Words} words */
const makePriceTable = (rows, { PRICES }) =>
  h(
    'table',
    { class: 'strategy-prices' },
    h('caption', { text: PRICES.title }),
    h('thead', {}, h('tr', {}, ...PRICES.head.map((text) => h('th', { scope: 'col', text })))),
    h(
      'tbody',
      {},
      ...rows.map(([first, ...others]) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row', text: first }),
          ...others.map((text) => h('td', { text })),
        ),
      ),
    ),
  );

/** Make the list of advice for single games. @param {readonly (readonly [string, string])[]} games @param {string} playing */
const makeGames = (games, playing) =>
  h(
    'ul',
    { class: 'strategy-games' },
    ...games.map(([game, advice]) =>
      h(
        'li',
        { 'data-playing': game === playing },
        h('strong', { text: strings.gameName(game) }),
        h('span', { text: advice }),
      ),
    ),
  );

/** Make the article of a tip. @param {Tip} tip @param {Words} words @param {number} level of its heading @param {string} playing */
function makeArticle(tip, words, level, playing) {
  const { title = '', text = '', games = [] } = words.TIPS[tip.id] ?? {};
  const sources = tip.from.map((source) => words.SOURCES[source]);
  const drawn = drawFrames(tip, words);
  const piles = tip.shows?.length ?? 0;
  const size = { 'data-wide': piles > NARROW_PILES, 'data-narrow': piles === 1 };
  return h(
    'article',
    { class: 'strategy-tip', 'data-tip': tip.id },
    h(/** @type {'h3' | 'h4'} */ (`h${level}`), { text: title }),
    ...[text].flat().map((paragraph) => h('p', { text: paragraph })),
    games.length > 0 && makeGames(/** @type {[string, string][]} */ (games), playing),
    tip.walk
      ? makeWalk(drawn, words)
      : h(
          'div',
          { class: 'strategy-frames', ...size },
          ...drawn.map((each) => makeFigure(each, words)),
        ),
    tip.prices && makePriceTable(tip.prices, words),
    h('p', {
      class: 'strategy-source',
      text: sources.length > 0 ? words.from(strings.list(sources)) : words.PAGE.ours,
    }),
  );
}

/**
 * Make links to the families that have tips, and their sections; the heading of each has the family as
 * id.
 * @param {readonly Tip[]} tips
 * @param {Words} words
 * @param {number} level of the sections' headings
 * @param {string} [playing] the game that is being played, if any
 */
export function makeTips(tips, words, level, playing = '') {
  const families = familiesOf(tips);
  const links = families.map((family) =>
    h('li', {}, h('a', { href: `/strategy#${family}`, text: words.FAMILIES[family].title })),
  );
  const sections = families.map((family) =>
    h(
      'section',
      { class: 'panel strategy-family', 'aria-labelledby': family },
      h(/** @type {'h2' | 'h3'} */ (`h${level}`), {
        id: family,
        tabindex: -1,
        text: words.FAMILIES[family].title,
      }),
      h('p', { class: 'strategy-lead', text: words.FAMILIES[family].lead }),
      ...tips
        .filter(({ game }) => GAMES[game].family === family)
        .map((tip) => makeArticle(tip, words, level + 1, playing)),
    ),
  );
  const contents = { class: 'strategy-contents', 'data-part': 'contents' };
  return [
    h('nav', { ...contents, 'aria-label': words.PAGE.contents }, h('ul', {}, ...links)),
    ...sections,
  ];
}
