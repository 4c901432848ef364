// The rules of a room, for everybody.

import { strings } from '../core/language.js';
import { SETTINGS } from '../core/settings.js';
import { h, write } from '../shared/element.js';
import { catalogue, gameInfo, presetOf, whenKnown } from './catalogue.js';
import { rulebook } from './rulebook.js';

/**
 * @import {Settings} from '../core/messages.d.ts'
 * @import {Name} from './choices.js'
 */

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
  function draw(settings) {
    const preset = presetOf(catalogue(), settings);
    write(name, (preset && strings.PRESETS[preset]) ?? '');
    write(short, strings.gist(settings));
    const game = gameInfo(settings.game);
    if (!game) return; // its figures come with the catalogue
    page.replaceChildren(
      ...rulebook(settings, game).map(({ chapter, title, lines }) => {
        const texts = lines.map((text) => h('p', { text }));
        const section = h('section', {}, h('h3', { text: title }), ...texts);
        section.dataset.chapter = chapter;
        return section;
      }),
    );
  }
  whenKnown(() => shown && draw(shown));

  return {
    /** @param {Settings} settings @param {readonly Name[]} changed the settings to be marked */
    update(settings, changed) {
      if (settings !== shown) {
        shown = settings;
        draw(settings);
      }
      const chapters = changed.map((each) => SETTINGS[each].chapter);
      for (const section of page.children)
        if (section instanceof HTMLElement)
          section.classList.toggle(
            'rules-changed',
            chapters.includes(section.dataset.chapter ?? ''),
          );
    },
  };
}
