// The load after a race, with all dialogs on request. No game depends on it.

import { bindDay } from './results/day.js';
import { bindDays } from './results/days.js';
import { bindGhost } from './results/duel.js';
import { bindFinished, bindResults } from './results/results.js';
import { bindTable } from './results/table.js';
import { bindStrategy } from './strategy/strategy.js';
import { bindYours } from './yours/yours.js';

export { bindBetweenGames, bindFirstQuestions, classicActions } from './classic/classic.js';
export { fillLesson, openHelp, showFirstLesson, showLesson } from './help/help.js';
export { openPreferences } from './preferences/preferences.js';
export { fetchComputer, fetchGhost, ghostRow, ownBest, withGhost } from './results/duel.js';
export { openTableMenu, showCarry } from './room/table-menu.js';
export { drawRecord } from './yours/record.js';

export const SCREENS = {
  results: bindResults,
  finished: bindFinished,
  table: bindTable,
  strategy: bindStrategy,
  day: bindDay,
  days: bindDays,
  ghost: bindGhost,
  yours: bindYours,
};
