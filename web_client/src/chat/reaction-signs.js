// The sign of each emote, drawn so that every device has it and all are alike.

import { svg } from '../widgets/element.js';

/** @import {Said} from '../contract/messages.d.ts' */
/** @typedef {NonNullable<Said['emote']>} Emote */

const FACE = 'M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18z';
const INK = '#3a2a00';

/** The shapes of each sign, as a path with a fill or, with a width, a line. @type {Readonly<Record<Emote, readonly (readonly [string, string, number?])[]>>} */
export const SIGNS = {
  good_luck: [
    ['M10 11q1 4 3 7', '#2f8f4e', 1.6],
    ['M9.5 9.500h-4a3.2 3.2 0 1 1 2.6-4.600a3.2 3.2 0 0 1 1.4 4.600z', '#43b869'],
    ['M10.5 9.500v-4a3.2 3.2 0 1 1 4.6 2.600a3.2 3.2 0 0 1-4.6 1.400z', '#3aa65d'],
    ['M9.5 10.500v4a3.2 3.2 0 1 1-4.6-2.600a3.2 3.2 0 0 1 4.6-1.400z', '#3aa65d'],
    ['M10.5 10.500h4a3.2 3.2 0 1 1-2.6 4.600a3.2 3.2 0 0 1-1.4-4.600z', '#43b869'],
  ],
  well_played: [
    ['M2 9h3.500v9H2z', '#4f8fe8'],
    ['M6.5 9 10 2q3-.6 2.6 2.600L12 7.500h5q1.6.6 1 2.400l-2 7q-.6 1.1-2 1.100H6.500z', '#ffd34d'],
  ],
  wow: [
    [FACE, '#ffd34d'],
    ['M6.8 6a1.3 1.7 0 1 1 0 3.400a1.3 1.7 0 1 1 0-3.400z', INK],
    ['M13.2 6a1.3 1.7 0 1 1 0 3.400a1.3 1.7 0 1 1 0-3.400z', INK],
    ['M10 11a2.3 3 0 1 1 0 6a2.3 3 0 1 1 0-6z', INK],
  ],
  oops: [
    [FACE, '#ffd34d'],
    ['M5.5 6.5 8 9M8 6.5 5.5 9M12 6.5 14.5 9M14.5 6.5 12 9', INK, 1.4],
    ['M5.5 14q1.5-2 3 0t3 0 3 0', INK, 1.5],
  ],
  hurry: [['M12 1 4 11.500h5L7.5 19 16 8h-5.500z', '#ff9d3f']],
  thanks: [
    [
      'M10 18C2 12 1 8 2.4 5.2 4 2 8.2 2.2 10 5.500c1.8-3.3 6-3.5 7.6-.3C19 8 18 12 10 18z',
      '#ff6f7d',
    ],
  ],
};

/** Make the sign of an emote, as high as the text around it; null for one that only a newer server knows. @param {string} emote */
export function reactionSign(emote) {
  const shapes = SIGNS[/** @type {Emote} */ (emote)];
  if (!shapes) return null;
  const paths = shapes.map(([d, colour, width]) =>
    svg(
      'path',
      width
        ? { d, fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round' }
        : { d, fill: colour },
    ),
  );
  const box = { viewBox: '0 0 20 20', width: '1.25em', height: '1.25em', 'aria-hidden': 'true' };
  return svg('svg', box, ...paths);
}
