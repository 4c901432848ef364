// The language that the page opens in. Its sentences are asked for before the rest of the page
// has come: the page runs this module first, which needs few others.

import { firstSpoken, speak } from './language.js';
import { storedLanguage } from './preferences.js';

const RETRY = 1_000;

/** The one that is wished for, or English if that cannot be had. */
async function begin() {
  const wished = firstSpoken([storedLanguage(), ...navigator.languages]);
  for (;;) {
    if (await speak(wished)) return wished;
    if (await speak('en')) return 'en';
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}

/** The language that is spoken, once there are words. */
export const begun = begin();
