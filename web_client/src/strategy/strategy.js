// Tips for playing well, on a page of their own and in a dialog over the race. `tips.json` has their
// positions, so that a test can play them on the real engine. All of this is loaded when it is first
// needed.

import { GAMES } from '../contract/games.js';
import { spoken, strings } from '../strings/language.js';
import { languageField } from '../widgets/controls.js';
import { h } from '../widgets/element.js';
import { makeTips } from './tips.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Tip, Words} from './tips.js'
 */

/** @type {Promise<Tip[]> | null} */
let tips = null;

/** Fetch the tips. @returns {Promise<Tip[]>} */
async function fetchTips() {
  const answer = await fetch('/src/strategy/tips.json');
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** Load the sentences in the page's language, and the tips. @returns {Promise<[Words, Tip[]]>} */
async function load() {
  tips ??= fetchTips();
  tips.catch(() => {
    tips = null; // the next call requests them again
  });
  return Promise.all([import(`../strings/${spoken}/strategy.js`), tips]);
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
