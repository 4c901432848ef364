// The head of the page.

import { strings } from '../strings/language.js';
import { languageField } from '../widgets/controls.js';
import { h, set } from '../widgets/element.js';

/** @import {App} from './app.d.ts' */

/**
 * Draw the head of the page: the given nodes, then language and preferences at the right.
 * @param {HTMLElement} top
 * @param {App} app
 * @param {Node[] | null} [nodes] the way out and the middle; by default the wordmark and its links
 */
export function drawTop(top, app, nodes = topLinks(app)) {
  const heading = /** @type {HTMLElement} */ (top.firstElementChild);
  top.replaceChildren(heading);
  set(top, { 'data-bare': nodes === null });
  if (nodes === null) return;
  const preferences = h('button', {
    class: 'icon icon-sliders top-icon',
    id: 'preferences',
    'data-kind': 'quiet',
    title: strings.PREFERENCES_TITLE,
    'aria-label': strings.PREFERENCES_TITLE,
    onclick: app.openPreferences,
  });
  top.append(...nodes, languageField(app.speak), preferences);
}

/** Make the wordmark, which leads to the front page, and the links beside it. @param {App} app */
export function topLinks(app) {
  const { tips, yours, lesson: text } = strings.LANDING;
  const name = h('span', { class: 'text-spoken' }, 'Spider Race');
  const quiet = { 'data-kind': 'quiet', class: 'buttons-link' };
  const links = [
    h('button', { 'data-kind': 'quiet', id: 'how-to-play', text, onclick: app.openLesson }),
    h('a', { ...quiet, id: 'tips', href: '/strategy', text: tips }),
    h('a', { ...quiet, id: 'to-yours', href: '/yours', text: yours }),
  ];
  return [
    h('a', { class: 'top-home wordmark', href: '/' }, name),
    h('nav', { class: 'top-links' }, ...links),
  ];
}
