// The language that the page starts with. This module needs few others, so the page runs it first, and
// requests the sentences before the rest of the page is loaded.

import { storedLanguage } from '../browser/storage.js';
import { firstSpoken, speak } from './language.js';

/** The longest wait before another try; pages that failed together try again apart. */
const PAUSE_MS = 4_000;

/** Load the wanted language, or English if that cannot be loaded. */
async function boot() {
  const wanted = firstSpoken([storedLanguage(), ...navigator.languages]);
  for (;;) {
    if (await speak(wanted)) return wanted;
    if (await speak('en')) return 'en';
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.random()));
  }
}

/** Resolves with the language once its sentences are loaded. */
export const booted = boot();
