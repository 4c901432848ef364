// The field that chooses the page's language.

import { LANGUAGES, strings } from '../core/language.js';
import { h } from './element.js';

/** @import {App} from '../main.js' */

/** Make the field; each language has its own name. @param {App} app */
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
