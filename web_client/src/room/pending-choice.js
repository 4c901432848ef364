// The host's last choice in the form of the settings, until the server has answered it. Answers to
// earlier choices are not shown meanwhile: in a menu that the host operates by keyboard they would
// select an earlier entry again.

/** @import {Settings, SettingsInput} from '../contract/messages.d.ts' */

/** The longest wait for an answer. */
export const MAX_WAIT_MS = 2_000;

/**
 * Return whether the room has the settings that were sent; the server completes what was left open.
 * @param {Settings} settings
 * @param {SettingsInput} sent
 */
export function isAnswerTo(settings, sent) {
  return Object.entries(sent).every(
    ([name, value]) =>
      value === undefined || value === settings[/** @type {keyof Settings} */ (name)],
  );
}

/**
 * Make the store of the last choice.
 * @param {() => void} overdue called if the choice is not answered in time
 */
export function makePendingChoice(overdue) {
  /** @type {SettingsInput | null} */
  let sent = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** Forget the choice. */
  function forget() {
    clearTimeout(timer);
    sent = null;
  }
  return {
    /** Remember a choice that was sent. @param {SettingsInput} settings */
    put(settings) {
      clearTimeout(timer);
      sent = settings;
      timer = setTimeout(() => {
        sent = null;
        overdue();
      }, MAX_WAIT_MS);
    },
    forget,
    /** Return whether the room's settings can be shown: no choice waits, or they are its answer. @param {Settings} settings */
    allows(settings) {
      if (sent && !isAnswerTo(settings, sent)) return false;
      forget();
      return true;
    },
  };
}
