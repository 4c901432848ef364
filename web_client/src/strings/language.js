// The language of the page, and its sentences.
//
// Each file has the sentences of one language and load (`strings/en/race.js`) in one object. All languages have the
// names and parameters of the English sentences. Only the files of one language are fetched, each with the first screen
// that needs it. `strings` is a live binding: read it when you show a sentence, and not into a constant of a module,
// which is set before any sentences have arrived.
//
// This module needs few others, so that it runs first and requests the sentences before the rest of the page loads.

import { kept } from '../browser/storage.js';

/**
 * The type of the sentences in any language: the names and parameters of the English ones.
 * @template T
 * @typedef {T extends string ? string
 *   : T extends (...parameters: infer P) => infer R ? (...parameters: P) => Wide<R>
 *   : T extends object ? {[K in keyof T]: Wide<T[K]>}
 *   : T} Wide
 */

/**
 * @typedef {typeof import('./en/start.js').default & typeof import('./en/race.js').default
 *   & typeof import('./en/after.js').default} English
 * @typedef {Wide<English>} Strings
 * @typedef {'start' | 'race' | 'after'} Sentences the loads of the page
 */

/** The languages, each under its own name. @type {Record<string, string>} */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };

/** The sentences that have arrived; the later loads are missing. @type {Strings} */
export let strings;

/** The language of `strings`. */
export let spoken = 'en';

/** The loads requested so far. If the language is switched, all of them are loaded. @type {Set<Sentences>} */
const requested = new Set(['start']);

/** The loads whose sentences are in `strings`. @type {Set<Sentences>} */
let loaded = new Set();

/** The number of the latest call of `speak`. */
let latestCall = 0;

/** Fetch the sentences of some loads in a language. @param {string} language @param {Iterable<Sentences>} loads @returns {Promise<Strings>} */
async function load(language, loads) {
  const files = await Promise.all(Array.from(loads, (name) => import(`./${language}/${name}.js`)));
  return Object.assign({}, ...files.map((file) => file.default));
}

/** Return the first supported language in a list of tags, or English. @param {readonly (string | null)[]} tags such as `de-AT`, the preferred one first */
export function firstSpoken(tags) {
  const languages = tags.map((tag) => tag?.toLowerCase().split('-')[0] ?? '');
  return languages.find((language) => Object.hasOwn(LANGUAGES, language)) ?? 'en';
}

/**
 * Switch `strings` to a language, unless it cannot be loaded.
 * @param {string} language
 * @returns {Promise<boolean>} false if it could not be loaded, or a later call replaced this one
 */
export async function speak(language) {
  latestCall += 1;
  const call = latestCall;
  if (!Object.hasOwn(LANGUAGES, language)) return false;
  let sentences;
  let loads;
  try {
    do {
      loads = [...requested];
      sentences = await load(language, loads);
    } while (loads.length < requested.size); // more loads may be requested meanwhile
  } catch {
    return false;
  }
  if (call !== latestCall) return false; // the later call decides
  strings = sentences;
  loaded = new Set(loads);
  spoken = language;
  return true;
}

/** Add the sentences of loads to `strings`. @param {...Sentences} loads @returns {Promise<void>} rejected if they cannot be loaded */
export async function fetchStrings(...loads) {
  for (const name of loads) requested.add(name);
  while (loads.some((name) => !loaded.has(name))) {
    const language = spoken;
    const sentences = await load(language, loads);
    if (language !== spoken) continue; // the language was switched meanwhile
    // Another call has loaded them meanwhile, perhaps with a later load, some of whose sentences replace these.
    if (loads.every((name) => loaded.has(name))) return;
    Object.assign(strings, sentences);
    for (const name of loads) loaded.add(name);
  }
}

/** The longest pause before another try. Pauses are random, so that pages don't all try again at the same moment. */
const PAUSE_MS = 4_000;

/** Load the wanted language or, if that fails, English, and try again until one of them is loaded. */
async function boot() {
  const wanted = firstSpoken([kept('language'), ...navigator.languages]);
  for (;;) {
    for (const language of [wanted, 'en']) {
      const ownCall = latestCall + 1; // the number that `speak` gives to this call
      const isLoaded = await speak(language);
      if (isLoaded || latestCall > ownCall) return spoken; // the player has chosen another one meanwhile
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.random()));
  }
}

/** The language that the page starts with, once its sentences are loaded. */
export const booted = boot();
