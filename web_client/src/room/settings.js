// The settings of a room, without a form: what the server's catalogue says about them, the values that
// each can have, the effect of a change on others, and the change that is not answered yet.

import { ABOUT_PEOPLE, EXCLUSIONS, SETTINGS } from '../contract/protocol.js';
import { catalogue } from '../page/loads.js';

/**
 * @import {GameInfo, RoomView, Settings, SettingsInput} from '../contract/messages.d.ts'
 * @import {Value} from '../contract/protocol.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {keyof Settings} Name
 * @typedef {{[name in Name]?: Value}} Values settings, some of them left open
 */

export const NAMES = /** @type {Name[]} */ (Object.keys(SETTINGS));

/** Return what the catalogue says about a game. @param {unknown} id @returns {GameInfo | undefined} */
export const gameInfo = (id) => catalogue.games.find((each) => each.id === id);

/** The settings that are part of no preset: those about people, and what those who do not play may see. */
const BESIDES = new Set([...ABOUT_PEOPLE, 'spectate', 'board_delay_s']);

/** Return whether a preset says what a setting is. @param {string} name */
export const isOfPreset = (name) => !BESIDES.has(name);

/** Return the id of the preset with the same settings; those that are part of no preset do not count. @param {Settings} settings */
export const presetOf = (settings) =>
  catalogue.presets.find((each) => !differences(each.settings, settings).some(isOfPreset))?.id;

/** Return whether a setting has an effect. @param {Name} name @param {Values} settings @returns {boolean} */
export function applies(name, settings) {
  const { games, onlyWith } = SETTINGS[name];
  if (games && !games.includes(String(settings.game))) return false;
  if (!onlyWith) return true;
  return (
    applies(onlyWith.name, settings) && onlyWith.values.includes(settings[onlyWith.name] ?? null)
  );
}

/**
 * Return the values to choose from: the game's own, or all; of a number the offered ones and the present one.
 * @param {Name} name
 * @param {Values} settings
 * @returns {readonly Value[]}
 */
export function choicesOf(name, settings) {
  const { values = [], offered, nullable, byGame } = SETTINGS[name];
  if (!offered && nullable) return [null, ...values];
  if (!offered) return (byGame && gameInfo(settings.game)?.[byGame]) ?? values;
  const present = settings[name] ?? null;
  const numbers = present === null ? offered : [...new Set([...offered, Number(present)])];
  const sorted = numbers.toSorted((a, b) => a - b);
  return nullable ? [...sorted, null] : sorted;
}

/** Return whether a form shows a setting: it has an effect, and the game does not leave it one value. @param {Name} name @param {Values} settings */
export const isShown = (name, settings) =>
  applies(name, settings) && !(SETTINGS[name].byGame && choicesOf(name, settings).length < 2);

/** Return whether settings have all values that an exclusion names. @param {(typeof EXCLUSIONS)[number]['values']} values @param {Values} settings */
const clashOf = (values, settings) =>
  Object.entries(values).every(([name, excluded]) => {
    const value = settings[/** @type {Name} */ (name)] ?? null;
    return excluded === 'given' ? value !== null : excluded?.includes(value);
  });

/** Return the names of the settings that differ. @param {Settings} before @param {Settings} after */
export const differences = (before, after) => NAMES.filter((name) => before[name] !== after[name]);

/**
 * Return the settings after a change of one, without the values that cannot stay: they get their
 * defaults, or are left open if the server chooses a value that fits.
 * @param {{name: Name, before: Values, value: Value, chosen: ReadonlySet<string>}} change `before` has all
 *   settings, `chosen` the names of those that the host has set by hand
 * @returns {SettingsInput}
 */
export function withChange({ name, before, value, chosen }) {
  /** @type {Values} */
  const next = { ...before, [name]: value };

  /**
   * Return whether a setting loses its value by a change of the game or of the deal: the new game does not
   * have the value, or the host did not choose it.
   * @param {Name} other
   */
  function losesValue(other) {
    const { byGame, chapter } = SETTINGS[other];
    const ofDeal = chapter === 'deal';
    const isConcerned = name === 'game' || (name === 'deal' && ofDeal);
    if (!byGame || !isConcerned) return false;
    const valuesNow = gameInfo(next.game)?.[byGame];
    if (valuesNow && !valuesNow.some((each) => each === before[other])) return true; // the game lacks it
    // A value that is not the usual one of the former game came with a preset, and stays.
    const isUsual = before[other] === gameInfo(before.game)?.[byGame][0];
    return !chosen.has(other) && (ofDeal || isUsual);
  }

  /**
   * Return whether one of these opens a window, and the other has a value that is for races without one.
   * @param {Name} one
   * @param {Name} other
   */
  const isOfWindow = (one, other) =>
    EXCLUSIONS.some(
      ({ values }) =>
        values.window_s && values[one] && values[other] && one !== other && clashOf(values, next),
    );

  /**
   * Return whether a setting does not go with the new value of the changed one, or the former value forced
   * it. Values that depend on the game are never lost so.
   * @param {Name} other
   */
  function clashes(other) {
    const { fits, byGame } = SETTINGS[other];
    if (isOfWindow(name, other)) return true;
    if (!fits || byGame) return false;
    return EXCLUSIONS.some(({ values }) => {
      const ofChanged = values[name];
      const ofOther = values[other];
      // 'given' is no list: it is of `number` and `seed`, which the form shows only beside their deal.
      if (!Array.isArray(ofChanged) || !Array.isArray(ofOther)) return false;
      const wasForced = ofChanged.includes(before[name]) && !chosen.has(other); // only one value was left
      return wasForced || (ofChanged.includes(value) && ofOther.includes(next[other]));
    });
  }

  for (const other of NAMES) {
    if (other === name || !(other in next)) continue; // a missing one is left open already
    const { games, fits, usual } = SETTINGS[other];
    // A setting of certain games that had no effect so far begins with its default.
    const isUsedAgain = games && !applies(other, before);
    const hasEffect = applies(other, next) && !isUsedAgain;
    if (hasEffect && !losesValue(other) && !clashes(other)) continue;
    if (fits)
      delete next[other]; // the server chooses
    else next[other] = usual;
  }
  return /** @type {SettingsInput} */ (next);
}

// The last change that was sent, until the room has it. The next change is based on it, so that quick
// changes do not undo each other. Forms show no settings meanwhile: in a menu that the host operates by
// keyboard, answers to earlier changes would select an earlier entry again.

/** The longest wait for an answer. */
const MAX_WAIT_MS = 2_000;

/** @type {{code: string, settings: SettingsInput} | null} */
let sent = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let overdue;

/** Forget the last change: it was refused, or no answer comes. */
export function forgetSent() {
  clearTimeout(overdue);
  sent = null;
}

/** Return the settings of a change that is not answered yet; else forget it, and return null. The server has chosen what was left open. @param {RoomView} room */
export function pendingSettings({ code, settings }) {
  if (!sent) return null;
  const asked = sent.settings;
  const isDone = NAMES.every((name) => asked[name] === undefined || asked[name] === settings[name]);
  if (!isDone && sent.code === code) return asked;
  forgetSent();
  return null;
}

/**
 * Send a change of the settings, and wait for its answer until `MAX_WAIT_MS` are over.
 * @param {App} app
 * @param {(base: SettingsInput) => SettingsInput} change of the room's settings, or of those sent before
 * @param {() => void} [giveUp] called if no answer comes
 */
export function configure(app, change, giveUp) {
  const { room } = app.state();
  if (!room) return;
  const settings = change(pendingSettings(room) ?? room.settings);
  forgetSent();
  sent = { code: room.code, settings };
  overdue = setTimeout(() => {
    sent = null;
    giveUp?.();
  }, MAX_WAIT_MS);
  app.send({ type: 'configure', settings });
}
