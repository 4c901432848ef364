// Boxes to tick in dialogs, and one that changes who can join at once.

import { h, loadSheet } from '../shared/element.js';
import { configure } from './configure.js';

/**
 * @import {Settings} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 */

/** A box to tick, also in a dialog. @param {string} id @param {string} text */
export function checkBox(id, text) {
  loadSheet('admission').catch(() => {}); // without it the box is only less well aligned
  const field = h('input', { id, type: 'checkbox' });
  return { field, label: h('label', { class: 'check' }, field, h('span', { text })) };
}

/**
 * A box that changes one setting about people at once.
 *
 * @param {App} app
 * @param {'locked'} name
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
