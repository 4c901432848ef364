// Changes of the settings by the host. Each is made on top of the last one that is not answered yet,
// so that two quick changes do not undo each other.

/**
 * @import {SettingsInput} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @typedef {(base: SettingsInput) => SettingsInput} Change
 */

/** @type {{code: string, v: number, settings: SettingsInput} | null} */
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
  const open = sent?.code === room.code && sent.v === room.v;
  const settings = change(open && sent ? sent.settings : room.settings);
  sent = { code: room.code, v: room.v, settings };
  app.send({ type: 'configure', settings });
  return settings;
}

/** Forget the last change: it was refused, and is no base for the next one. */
export const forgetSent = () => {
  sent = null;
};
