// The field that chooses the page's language.

import { LANGUAGES, strings } from '../strings/language.js';
import { h } from './element.js';

/** Make the field; each language has its own name. @param {(language: string) => void} speak */
export function languageField(speak) {
  const field = h(
    'select',
    { id: 'language', class: 'language', 'aria-label': strings.LANGUAGE },
    ...Object.entries(LANGUAGES).map(([id, text]) => h('option', { value: id, lang: id, text })),
  );
  field.value = document.documentElement.lang;
  field.addEventListener('change', () => speak(field.value));
  return field;
}
