// One line about fairness, with what it rests on behind a tap.

import { strings } from '../core/language.js';
import { h } from './element.js';

/** Make the line. */
export const fairLine = () =>
  h(
    'details',
    { class: 'fair small-text' },
    h('summary', { text: strings.FAIR.line }),
    ...strings.FAIR.check.map((text) => h('p', { text })),
  );
