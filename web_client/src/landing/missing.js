// The pages for a room that is closed, and for an address without a page.

import { strings } from '../core/language.js';
import { h } from '../shared/element.js';
import { languageField } from '../shared/language-field.js';

/**
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 */

/** Bind the page. @param {HTMLElement} root @param {App} app @param {string} code of the room, or '' @returns {Bound} */
export function bindMissing(root, app, code) {
  const words = strings.MISSING;
  const back = h('div', { class: 'card card-back' });
  const card = h('div', { class: 'card' });
  card.dataset.card = 'QS';
  root.replaceChildren(
    h(
      'div',
      { class: 'page landing missing', id: 'missing' },
      h(
        'header',
        { class: 'page-title' },
        h('div', { class: 'landing-hero', 'aria-hidden': 'true' }, back, card),
        h('h1', { text: code ? words.room : words.page }),
        h('p', { text: code ? words.roomText : words.pageText }),
      ),
      h('a', { class: 'missing-front', id: 'front', href: '/', text: words.front }),
      languageField(app),
    ),
  );
  return { update() {}, unbind() {} };
}
