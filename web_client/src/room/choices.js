// Which settings a form shows, which values they can have, and what a change of one does to the
// others. Pure, made from the generated table of settings.

import { EXCLUSIONS, SETTINGS } from '../core/settings.js';

/**
 * @import {GameInfo, Settings, SettingsInput} from '../core/messages.d.ts'
 * @import {Value} from '../core/settings.js'
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
 * Return the values to choose from; of a number those that are offered, and its own.
 *
 * @param {Name} name
 * @param {Values} settings
 * @param {GameInfo | undefined} game
 * @returns {Value[]}
 */
export function choicesOf(name, settings, game) {
  const { values = [], offered, nullable, byGame } = SETTINGS[name];
  if (!offered) return [...((byGame && game?.[byGame]) ?? values)];
  const own = settings[name] ?? null;
  const known = own === null || offered.includes(Number(own));
  const numbers = known ? [...offered] : [...offered, Number(own)].sort((a, b) => a - b);
  return nullable ? [...numbers, null] : numbers;
}

/** Return whether there is anything to choose. @param {Name} name @param {Values} settings @param {GameInfo | undefined} game */
export function isShown(name, settings, game) {
  const { byGame } = SETTINGS[name];
  return applies(name, settings) && !(byGame && choicesOf(name, settings, game).length < 2);
}

/** Return the settings without the value of one: its default, or open if the server finds one that fits. @param {Values} settings @param {Name} name */
function reset(settings, name) {
  const { [name]: _, ...rest } = settings;
  return SETTINGS[name].fits ? rest : { ...rest, [name]: SETTINGS[name].usual };
}

/**
 * Return whether the value of another setting has to go with a change of the game or of the deal:
 * the new game lacks it, or the host did not choose it.
 *
 * @param {Name} other
 * @param {Name} changed
 * @param {Values} before
 * @param {Change} change
 */
function goes(other, changed, before, { chosen, games }) {
  const { byGame, chapter } = SETTINGS[other];
  const ofDeal = chapter === 'deal';
  if (!byGame || (changed !== 'game' && !(changed === 'deal' && ofDeal))) return false;
  const value = before[other];
  const among = games.now?.[byGame];
  if (among && !among.some((each) => each === value)) return true;
  // A value that is not the usual one of the former game came with a preset, and stays.
  return !chosen.has(other) && (ofDeal || value === games.before?.[byGame][0]);
}

/**
 * Return whether another setting has to go, or was forced until now, by a value of the changed one
 * that it does not go with. The values that a game has are never changed for that.
 *
 * @param {Name} other
 * @param {Name} changed
 * @param {Values} before
 * @param {Values} after
 * @param {ReadonlySet<string>} chosen
 */
function clashes(other, changed, before, after, chosen) {
  const { fits, byGame } = SETTINGS[other];
  if (!fits || byGame) return false;
  return EXCLUSIONS.some(({ values }) => {
    const [mine, its] = [values[changed], values[other]];
    if (!Array.isArray(mine) || !Array.isArray(its)) return false;
    const forced = mine.includes(before[changed]) && !chosen.has(other);
    return forced || (mine.includes(after[changed]) && its.includes(after[other]));
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
 *
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
    const unused = !applies(other, next);
    const reused = !unused && !applies(other, settings);
    if (
      unused ||
      (reused && SETTINGS[other].games) ||
      goes(other, changed, settings, change) ||
      clashes(other, changed, settings, next, change.chosen)
    )
      next = reset(next, other);
  }
  return /** @type {SettingsInput} */ (next);
}

/**
 * Return the names of the settings in which two differ.
 *
 * @param {Settings} before
 * @param {Settings} after
 * @returns {Name[]}
 */
export const differences = (before, after) => NAMES.filter((name) => before[name] !== after[name]);
