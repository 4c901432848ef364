// The settings that a form shows, the values that they can have, and the effect of a change on other
// settings. Pure, made from the generated table of settings.

import { EXCLUSIONS, SETTINGS } from '../contract/settings.js';

/**
 * @import {GameInfo, Settings, SettingsInput} from '../contract/messages.d.ts'
 * @import {Value} from '../contract/settings.js'
 * @typedef {keyof Settings} Name
 * @typedef {{[name in Name]?: Value}} Values settings, some of them left open
 */

export const NAMES = /** @type {Name[]} */ (Object.keys(SETTINGS));

/** Return whether a setting has an effect. @param {Name} name @param {Values} settings */
export function applies(name, settings) {
  const { games, onlyWith } = SETTINGS[name];
  if (games && !games.includes(String(settings.game))) return false;
  return !onlyWith || onlyWith.values.includes(settings[onlyWith.name] ?? null);
}

/**
 * Return the values to choose from; of a number those that are offered, and the present one.
 * @param {Name} name
 * @param {Values} settings
 * @param {GameInfo | undefined} game
 * @returns {Value[]}
 */
export function choicesOf(name, settings, game) {
  const { values = [], offered, nullable, byGame } = SETTINGS[name];
  if (!offered) return [...((byGame && game?.[byGame]) ?? values)];
  const present = settings[name] ?? null;
  const isOffered = present === null || offered.includes(Number(present));
  const numbers = isOffered ? [...offered] : [...offered, Number(present)].sort((a, b) => a - b);
  return nullable ? [...numbers, null] : numbers;
}

/**
 * Return whether a form shows a setting: it has an effect, and more than one value.
 * @param {Name} name
 * @param {Values} settings
 * @param {GameInfo | undefined} game
 */
export function isShown(name, settings, game) {
  const { byGame } = SETTINGS[name];
  return applies(name, settings) && !(byGame && choicesOf(name, settings, game).length < 2);
}

/**
 * Return the settings with one at its default, or left open if the server chooses a value that fits.
 * @param {Values} settings
 * @param {Name} name
 */
function reset(settings, name) {
  const { [name]: _, ...rest } = settings;
  return SETTINGS[name].fits ? rest : { ...rest, [name]: SETTINGS[name].usual };
}

/**
 * Return whether another setting loses its value by a change of the game or of the deal: the new game
 * does not have the value, or the host did not choose it.
 * @param {Name} other
 * @param {Name} changed
 * @param {Values} before
 * @param {Change} change
 */
function losesValue(other, changed, before, { chosen, games }) {
  const { byGame, chapter } = SETTINGS[other];
  const ofDeal = chapter === 'deal';
  if (!byGame || (changed !== 'game' && !(changed === 'deal' && ofDeal))) return false;
  const value = before[other];
  const valuesNow = games.now?.[byGame];
  if (valuesNow && !valuesNow.some((each) => each === value)) return true;
  // A value that is not the usual one of the former game came with a preset, and stays.
  return !chosen.has(other) && (ofDeal || value === games.before?.[byGame][0]);
}

/**
 * Return whether another setting loses its value by a change: it does not go with the new value
 * of the changed one, or the former value forced it. Values that depend on the game are never lost so.
 * @param {Name} other
 * @param {Name} changed
 * @param {Values} before
 * @param {Values} after
 * @param {ReadonlySet<string>} chosen
 */
function clashesWith(other, changed, before, after, chosen) {
  const { fits, byGame } = SETTINGS[other];
  if (!fits || byGame) return false;
  return EXCLUSIONS.some(({ values }) => {
    const [ofChanged, ofOther] = [values[changed], values[other]];
    if (!Array.isArray(ofChanged) || !Array.isArray(ofOther)) return false;
    const wasForced = ofChanged.includes(before[changed]) && !chosen.has(other);
    return wasForced || (ofChanged.includes(after[changed]) && ofOther.includes(after[other]));
  });
}

/**
 * @typedef {object} Change
 * @property {ReadonlySet<string>} chosen the names of the settings that the host has set by hand
 * @property {{before?: GameInfo | undefined, now?: GameInfo | undefined}} games as the catalogue has them
 */

/**
 * Return the settings after the change of one, without the values that cannot stay: they get their
 * defaults, or are left open so that the server chooses what fits.
 * @param {Values} settings
 * @param {Name} changed
 * @param {Value} value
 * @param {Change} change
 * @returns {SettingsInput}
 */
export function withChange(settings, changed, value, change) {
  /** @type {Values} */
  let next = { ...settings, [changed]: value };
  for (const other of NAMES) {
    if (other === changed || !(other in next)) continue;
    const isUnused = !applies(other, next);
    const isUsedAgain = !isUnused && !applies(other, settings);
    if (
      isUnused ||
      (isUsedAgain && SETTINGS[other].games) ||
      losesValue(other, changed, settings, change) ||
      clashesWith(other, changed, settings, next, change.chosen)
    )
      next = reset(next, other);
  }
  return /** @type {SettingsInput} */ (next);
}

/** Return the names of the settings that differ. @param {Settings} before @param {Settings} after @returns {Name[]} */
export const differences = (before, after) => NAMES.filter((name) => before[name] !== after[name]);
