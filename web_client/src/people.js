// The words about who may join, in the language that is spoken: with the screens that say them.

import { spoken } from './language.js';
import * as german from './strings.people.de.js';
import * as english from './strings.people.js';

/** @type {Record<string, import('./language.js').Wide<typeof english>>} */
const WORDS = { en: english, de: german };

/** The words of the language that is spoken now. */
export const words = () => WORDS[spoken] ?? english;
