// The marks before the name of a player: a token in the colour of the seat, and a robot's head for a program.

import { strings } from '../strings/language.js';
import { h, svg } from './element.js';

/** @import {Program} from '../state/state.js' */

const HEAD =
  'M7 0h2v3h4a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4zM4 7v3h3V7zM9 7v3h3V7z';

/**
 * Make the mark of a seat, as high as the text around it. It has a shape for eyes that do not tell the
 * colours apart. Screen readers need none, since the name stands beside it.
 * @param {string} colour
 */
export const seatMark = (colour) =>
  h('span', { class: 'mark', 'data-colour': colour, 'data-part': 'mark', 'aria-hidden': 'true' });

/** Make the mark of a program: as high as a letter, in the colour of the text, with a space behind it. @param {Program} program */
export function programMark(program) {
  const title = strings.programKind(program);
  return h(
    'span',
    { role: 'img', 'aria-label': title, title, 'data-part': 'program' },
    svg(
      'svg',
      { viewBox: '0 0 21 16', width: '1.1em', height: '.84em', fill: 'currentColor' },
      svg('path', { d: HEAD, 'fill-rule': 'evenodd' }),
    ),
  );
}

/**
 * Set the name of a player, behind the mark of the seat, and that of a program if it is one; an element
 * that is right stays.
 * @param {Element} element
 * @param {string} name
 * @param {Program | undefined} program undefined for a person
 * @param {string} [colour] of the seat, if its mark is shown
 */
export function writeName(element, name, program, colour) {
  const title = program === undefined ? undefined : strings.programKind(program);
  const shown = [...element.children].map((mark) =>
    mark instanceof HTMLElement ? (mark.dataset.colour ?? mark.title) : '',
  );
  const wanted = [colour, title].filter((each) => each !== undefined);
  if (element.textContent === name && String(shown) === String(wanted)) return;
  element.replaceChildren(
    ...(colour === undefined ? [] : [seatMark(colour)]),
    ...(program === undefined ? [] : [programMark(program)]),
    name,
  );
}
