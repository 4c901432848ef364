// The page of rules of a room: the sentences of its game and of its settings, by chapter. Pure.
//
// The server applies the rules; this page only describes them, and tests compare it with all settings.
// The sentences by chapter are in `strings`; the figures of a game come from the catalogue.

import { SETTINGS } from '../contract/settings.js';
import { strings } from '../strings/language.js';
import { applies, NAMES } from './setting-choices.js';

/**
 * @import {GameInfo, Settings} from '../contract/messages.d.ts'
 * @import {GameRules, Lines, MakeLines, SettingRule} from '../strings/en/race.js'
 * @import {Name} from './setting-choices.js'
 * @typedef {{chapter: string, title: string, lines: string[]}} Chapter
 */

/** Return the lines of a rule, if there is one. @param {Lines | MakeLines | undefined} rule @param {Settings} settings @param {GameInfo} game */
const linesOf = (rule, settings, game) =>
  [(typeof rule === 'function' ? rule(settings, game) : rule) ?? []].flat();

/** Return the lines of a chapter about one setting. @param {Name} name @param {Settings} settings @param {GameInfo} game */
function settingLines(name, settings, game) {
  /** @type {Readonly<Record<string, SettingRule | undefined>>} */
  const rules = strings.SETTING_RULES;
  const rule = rules[name];
  const ofValue = typeof rule === 'function' ? rule : rule?.[String(settings[name])];
  return linesOf(ofValue, settings, game);
}

/**
 * Return the rules of a room with these settings: of each chapter first the lines of the game, then
 * those of the settings.
 * @param {Settings} settings
 * @param {GameInfo} game the game of the settings
 * @returns {Chapter[]}
 */
export function rulebook(settings, game) {
  /** @type {Readonly<Record<string, GameRules | undefined>>} */
  const families = strings.GAME_RULES;
  const gameRules = families[game.family];
  return Object.entries(strings.CHAPTERS)
    .map(([chapter, title]) => {
      const names = NAMES.filter(
        (name) => SETTINGS[name].chapter === chapter && applies(name, settings),
      );
      const lines = [
        ...linesOf(gameRules?.[chapter], settings, game),
        ...names.flatMap((name) => settingLines(name, settings, game)),
      ];
      return { chapter, title, lines };
    })
    .filter(({ lines }) => lines.length > 0);
}
