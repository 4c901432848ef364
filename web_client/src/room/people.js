// The words about who may join, in the language that is spoken: with the screens that say them.

import { spoken } from '../core/language.js';
import * as german from '../strings/de/admission.js';
import * as english from '../strings/en/admission.js';

/** @type {Record<string, import('../core/language.js').Wide<typeof english>>} */
const WORDS = { en: english, de: german };

/** The words of the language that is spoken now. */
export const words = () => WORDS[spoken] ?? english;
