// Changes of the settings by the host. Each is based on the last one that is not answered yet, so that
// quick changes do not undo each other.

import { isAnswerTo, MAX_WAIT_MS } from './pending-choice.js';

/**
 * @import {SettingsInput} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @typedef {(base: SettingsInput) => SettingsInput} Change
 */

/** The last change. @type {{code: string, at: number, settings: SettingsInput} | null} */
let sent = null;

/** Send a change. @param {App} app @param {Change} change @returns {SettingsInput | null} the settings that were sent */
export function configure(app, change) {
  const room = app.state().room;
  if (!room) return null;
  const now = performance.now();
  const isPending =
    sent?.code === room.code &&
    now - sent.at < MAX_WAIT_MS &&
    !isAnswerTo(room.settings, sent.settings);
  const settings = change(isPending && sent ? sent.settings : room.settings);
  sent = { code: room.code, at: now, settings };
  app.send({ type: 'configure', settings });
  return settings;
}

/** Forget the last change, which was refused, so that the next one is not based on it. */
export const forgetSent = () => {
  sent = null;
};
