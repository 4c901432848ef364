// The rules of the room, folded away: the host's form of the settings, and all rules in words. A button
// on the table opens them.

import { amHost } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { forgetSent } from './configure.js';
import { hasOpenRules, keepRulesOpen } from './open-rules.js';
import { bindRules } from './rules.js';
import { bindSettings, markChanged, refuseSettings, updateSettings } from './settings-form.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {Name} from './setting-choices.js'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** Bind the button and what it opens. @param {App} app */
export function bindRulesFold(app) {
  const words = strings.ROOM;
  const form = bindSettings(app);
  const settings = h(
    'section',
    { 'aria-labelledby': 'settings-title' },
    h('h2', { id: 'settings-title', text: words.settings }),
    form.element,
  );
  const rulesRoot = h('div');
  const rules = bindRules(rulesRoot);
  const done = h('button', { id: 'rules-done', text: words.done, onclick: toggle });
  const element = h(
    'section',
    {
      class: 'panel rules-fold',
      id: 'table-rules',
      'aria-labelledby': 'rules-title',
      hidden: true,
    },
    settings,
    h('section', {}, h('h2', { id: 'rules-title', text: words.rules }), rulesRoot),
    h('div', { class: 'buttons rules-fold-end' }, done),
  );
  element.tabIndex = -1;
  const button = h('button', {
    id: 'change-rules',
    'aria-controls': 'table-rules',
    'aria-expanded': 'false',
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
      updateSettings(form, room.settings);
      markChanged(form, changed);
      rules.update(room.settings, changed);
      if (isToBeSeen) element.scrollIntoView({ block: 'start' });
      isToBeSeen = false;
    },
    /** Show in the form that the last change of the settings was refused. @param {State} state */
    showRefusal({ notice, room }) {
      if (!notice || notice.n === latestNotice) return;
      latestNotice = notice.n;
      if (!/^(configure|settings)/.test(notice.command)) return;
      forgetSent();
      if (room) updateSettings(form, room.settings);
      refuseSettings(form, strings.sentence(notice));
    },
    /** Forget that the rules are open, unless the screen is only shown anew in another language. */
    unbind() {
      if (app.state().room?.state !== 'LOBBY') keepRulesOpen('');
    },
  };
}
