// The rules of a room, for everybody.

import { strings } from '../core/language.js';
import { h, write } from '../shared/element.js';
import { catalogue, presetOf, whenKnown } from './catalogue.js';
import { rulebook } from './rulebook.js';

/** @import {Settings} from '../core/messages.d.ts' */

/** Bind the page of rules. @param {HTMLElement} root */
export function bindRules(root) {
  const name = h('strong');
  const short = h('span');
  const page = h('div', { class: 'rules-book' });
  root.replaceChildren(
    h('div', { id: 'rules' }, h('p', { class: 'rules-name' }, name, short), page),
  );
  /** @type {Settings | null} */
  let shown = null;

  /** @param {Settings} settings */
  function drawTitle(settings) {
    const preset = presetOf(catalogue(), settings);
    write(name, (preset && strings.PRESETS[preset]) ?? '');
    write(short, strings.inShort(settings));
  }
  whenKnown(() => shown && drawTitle(shown));

  return {
    /** @param {Settings} settings */
    update(settings) {
      if (settings === shown) return;
      shown = settings;
      drawTitle(settings);
      page.replaceChildren(
        ...rulebook(settings).map(({ title, lines }) =>
          h('section', {}, h('h3', { text: title }), ...lines.map((text) => h('p', { text }))),
        ),
      );
    },
  };
}
