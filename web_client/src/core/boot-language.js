// The language that the page starts with. The page runs this module, which needs few others, first:
// its sentences are requested before the rest of the page has come.

import { firstSpoken, speak } from './language.js';
import { storedLanguage } from './preferences.js';

const RETRY_MS = 1_000;

/** Load the wanted language, or English if that cannot be loaded. */
async function boot() {
  const wanted = firstSpoken([storedLanguage(), ...navigator.languages]);
  for (;;) {
    if (await speak(wanted)) return wanted;
    if (await speak('en')) return 'en';
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Resolved with the language once its sentences are there. */
export const booted = boot();
