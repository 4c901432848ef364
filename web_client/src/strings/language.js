// The language of the page, and its sentences.
//
// The sentences are in files by language and feature (`strings/en/room.js`). Only the files of one
// language are fetched, each with the first screen that needs it. `strings` is a live binding: read it
// when a sentence is shown, never into a constant of a module, which runs before anything is loaded.

/**
 * The type of the sentences in any language: the names and parameters of the English ones.
 *
 * @template T
 * @typedef {T extends string ? string
 *   : T extends (...parameters: infer P) => infer R ? (...parameters: P) => Wide<R>
 *   : T extends object ? {[K in keyof T]: Wide<T[K]>}
 *   : T} Wide
 */

/**
 * @typedef {typeof import('./en/start.js')
 *   & typeof import('./en/admission.js')
 *   & typeof import('./en/board.js')
 *   & typeof import('./en/cards.js')
 *   & typeof import('./en/chat.js')
 *   & typeof import('./en/deal.js')
 *   & typeof import('./en/finish.js')
 *   & typeof import('./en/help.js')
 *   & typeof import('./en/host.js')
 *   & typeof import('./en/join.js')
 *   & typeof import('./en/tab.js')
 *   & typeof import('./en/lesson.js')
 *   & typeof import('./en/match.js')
 *   & typeof import('./en/preferences.js')
 *   & typeof import('./en/race.js')
 *   & typeof import('./en/replay.js')
 *   & typeof import('./en/report.js')
 *   & typeof import('./en/results.js')
 *   & typeof import('./en/room.js')
 *   & typeof import('./en/rules.js')} English
 * @typedef {Wide<English>} Strings
 * @typedef {'start' | 'admission' | 'board' | 'cards' | 'chat' | 'deal' | 'finish' | 'help' | 'host' | 'join'
 *   | 'lesson' | 'match' | 'preferences' | 'tab' | 'race' | 'refusals' | 'replay' | 'report' | 'results' | 'room' | 'rules'} Feature
 */

/** The languages, each under its own name. @type {Record<string, string>} */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };

/** The sentences that are loaded; all names exist once their feature is. @type {Strings} */
export let strings;

/** The language of `strings`. */
export let spoken = 'en';

/** The features that were requested; another language is loaded with all of them. @type {Set<Feature>} */
const requested = new Set(['start']);

/** The features whose sentences are in `strings`. @type {Set<Feature>} */
let loaded = new Set();

/** The number of the latest call of `speak`. */
let latestCall = 0;

/** Load the sentences of features in a language. @param {string} language @param {Iterable<Feature>} features @returns {Promise<Strings>} */
async function load(language, features) {
  const files = Array.from(features, (feature) => import(`./${language}/${feature}.js`));
  return Object.assign({}, ...(await Promise.all(files)));
}

/**
 * Return the first supported language of a list of tags, or English.
 * @param {readonly (string | null)[]} tags e.g. `de-AT`, best first
 */
export function firstSpoken(tags) {
  const languages = tags.map((tag) => tag?.toLowerCase().split('-')[0] ?? '');
  return languages.find((language) => Object.hasOwn(LANGUAGES, language)) ?? 'en';
}

/**
 * Switch `strings` to a language; they stay as they are if it cannot be loaded.
 * @param {string} language
 * @returns {Promise<boolean>} false if it could not be loaded, or a later call replaced this one
 */
export async function speak(language) {
  latestCall += 1;
  const call = latestCall;
  if (!Object.hasOwn(LANGUAGES, language)) return false;
  let sentences;
  let features;
  try {
    do {
      features = [...requested];
      sentences = await load(language, features);
    } while (features.length < requested.size); // a screen has requested more meanwhile
  } catch {
    return false;
  }
  if (call !== latestCall) return false;
  strings = sentences;
  loaded = new Set(features);
  spoken = language;
  return true;
}

/** Add the sentences of features to `strings`. @param {...Feature} features @returns {Promise<void>} rejected if they cannot be loaded */
export async function fetchStrings(...features) {
  for (const feature of features) requested.add(feature);
  while (features.some((feature) => !loaded.has(feature))) {
    const language = spoken;
    const sentences = await load(language, features);
    if (language !== spoken) continue; // the language was switched meanwhile
    Object.assign(strings, sentences);
    for (const feature of features) loaded.add(feature);
  }
}
