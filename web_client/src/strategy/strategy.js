// Tips for playing well, on a page of their own and in a dialog over the race. `tips.json` has their
// positions, so that a test can play them on the real engine. All of this is loaded when it is first
// needed.

import { GAMES } from '../contract/games.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { languageField } from '../widgets/language-field.js';
import { familiesOf, makeContents, makeSections } from './tips.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Tip} from './tips.js'
 * @import {Words} from './walk.js'
 */

/** @type {Record<string, () => Promise<Words>>} */
const WORDS = {
  en: () => import('../strings/en/strategy.js'),
  de: () => import('../strings/de/strategy.js'),
};

/** @type {Promise<Tip[]> | null} */
let tips = null;

/** Fetch the tips. @returns {Promise<Tip[]>} */
async function fetchTips() {
  const answer = await fetch('/src/strategy/tips.json');
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** Load the sentences in the page's language, and the tips. */
async function load() {
  tips ??= fetchTips();
  tips.catch(() => {
    tips = null; // the next call requests them again
  });
  const words = WORDS[document.documentElement.lang] ?? WORDS.en;
  return Promise.all([/** @type {() => Promise<Words>} */ (words)(), tips]);
}

/** Scroll to a section and focus it. @param {string} family */
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
  const tipsElement = h('div', { class: 'strategy-tips' });
  const title = h('h1', { text: 'Spider Race' });
  const lead = h('p');
  const page = h(
    'div',
    { class: 'page strategy', id: 'strategy' },
    h('div', { class: 'strategy-bar' }, backLink(), languageField(app.speak)),
    h('header', { class: 'page-title' }, title, lead),
    tipsElement,
    h('div', { class: 'strategy-bar' }, backLink()),
  );
  root.replaceChildren(page);
  let isBound = true;
  const oldTitle = document.title;

  /** Fill the page, unless another one is shown by now. @param {Awaited<ReturnType<typeof load>>} loaded */
  function show([words, loadedTips]) {
    if (!isBound) return;
    document.title = words.PAGE.tab;
    title.textContent = words.PAGE.title;
    lead.textContent = words.PAGE.lead;
    tipsElement.replaceChildren(
      makeContents(loadedTips, words),
      ...makeSections(loadedTips, words, 2),
    );
    const family = familiesOf(loadedTips).find((each) => location.hash === `#${each}`);
    if (family) goTo(family);
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
  const [words, loadedTips] = await load();
  return () => {
    if (document.getElementById('strategy-dialog')) return;
    const close = h('button', {
      id: 'strategy-close',
      'data-kind': 'primary',
      text: strings.HELP.close,
      onclick: () => dialog.close(),
    });
    /** Go to a section without following its link, which leaves the race. @param {string} family @param {Event} event */
    function goInDialog(family, event) {
      event.preventDefault();
      goTo(family);
    }
    const dialog = h(
      'dialog',
      {
        id: 'strategy-dialog',
        class: 'dialog-tall strategy-dialog',
        'aria-labelledby': 'strategy-title',
        closedby: 'any',
      },
      h('header', {}, h('h2', { id: 'strategy-title', text: words.PAGE.title }), close),
      h(
        'div',
        { class: 'strategy' },
        makeContents(loadedTips, words, goInDialog),
        ...makeSections(loadedTips, words, 3, game),
      ),
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
