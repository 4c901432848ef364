// The load after a race, and of what is opened on request. No game depends on it.

import { bindFinished, bindResults } from './results/results.js';
import { bindStrategy } from './strategy/strategy.js';

export { bindBetweenGames, classicActions } from './classic/classic.js';
export { bindFirstQuestions } from './classic/questions.js';
export { openHelp } from './help/help.js';
export { fillLesson, showLesson } from './help/lesson.js';
export { openPreferences } from './preferences/preferences.js';

export const SCREENS = { results: bindResults, finished: bindFinished, strategy: bindStrategy };
