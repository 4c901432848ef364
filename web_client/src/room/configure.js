// Changes of the settings by the host. Each is made on top of the last one that is not answered yet,
// so that two quick changes do not undo each other.

import { ABOUT_PEOPLE } from '../core/protocol.js';

/**
 * @import {Settings, SettingsInput} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @typedef {(base: SettingsInput) => SettingsInput} Change
 */

/** @type {{code: string, v: number, settings: SettingsInput} | null} */
let sent = null;

/** Send a change. @param {App} app @param {Change} change */
export function configure(app, change) {
  const room = app.state().room;
  if (!room) return;
  const open = sent?.code === room.code && sent.v === room.v;
  const settings = change(open && sent ? sent.settings : room.settings);
  sent = { code: room.code, v: room.v, settings };
  app.send({ type: 'configure', settings });
}

/** Forget the last change: it was refused, and is no base for the next one. */
export const forgetSent = () => {
  sent = null;
};

/** Return who may join, as it is; the form of the rules only says whether the room is public. @param {SettingsInput} base */
export const aboutJoining = (base) =>
  /** @type {Partial<Settings>} */ (
    Object.fromEntries(
      Object.entries(base).filter(([name]) => name !== 'public' && ABOUT_PEOPLE.includes(name)),
    )
  );
