// The host's last choice in the form of the rules, until the server has answered it. Answers to
// earlier choices are not shown meanwhile: they would take a host who goes through a list by key back
// to an entry that is already passed.

/** @import {Settings, SettingsInput} from '../core/messages.d.ts' */

/** The longest wait for an answer. */
export const MAX_WAIT_MS = 2_000;

/** Return whether settings of the room are what was sent; the server fills in what was left open. @param {Settings} settings @param {SettingsInput} sent */
export function answers(settings, sent) {
  return Object.entries(sent).every(
    ([name, value]) =>
      value === undefined || value === settings[/** @type {keyof Settings} */ (name)],
  );
}

/**
 * Make the place of the last choice.
 *
 * @param {() => void} overdue called if it is not answered in time
 */
export function makePendingChoice(overdue) {
  /** @type {SettingsInput | null} */
  let sent = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  function forget() {
    clearTimeout(timer);
    sent = null;
  }
  return {
    /** @param {SettingsInput} settings */
    put(settings) {
      clearTimeout(timer);
      sent = settings;
      timer = setTimeout(() => {
        sent = null;
        overdue();
      }, MAX_WAIT_MS);
    },
    forget,
    /** Return whether the room's settings can be shown. @param {Settings} settings */
    allows(settings) {
      if (sent && !answers(settings, sent)) return false;
      forget();
      return true;
    },
  };
}
