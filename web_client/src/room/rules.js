// The rules of a room, for everybody.

import { strings } from '../core/language.js';
import { SETTINGS } from '../core/settings.js';
import { h, write } from '../shared/element.js';
import { catalogue, gameInfo, presetOf, whenLoaded } from './catalogue.js';
import { rulebook } from './rulebook.js';

/**
 * @import {Settings} from '../core/messages.d.ts'
 * @import {Name} from './choices.js'
 */

/** Bind the page of rules. @param {HTMLElement} root */
export function bindRules(root) {
  const name = h('strong');
  const about = h('span', { class: 'small-text' });
  const summary = h('span');
  const page = h('div', { class: 'rules-book' });
  root.replaceChildren(
    h('div', { id: 'rules' }, h('p', { class: 'rules-name' }, name, about, summary), page),
  );
  /** @type {Settings | null} */
  let shown = null;

  /** Draw the rules. @param {Settings} settings */
  function draw(settings) {
    const preset = presetOf(catalogue(), settings);
    write(name, (preset && strings.PRESETS[preset]) ?? '');
    write(about, (preset && strings.PRESETS_ABOUT[preset]) ?? '');
    write(summary, strings.settingsSummary(settings));
    const game = gameInfo(settings.game);
    if (!game) return; // the catalogue, which has its figures, is not loaded yet
    page.replaceChildren(
      ...rulebook(settings, game).map(({ chapter, title, lines }) => {
        const texts = lines.map((text) => h('p', { text }));
        const section = h('section', {}, h('h3', { text: title }), ...texts);
        section.dataset.chapter = chapter;
        return section;
      }),
    );
  }
  whenLoaded(() => shown && draw(shown));

  return {
    /** Show settings, and mark the chapters of those that have changed. @param {Settings} settings @param {readonly Name[]} changed */
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
