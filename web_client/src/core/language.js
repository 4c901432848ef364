// The language of the page: one file of sentences for each, and the one that is spoken now.
//
// Only the catalogue that is spoken is fetched. `strings` is a live binding: read it when
// something is said, never into a constant of a module, where there are no words yet.

import { h } from '../shared/element.js';

/**
 * @import {App} from '../main.js'
 */

/**
 * The names and parameters of the English catalogue, whatever the words.
 *
 * @template T
 * @typedef {T extends string ? string
 *   : T extends (...parameters: infer P) => infer R ? (...parameters: P) => Wide<R>
 *   : T extends object ? {[K in keyof T]: Wide<T[K]>}
 *   : T} Wide
 */

/** @typedef {Wide<typeof import('../strings/en/start.js')>} Catalogue */

/** Each in its own words. @type {Record<string, string>} */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };

/** @type {Record<string, () => Promise<Catalogue>>} */
const CATALOGUES = {
  en: () => import('../strings/en/start.js'),
  de: () => import('../strings/de/start.js'),
};

/** What is said, once a language is spoken. @type {Catalogue} */
export let strings;

/** Which language that is. */
export let spoken = 'en';

let asked = 0;

/**
 * The first language of a list of tags that we speak, or English.
 *
 * @param {readonly (string | null)[]} tags e.g. `de-AT`, best first
 */
export function firstSpoken(tags) {
  const known = tags.map((tag) => tag?.toLowerCase().split('-')[0] ?? '');
  return known.find((language) => Object.hasOwn(LANGUAGES, language)) ?? 'en';
}

/**
 * From now on `strings` are of this language, or stay as they are if it cannot be had.
 *
 * @param {string} language
 * @returns {Promise<boolean>} whether that came about, and nothing newer was asked for
 */
export async function speak(language) {
  asked += 1;
  const mine = asked;
  const found = await CATALOGUES[language]?.().catch(() => null);
  if (!found || mine !== asked) return false;
  strings = found;
  spoken = language;
  return true;
}

/** The choice of a language, each in its own words. @param {App} app */
export function languageField(app) {
  const field = h(
    'select',
    { id: 'language', class: 'language', 'aria-label': strings.LANGUAGE },
    ...Object.entries(LANGUAGES).map(([id, text]) => h('option', { value: id, lang: id, text })),
  );
  field.value = document.documentElement.lang;
  field.addEventListener('change', () => app.speak(field.value));
  return field;
}
