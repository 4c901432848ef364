// The settings of a room, without the form: which values they can have, how a change affects other settings, and the
// change that the server has yet to answer.

import { ABOUT_PEOPLE, EXCLUSIONS, SETTINGS } from '../contract/protocol.js';
import { catalogue } from '../page/loads.js';

/**
 * @import {GameInfo, RoomView, Settings, SettingsInput} from '../contract/messages.d.ts'
 * @import {Value} from '../contract/protocol.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {keyof Settings} Name
 * @typedef {{[name in Name]?: Value}} Values settings; the server chooses those that are missing
 */

export const NAMES = /** @type {Name[]} */ (Object.keys(SETTINGS));

/** Return a game's entry in the catalogue. @param {unknown} id @returns {GameInfo | undefined} */
export const gameInfo = (id) => catalogue.games.find((each) => each.id === id);

/** The settings that belong to no preset: who can join, and what spectators may see. */
const OUTSIDE_PRESETS = new Set([...ABOUT_PEOPLE, 'spectate', 'board_delay_s']);

/** Return whether a setting is part of the presets. @param {string} name */
export const isOfPreset = (name) => !OUTSIDE_PRESETS.has(name);

/** Return the id of the preset that the settings match, if there is one. @param {Settings} settings */
export const presetOf = (settings) =>
  catalogue.presets.find((each) => !differences(each.settings, settings).some(isOfPreset))?.id;

/** Return whether a setting has an effect. @param {Name} name @param {Values} settings @returns {boolean} */
export function applies(name, settings) {
  const { games, onlyWith } = SETTINGS[name];
  if (games && !games.includes(String(settings.game))) return false;
  if (!onlyWith) return true;
  const { name: other, values } = onlyWith;
  return applies(other, settings) && values.includes(settings[other] ?? null);
}

/**
 * Return the values that a menu offers for a setting: those that the game allows, and the number that it has now.
 * @param {Name} name @param {Values} settings @returns {readonly Value[]}
 */
export function choicesOf(name, settings) {
  const { values = [], offered, nullable, byGame } = SETTINGS[name];
  if (!offered) {
    const ofGame = byGame && gameInfo(settings.game)?.[byGame];
    return nullable ? [null, ...values] : (ofGame ?? values);
  }
  const present = settings[name] ?? null;
  const numbers = present === null ? offered : [...new Set([...offered, Number(present)])];
  const sorted = numbers.toSorted((a, b) => a - b);
  return nullable ? [...sorted, null] : sorted;
}

/** Return whether forms show a setting: it matters and leaves a choice. @param {Name} name @param {Values} settings */
export const isShown = (name, settings) =>
  applies(name, settings) && !(SETTINGS[name].byGame && choicesOf(name, settings).length < 2);

/**
 * Return whether an exclusion forbids these settings: each setting that it names has one of the values that it lists.
 * @param {(typeof EXCLUSIONS)[number]['values']} values `given` stands for any but null @param {Values} settings
 */
const areExcluded = (values, settings) =>
  Object.entries(values).every(([name, excluded]) => {
    const value = settings[/** @type {Name} */ (name)] ?? null;
    return excluded === 'given' ? value !== null : excluded?.includes(value);
  });

/** Return the names of the settings that differ. @param {Settings} before @param {Settings} after */
export const differences = (before, after) => NAMES.filter((name) => before[name] !== after[name]);

/**
 * @typedef {object} Change
 * @property {Name} name of the changed setting
 * @property {Values} before all settings before the change
 * @property {Value} value its new value
 * @property {ReadonlySet<string>} chosen the settings that the host has set by hand
 */

/**
 * Return the settings after a change of one of them. Those that cannot keep their value get their default, or are left
 * out if the server can choose a value that fits.
 * @param {Change} change @returns {SettingsInput}
 */
export function withChange(change) {
  const { name, before, value } = change;
  const next = /** @type {Values} */ ({ ...before, [name]: value });
  for (const other of NAMES) {
    if (other === name || !(other in next)) continue; // left out already
    const { games, fits, usual } = SETTINGS[other];
    // A value that had no effect in the previous game was nobody's choice, so it isn't kept.
    const isInUse = applies(other, next) && (!games || applies(other, before));
    if (isInUse && !isOutdated(change, next, other) && !clashes(change, next, other)) continue;
    if (fits) delete next[other];
    else next[other] = usual;
  }
  return /** @type {SettingsInput} */ (next);
}

/**
 * Return whether a change resets the score or the layout. A new game brings its usual score. A new game or kind of deal
 * brings the usual layout. Neither replaces a value that the host has chosen and that the game has too.
 * @param {Change} change @param {Values} next the settings after the change @param {Name} other
 */
function isOutdated({ name, before, chosen }, next, other) {
  const { byGame } = SETTINGS[other];
  const isLayout = byGame === 'layouts';
  if (!byGame || !(name === 'game' || (name === 'deal' && isLayout))) return false;
  const values = gameInfo(next.game)?.[byGame];
  if (values && !values.some((each) => each === before[other])) return true; // the new game does not have it
  if (chosen.has(other)) return false;
  // A score that isn't the usual one of the previous game came with a preset and stays.
  return isLayout || before[other] === gameInfo(before.game)?.[byGame][0];
}

/**
 * Return whether another setting cannot keep its value: an exclusion now forbids it, or the value was only chosen
 * because an exclusion forbade others, and the change may lift that. The latter, and exclusions that are not about open
 * races, count only for settings that the server can fill in. The score (`byGame`) is kept even then: the server
 * refuses what it excludes.
 * @param {Change} change @param {Values} next the settings after the change @param {Name} other
 */
function clashes({ name, before, value, chosen }, next, other) {
  const { fits, byGame } = SETTINGS[other];
  const ofBoth = EXCLUSIONS.filter(({ values }) => values[name] && values[other]);
  const ofOpenRaces = ofBoth.filter(({ values }) => values.window_s);
  if (ofOpenRaces.some(({ values }) => areExcluded(values, next))) return true;
  if (!fits || byGame) return false;
  return ofBoth.some(({ values: { [name]: valuesOfName, [other]: valuesOfOther } }) => {
    // Ignore 'given': it is about `number` and `seed`, which the form shows only beside their kind of deal.
    if (!Array.isArray(valuesOfName) || !Array.isArray(valuesOfOther)) return false;
    const wasForced = valuesOfName.includes(before[name]) && !chosen.has(other);
    return wasForced || (valuesOfName.includes(value) && valuesOfOther.includes(next[other]));
  });
}

// The last change sent, kept until the room has it. The next change builds on it, so that quick changes do not undo
// each other. Until then forms are not drawn: if the host operates a menu by keyboard, the answer to an earlier change
// would select an earlier entry again.

const MAX_WAIT_MS = 2_000; // wait at most this long for an answer

let sent = /** @type {{code: string, settings: SettingsInput} | null} */ (null);
let answerTimer = 0;

/** Forget the change sent last: it was answered, or no answer is expected. */
export function forgetSent() {
  clearTimeout(answerTimer);
  sent = null;
}

/** Return the settings sent last; null once the room has them, or in another room. @param {RoomView} room */
export function pendingSettings({ code, settings }) {
  if (!sent) return null;
  const asked = sent.settings;
  // The server may choose any value for a setting that was left out.
  const isDone = NAMES.every((name) => asked[name] === undefined || asked[name] === settings[name]);
  if (!isDone && sent.code === code) return asked;
  forgetSent();
  return null;
}

/**
 * Send a change of the settings.
 * @param {App} app
 * @param {(base: SettingsInput) => SettingsInput} change changes the settings sent last, or else the room's
 * @param {() => void} [giveUp] called if no answer comes within `MAX_WAIT_MS`
 */
export function configure(app, change, giveUp) {
  const { room } = app.state();
  if (!room) return;
  const settings = change(pendingSettings(room) ?? room.settings);
  forgetSent();
  sent = { code: room.code, settings };
  answerTimer = setTimeout(() => {
    sent = null;
    giveUp?.();
  }, MAX_WAIT_MS);
  app.send({ type: 'configure', settings });
}
