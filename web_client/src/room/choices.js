// The settings that a host leaves open, so that the server chooses what fits the others. Pure.

/** @import {GameInfo, SettingsInput} from '../core/messages.d.ts' */

/**
 * Return the settings after a change of the game or of the kind of deal, without those that go with
 * it and that the host did not choose.
 *
 * @param {SettingsInput} settings
 * @param {'game' | 'deal'} changed
 * @param {ReadonlySet<string>} chosen the names of the fields that the host has set by hand
 * @param {GameInfo | undefined} before the game before the change
 * @param {GameInfo | undefined} game the game now
 * @returns {SettingsInput}
 */
export function leaveOpen(settings, changed, chosen, before, game) {
  const { layout, score, ...rest } = settings;
  /** @param {string} name @param {string | undefined} value @param {string[] | undefined} among */
  const fits = (name, value, among) => chosen.has(name) && among?.includes(value ?? '');
  // A score that is not the usual one of the former game came with a preset, and stays.
  const kept = changed === 'deal' || score !== before?.scores[0] || chosen.has('score');
  return {
    ...rest,
    ...(fits('layout', layout, game?.layouts) ? { layout } : {}),
    ...(kept && (!game || game.scores.some((each) => each === score)) ? { score } : {}),
  };
}
