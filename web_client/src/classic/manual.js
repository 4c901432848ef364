// The sentences of the program of 1987, in the language of the page. They are loaded with its keys.

/**
 * @import {Wide} from '../strings/language.js'
 * @typedef {Wide<typeof import('../strings/en/classic.js')>} Manual
 */

/** @type {Record<string, () => Promise<Manual>>} */
const CATALOGUES = {
  en: () => import('../strings/en/classic.js'),
  de: () => import('../strings/de/classic.js'),
};

/** Load the sentences in the page's language. @returns {Promise<Manual>} */
export const fetchManual = () =>
  (CATALOGUES[document.documentElement.lang] ?? /** @type {any} */ (CATALOGUES).en)();
