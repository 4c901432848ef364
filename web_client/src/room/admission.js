// The host's form of who can join. Its settings apply at once, and nobody has to be ready again.

import { strings } from '../core/language.js';
import { MAX_PLAYERS } from '../core/protocol.js';
import { h, sheet } from '../shared/element.js';
import { configure } from './configure.js';

/**
 * @import {Settings} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 */

/** A box to tick, also in a dialog. @param {string} id @param {string} text */
export function checkBox(id, text) {
  sheet('admission').catch(() => {}); // without it the box is only less well aligned
  const field = h('input', { id, type: 'checkbox' });
  return { field, label: h('label', { class: 'check' }, field, h('span', { text })) };
}

/**
 * A box that changes one setting about people at once.
 *
 * @param {App} app
 * @param {'locked' | 'one_seat' | 'approve'} name
 * @param {string} text
 * @param {string} id
 */
export function settingBox(app, name, text, id) {
  const { label, field } = checkBox(id, text);
  field.addEventListener('change', () => change(app, { [name]: field.checked }));
  return {
    label,
    /** @param {Settings} settings */
    update: (settings) => {
      field.checked = settings[name];
    },
  };
}

/** @param {App} app @param {Partial<Settings>} changes */
function change(app, changes) {
  configure(app, (base) => ({ ...base, ...changes }));
}

/** Bind the form. @param {App} app */
export function bindAdmission(app) {
  const text = strings.ADMISSION;
  const boxes = [
    settingBox(app, 'locked', text.locked, 'set-locked'),
    settingBox(app, 'one_seat', text.oneSeat, 'set-one-seat'),
    settingBox(app, 'approve', text.approve, 'set-approve'),
  ];
  const most = h('input', {
    id: 'set-max-players',
    type: 'number',
    min: 1,
    max: MAX_PLAYERS,
    step: 1,
  });
  most.inputMode = 'numeric';
  most.addEventListener('change', () => {
    const value = Math.floor(Number(most.value));
    const fits = most.value !== '' && value >= 1 && value <= MAX_PLAYERS;
    if (fits) change(app, { max_players: value });
    else most.value = String(app.state().room?.settings.max_players ?? MAX_PLAYERS);
  });
  const element = h(
    'form',
    { class: 'settings-form', id: 'admission', onsubmit: (event) => event.preventDefault() },
    h('h3', { class: 'settings-wide', text: text.title }),
    h('label', { class: 'field settings-wide' }, h('span', { text: text.most }), most),
    ...boxes.map(({ label }) => label),
  );
  return {
    element,
    /** @param {Settings} settings */
    update(settings) {
      for (const each of boxes) each.update(settings);
      if (document.activeElement !== most) most.value = String(settings.max_players);
    },
  };
}
