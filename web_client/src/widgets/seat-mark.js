// The mark of a player: a token in the colour of the seat, with a shape for eyes that do not tell the
// colours apart. The name stands beside it, so screen readers need no mark.

import { h } from './element.js';

/** Make the mark of a colour; it is as high as the text around it. @param {string} colour */
export const seatMark = (colour) =>
  h('span', { class: 'mark', 'data-colour': colour, 'data-part': 'mark', 'aria-hidden': 'true' });
