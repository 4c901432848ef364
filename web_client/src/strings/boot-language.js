// The language that the page starts with. This module needs few others, so the page runs it first, and
// requests the sentences before the rest of the page is loaded.

import { storedLanguage } from '../browser/storage.js';
import { jitteredWait } from '../connection/backoff.js';
import { firstSpoken, speak } from './language.js';

/** Load the wanted language, or English if that cannot be loaded. */
async function boot() {
  const wanted = firstSpoken([storedLanguage(), ...navigator.languages]);
  for (let failures = 0; ; failures += 1) {
    if (await speak(wanted)) return wanted;
    if (await speak('en')) return 'en';
    const wait = jitteredWait(failures, Math.random());
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Resolves with the language once its sentences are loaded. */
export const booted = boot();
