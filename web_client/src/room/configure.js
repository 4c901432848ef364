// Changes of the settings by the host. Each is made on top of the last one that is not answered yet,
// so that quick changes do not undo each other.

import { answers, MAX_WAIT_MS } from './pending-choice.js';

/**
 * @import {SettingsInput} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @typedef {(base: SettingsInput) => SettingsInput} Change
 */

/** @type {{code: string, at: number, settings: SettingsInput} | null} */
let sent = null;

/**
 * Send a change.
 *
 * @param {App} app
 * @param {Change} change
 * @returns {SettingsInput | null} the settings that were sent
 */
export function configure(app, change) {
  const room = app.state().room;
  if (!room) return null;
  const now = performance.now();
  const open =
    sent?.code === room.code &&
    now - sent.at < MAX_WAIT_MS &&
    !answers(room.settings, sent.settings);
  const settings = change(open && sent ? sent.settings : room.settings);
  sent = { code: room.code, at: now, settings };
  app.send({ type: 'configure', settings });
  return settings;
}

/** Forget the last change: it was refused, and is no base for the next one. */
export const forgetSent = () => {
  sent = null;
};
