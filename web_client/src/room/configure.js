// What the host sends of the settings: on top of what was sent just before and is not answered
// yet, so that two quick changes do not undo each other.

import { ABOUT_PEOPLE } from './catalogue.js';

/**
 * @import {Settings, SettingsInput} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @typedef {(base: SettingsInput) => SettingsInput} Change
 */

/** @type {{code: string, v: number, settings: SettingsInput} | null} */
let sent = null;

/** @param {App} app @param {Change} change */
export function configure(app, change) {
  const room = app.state().room;
  if (!room) return;
  const open = sent?.code === room.code && sent.v === room.v;
  const settings = change(open && sent ? sent.settings : room.settings);
  sent = { code: room.code, v: room.v, settings };
  app.say({ type: 'configure', settings });
}

/** What was sent was refused: it is no base for the next change. */
export const forgetSent = () => {
  sent = null;
};

/** Who may join, as it is; the form of the rules says only whether the room is public. @param {SettingsInput} base */
export const aboutJoining = (base) =>
  /** @type {Partial<Settings>} */ (
    Object.fromEntries(
      Object.entries(base).filter(([name]) => name !== 'public' && ABOUT_PEOPLE.includes(name)),
    )
  );
