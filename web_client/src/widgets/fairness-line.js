// One line about fairness, which unfolds to its explanation.

import { strings } from '../strings/language.js';
import { h } from './element.js';

/** Make the line. */
export const fairLine = () =>
  h(
    'details',
    { class: 'help-fair text-small' },
    h('summary', { text: strings.FAIR.line }),
    ...strings.FAIR.check.map((text) => h('p', { text })),
  );
