// The load after a race, for those who use it.

import { makeLoad } from './page/loads.js';

export const after = makeLoad(
  () => import('./after-load.js'),
  ['race', 'after'],
  ['mark', 'room', 'board', 'results', 'help', 'preferences', 'prompt'],
);
