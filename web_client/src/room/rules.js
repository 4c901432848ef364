// The rules of a room, for everybody.

import { SETTINGS } from '../contract/settings.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { catalogue, gameInfo, presetOf, whenLoaded } from './catalogue.js';
import { rulebook } from './rulebook.js';

/**
 * @import {Settings} from '../contract/messages.d.ts'
 * @import {Name} from './setting-choices.js'
 */

/** Bind the page of rules. @param {HTMLElement} root */
export function bindRules(root) {
  const name = h('strong');
  const about = h('span', { class: 'text-small' });
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
          section.toggleAttribute('data-changed', chapters.includes(section.dataset.chapter ?? ''));
    },
  };
}
