// The settings of a room, without a form: their entries in the server's catalogue, their values, the effect of a
// change on other settings, and the change that waits for its answer.

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

/** Return a game's entry in the catalogue. @param {unknown} id @returns {GameInfo | undefined} */
export const gameInfo = (id) => catalogue.games.find((each) => each.id === id);

/** The settings that belong to no preset: who can join, and what spectators may see. */
const OUTSIDE_PRESETS = new Set([...ABOUT_PEOPLE, 'spectate', 'board_delay_s']);

/** Return whether presets have a setting. @param {string} name */
export const isOfPreset = (name) => !OUTSIDE_PRESETS.has(name);

/** Return the id of the preset with the same settings, if there is one. @param {Settings} settings */
export const presetOf = (settings) =>
  catalogue.presets.find((each) => !differences(each.settings, settings).some(isOfPreset))?.id;

/** Return whether a setting has an effect in this game and with these other settings. @param {Name} name @param {Values} settings @returns {boolean} */
export function applies(name, settings) {
  const { games, onlyWith } = SETTINGS[name];
  if (games && !games.includes(String(settings.game))) return false;
  if (!onlyWith) return true;
  return (
    applies(onlyWith.name, settings) && onlyWith.values.includes(settings[onlyWith.name] ?? null)
  );
}

/**
 * Return the values that a menu offers for a setting: those that the game allows. For a number, add the current one.
 * @param {Name} name @param {Values} settings @returns {readonly Value[]}
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

/** Return whether a form shows a setting: it has an effect, and more than one value in this game. @param {Name} name @param {Values} settings */
export const isShown = (name, settings) =>
  applies(name, settings) && !(SETTINGS[name].byGame && choicesOf(name, settings).length < 2);

/**
 * Return whether settings have all values of an exclusion, which must not come together.
 * @param {(typeof EXCLUSIONS)[number]['values']} values by setting; `given` means any @param {Values} settings
 */
const areExcluded = (values, settings) =>
  Object.entries(values).every(([name, excluded]) => {
    const value = settings[/** @type {Name} */ (name)] ?? null;
    return excluded === 'given' ? value !== null : excluded?.includes(value);
  });

/** Return the names of settings that differ. @param {Settings} before @param {Settings} after */
export const differences = (before, after) => NAMES.filter((name) => before[name] !== after[name]);

/**
 * @typedef {object} Change
 * @property {Name} name of the changed setting
 * @property {Values} before all settings
 * @property {Value} value the new one
 * @property {ReadonlySet<string>} chosen the settings that the host has set by hand
 */

/**
 * Return the settings after a change of one of them. A value that cannot stay gets its default, or is left open
 * if the server chooses one that fits.
 * @param {Change} change @returns {SettingsInput}
 */
export function withChange(change) {
  const { name, before, value } = change;
  const next = /** @type {Values} */ ({ ...before, [name]: value });
  for (const other of NAMES) {
    if (other === name || !(other in next)) continue; // a missing one is left open already
    const { games, fits, usual } = SETTINGS[other];
    // A setting of certain games that had no effect before gets its default.
    const isUsedAgain = games && !applies(other, before);
    const hasEffect = applies(other, next) && !isUsedAgain;
    if (hasEffect && !isOutdated(change, next, other) && !clashes(change, next, other)) continue;
    if (fits)
      delete next[other]; // the server chooses
    else next[other] = usual;
  }
  return /** @type {SettingsInput} */ (next);
}

/**
 * Return whether another game or deal makes a value outdated: the new game does not have it, or nobody chose it.
 * @param {Change} change @param {Values} next the settings after the change @param {Name} other the value's setting
 */
function isOutdated({ name, before, chosen }, next, other) {
  const { byGame, chapter } = SETTINGS[other];
  const ofDeal = chapter === 'deal';
  if (!byGame || !(name === 'game' || (name === 'deal' && ofDeal))) return false;
  const values = gameInfo(next.game)?.[byGame];
  if (values && !values.some((each) => each === before[other])) return true; // the game lacks it
  // An unusual value of the former game came with a preset, and stays.
  const isUsual = before[other] === gameInfo(before.game)?.[byGame][0];
  return !chosen.has(other) && (ofDeal || isUsual);
}

/**
 * Return whether the setting `other` has to change: it does not go with the new value, or had its value only because
 * the former one left no choice. A setting with `byGame` or without `fits` clashes only with an open race.
 * @param {Change} change @param {Values} next the settings after the change @param {Name} other
 */
function clashes({ name, before, value, chosen }, next, other) {
  const { fits, byGame } = SETTINGS[other];
  // The exclusions that name both settings, with the values that must not come together.
  const ofBoth = EXCLUSIONS.map(({ values }) => values).filter((each) => each[name] && each[other]);
  if (ofBoth.some((values) => values.window_s && areExcluded(values, next))) return true;
  if (!fits || byGame) return false;
  return ofBoth.some(({ [name]: ofChanged, [other]: ofOther }) => {
    // 'given' is no list. It belongs to `number` and `seed`, which the form shows only beside their deal.
    if (!Array.isArray(ofChanged) || !Array.isArray(ofOther)) return false;
    const wasForced = ofChanged.includes(before[name]) && !chosen.has(other); // only one value was left
    return wasForced || (ofChanged.includes(value) && ofOther.includes(next[other]));
  });
}

// The last change, until the room has it. The next change is based on it, so that quick changes do not undo each
// other. Meanwhile forms show no settings: in a menu that the host operates by keyboard, answers to earlier
// changes would select an earlier entry again.

const MAX_WAIT_MS = 2_000; // the longest wait for an answer

let sent = /** @type {{code: string, settings: SettingsInput} | null} */ (null);
let overdue = 0; // its timer

/** Forget the last change, since it was refused or no answer comes. */
export function forgetSent() {
  clearTimeout(overdue);
  sent = null;
}

/** Return the last change's settings while it waits for its answer; null, and forget the change, once the room has them. @param {RoomView} room */
export function pendingSettings({ code, settings }) {
  if (!sent) return null;
  const asked = sent.settings;
  // A setting that was left open may get any value.
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
