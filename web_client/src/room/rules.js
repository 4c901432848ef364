// The rules of the room, folded away: the host's form of the settings, and all rules in words. A button
// on the table opens them.
//
// The server applies the rules; here they are only described, and tests compare them with all settings.

import { SETTINGS } from '../contract/settings.js';
import { amHost } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import {
  applies,
  gameInfo,
  hasOpenRules,
  keepRulesOpen,
  NAMES,
  presetOf,
  whenLoaded,
} from './settings.js';
import { bindSettings, markChanged, refuseSettings, updateSettings } from './settings-form.js';

/**
 * @import {GameInfo, RoomView, Settings} from '../contract/messages.d.ts'
 * @import {GameRules, Lines, MakeLines, SettingRule} from '../strings/en/race.js'
 * @import {Name} from './settings.js'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {{chapter: string, title: string, lines: string[]}} Chapter
 */

/** Return the lines of a rule, if there is one. @param {Lines | MakeLines | undefined} rule @param {Settings} settings @param {GameInfo} game */
const linesOf = (rule, settings, game) =>
  [(typeof rule === 'function' ? rule(settings, game) : rule) ?? []].flat();

/**
 * Return the rules of a room with these settings, by chapter: first the lines of the game, whose figures
 * come from the catalogue, then those of the settings.
 * @param {Settings} settings
 * @param {GameInfo} game the game of the settings
 * @returns {Chapter[]}
 */
export function rulebook(settings, game) {
  /** @type {Readonly<Record<string, GameRules | undefined>>} */
  const families = strings.GAME_RULES;
  /** @type {Readonly<Record<string, SettingRule | undefined>>} */
  const rules = strings.SETTING_RULES;
  const ofSetting = (/** @type {Name} */ name) => {
    const rule = rules[name];
    return typeof rule === 'function' ? rule : rule?.[String(settings[name])];
  };
  return Object.entries(strings.CHAPTERS)
    .map(([chapter, title]) => {
      const names = NAMES.filter(
        (name) => SETTINGS[name].chapter === chapter && applies(name, settings),
      );
      const all = [families[game.family]?.[chapter], ...names.map(ofSetting)];
      return { chapter, title, lines: all.flatMap((rule) => linesOf(rule, settings, game)) };
    })
    .filter(({ lines }) => lines.length > 0);
}

/** Bind the rules in words. */
function bindBook() {
  const name = h('strong');
  const about = h('span', { class: 'text-small' });
  const summary = h('span');
  const page = h('div', { class: 'rules-book' });
  const heading = h('p', { class: 'rules-name' }, name, about, summary);
  /** @type {Settings | null} */
  let shown = null;

  /** Draw the rules. @param {Settings} settings */
  function draw(settings) {
    const [preset = '', more = ''] = strings.PRESETS[presetOf(settings) ?? ''] ?? [];
    write(name, preset);
    write(about, more);
    write(summary, strings.rulesLine(settings));
    const game = gameInfo(settings.game);
    if (!game) return; // the catalogue, which has its figures, is not loaded yet
    page.replaceChildren(
      ...rulebook(settings, game).map(({ chapter, title, lines }) => {
        const texts = lines.map((text) => h('p', { text }));
        return h('section', { 'data-chapter': chapter }, h('h3', { text: title }), ...texts);
      }),
    );
  }
  whenLoaded(() => shown && draw(shown));

  return {
    element: h('div', { id: 'rules' }, heading, page),
    /** Show settings, and mark the chapters of those that have changed. @param {Settings} settings @param {readonly Name[]} changed */
    update(settings, changed) {
      if (settings !== shown) draw(settings);
      shown = settings;
      const chapters = changed.map((each) => SETTINGS[each].chapter);
      for (const section of page.querySelectorAll('section'))
        section.toggleAttribute('data-changed', chapters.includes(section.dataset.chapter ?? ''));
    },
  };
}

/** Bind the button, and the rules that it opens. @param {App} app */
export function bindRules(app) {
  const words = strings.ROOM;
  const form = bindSettings(app);
  const settings = h(
    'section',
    { 'aria-labelledby': 'settings-title' },
    h('h2', { id: 'settings-title', text: words.settings }),
    form.element,
  );
  const book = bindBook();
  const element = h(
    'section',
    { class: 'panel rules', id: 'table-rules', 'aria-labelledby': 'rules-title', tabindex: -1 },
    settings,
    h('section', {}, h('h2', { id: 'rules-title', text: words.rules }), book.element),
    h(
      'div',
      { class: 'buttons rules-end' },
      h('button', { id: 'rules-done', text: words.done, onclick: toggle }),
    ),
  );
  const button = h('button', {
    id: 'change-rules',
    'aria-controls': 'table-rules',
    onclick: toggle,
  });
  /** Show the rules or hide them. @param {boolean} isOpen */
  function show(isOpen) {
    element.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  }
  /** Open the rules and go to them, or close them and go back. */
  function toggle() {
    show(element.hidden === true);
    keepRulesOpen(element.hidden ? '' : (app.state().room?.code ?? ''));
    const next = element.hidden ? button : element;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: element.hidden ? 'center' : 'start' });
  }
  show(hasOpenRules(app.state().room?.code));
  let isToBeSeen = !element.hidden;
  let latestNotice = app.state().notice?.n ?? 0;

  return {
    button,
    element,
    /** Show the rules of a room, and mark those that have changed. @param {State} state @param {RoomView} room @param {readonly Name[]} changed */
    update(state, room, changed) {
      settings.hidden = !amHost(state);
      write(button, amHost(state) ? words.change : words.rules);
      updateSettings(form);
      markChanged(form, changed);
      book.update(room.settings, changed);
      if (isToBeSeen) element.scrollIntoView({ block: 'start' });
      isToBeSeen = false;
    },
    /** Show in the form that the last change of the settings was refused. @param {State} state */
    showRefusal({ notice }) {
      if (!notice || notice.n === latestNotice) return;
      latestNotice = notice.n;
      if (/^(configure|settings)/.test(notice.command))
        refuseSettings(form, strings.sentence(notice));
    },
    /** Forget that the rules are open, unless the screen is only shown anew in another language. */
    unbind() {
      if (app.state().room?.state !== 'LOBBY') keepRulesOpen('');
    },
  };
}
