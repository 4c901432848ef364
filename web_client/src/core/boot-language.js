// The language that the page starts with. This module needs few others, so the page runs it first, and
// requests the sentences before the rest of the page is loaded.

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

/** Resolves with the language once its sentences are loaded. */
export const booted = boot();
