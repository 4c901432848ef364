// The page of rules of a room: the sentences of its game and of its settings, by chapter. Pure.
//
// The server has the rules; this only describes them, and tests compare it with all settings. The
// sentences and their places are in `strings`; the figures of a game come from the catalogue.

import { strings } from '../core/language.js';
import { SETTINGS } from '../core/settings.js';
import { isShown, NAMES } from './choices.js';

/**
 * @import {GameInfo, Settings} from '../core/messages.d.ts'
 * @typedef {string | readonly string[]} Lines
 * @typedef {(settings: Settings, game: GameInfo) => Lines} Told
 * @typedef {{readonly [value: string]: Lines | Told} | Told} SettingRule by value, or of all values
 * @typedef {{readonly [chapter: string]: Lines | Told}} GameRules
 * @typedef {{chapter: string, title: string, lines: string[]}} Chapter
 */

/** @param {Lines | Told | undefined} rule @param {Settings} settings @param {GameInfo} game @returns {Lines} */
const told = (rule, settings, game) =>
  (typeof rule === 'function' ? rule(settings, game) : rule) ?? [];

/**
 * Return the rules of a room with these settings.
 *
 * @param {Settings} settings
 * @param {GameInfo} game that of the settings
 * @returns {Chapter[]}
 */
export function rulebook(settings, game) {
  /** @type {Readonly<Record<string, SettingRule | undefined>>} */
  const rules = strings.SETTING_RULES;
  /** @type {Readonly<Record<string, GameRules | undefined>>} */
  const families = strings.GAME_RULES;
  const own = families[game.family];
  return Object.entries(strings.CHAPTERS)
    .map(([chapter, title]) => {
      const lines = NAMES.filter(
        (name) => SETTINGS[name].chapter === chapter && isShown(name, settings, undefined),
      ).flatMap((name) => {
        const rule = rules[name];
        const lines = typeof rule === 'function' ? rule : rule?.[String(settings[name])];
        return told(lines, settings, game);
      });
      return { chapter, title, lines: [told(own?.[chapter], settings, game), lines].flat(2) };
    })
    .filter(({ lines }) => lines.length > 0);
}
