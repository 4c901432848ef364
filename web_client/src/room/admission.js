// Check boxes for dialogs, and one that changes at once who can join.

import { h, loadSheet } from '../widgets/element.js';
import { configure } from './configure.js';

/**
 * @import {Settings} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 */

/** Make a check box with a label. @param {string} id @param {string} text */
export function checkBox(id, text) {
  loadSheet('admission').catch(() => {}); // without the sheet the box is only less well aligned
  const field = h('input', { id, type: 'checkbox' });
  return {
    field,
    label: h('label', { class: 'field-check admission-check' }, field, h('span', { text })),
  };
}

/**
 * Make a check box that changes a setting about people at once.
 * @param {App} app
 * @param {'locked'} name
 * @param {string} text
 * @param {string} id
 */
export function settingBox(app, name, text, id) {
  const { label, field } = checkBox(id, text);
  field.addEventListener('change', () =>
    configure(app, (settings) => ({ ...settings, [name]: field.checked })),
  );
  return {
    label,
    /** @param {Settings} settings */
    update: (settings) => {
      field.checked = settings[name];
    },
  };
}
