// The markers of the lines of a chart: the shapes of the players' marks (`css/mark.css`), so that lines
// differ by more than their colour.

import { svg } from '../widgets/element.js';

const DISC = 'M-1 0a1 1 0 1 1 2 0 1 1 0 1 1-2 0z';
/** The shapes around 0,0, each with about the area of a circle of radius 1. @type {Record<string, string>} */
export const SHAPES = {
  blue: DISC,
  red: 'M0-1.3 1.2.9H-1.200z',
  green: 'M-1-1H1V1H-1z',
  violet: 'M0-1.4.4-.4 1.4-.4.6.3.9 1.3 0 .7-.9 1.3-.6.3-1.4-.4-.4-.4z',
  teal: 'M-.5-1.300H.5V-.5H1.300V.5H.5V1.300H-.5V.5H-1.300V-.5H-.5z',
  pink: `${DISC}M-.4 0a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0z`,
  gold: 'M-1.1-1.100H-.3V1.100H-1.100zM.3-1.100H1.100V1.100H.3z',
  copper: 'M-1.3.2 0-1 1.3.2V1.100L0 0-1.3 1.100z',
};

/**
 * Draw the marker of a line at a point.
 * @param {string} colour of the player
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
export const marker = (colour, x, y, radius) =>
  svg('path', {
    class: 'chart-marker mark-tone',
    'data-colour': colour,
    d: SHAPES[colour] ?? DISC,
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})scale(${radius})`,
  });
