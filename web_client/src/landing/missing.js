// The pages for a room that is closed, and for an address without a page.

import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { languageField } from '../widgets/language-field.js';
import { drawCard } from './entry-form.js';

/**
 * @import {App, Bound} from '../page/app.d.ts'
 */

/** Bind the page. @param {HTMLElement} root @param {App} app @param {string} code of the room, or '' @returns {Bound} */
export function bindMissing(root, app, code) {
  const words = strings.MISSING;
  const pair = [drawCard({ 'data-back': true }), drawCard({ 'data-card': 'QS' })];
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing missing', id: 'missing' },
      h(
        'header',
        { class: 'page-title' },
        h('div', { class: 'wordmark', 'aria-hidden': 'true' }),
        h('div', { class: 'landing-hero', 'aria-hidden': 'true' }, ...pair),
        h('h1', { text: code ? words.room : words.page }),
        h('p', { text: code ? words.roomText : words.pageText }),
      ),
      h('a', { class: 'missing-front', id: 'front', href: '/', text: words.front }),
      languageField(app.speak),
    ),
  );
  return { update() {}, unbind() {} };
}
