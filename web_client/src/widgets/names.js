// Names of tables and players. A mark precedes a player's name: a token in the seat's colour, or a program's spider.

import { strings } from '../strings/language.js';
import { h } from './element.js';

/** @import {RoomView} from '../contract/messages.d.ts' @import {Program} from '../state/state.js' */

/** Return the key of a person's row for `keyed`: the number of their seat. @param {{seat: number}} person */
export const keyOfSeat = ({ seat }) => String(seat);

/**
 * Make a seat's mark, as high as the text around it. Its shape helps players who cannot distinguish the colours.
 * Screen readers need no mark, since the name stands beside it.
 * @param {string} colour @param {boolean} [isGhost] whether it is an outline
 */
export function seatMark(colour, isGhost = false) {
  const looks = { 'data-colour': colour, 'data-ghost': isGhost };
  return h('span', { class: 'mark', ...looks, 'data-part': 'mark', 'aria-hidden': 'true' });
}

/**
 * Set the name of a player, with the marks of the seat and the program before it. If the element already shows them, it
 * is not changed, and so not laid out or announced again.
 * @param {Element} element @param {string} name @param {Program | undefined} program undefined for a person
 * @param {string} [colour] of the seat, if its mark is to be shown
 */
export function writeName(element, name, program, colour) {
  const title = program === undefined ? undefined : strings.programKind(program);
  // The mark of a seat has a colour, the mark of a program has a title.
  const shown = [...element.children].map((mark) =>
    mark instanceof HTMLElement ? (mark.dataset.colour ?? mark.title) : '',
  );
  const wanted = [colour, title].filter((each) => each !== undefined);
  if (element.textContent === name && shown.join() === wanted.join()) return;
  element.replaceChildren(name);
  element.setAttribute('translate', 'no');
  if (program !== undefined) {
    // A program's mark is its spider without the coin, in the colour of the text.
    const words = { role: 'img', 'aria-label': title, title, 'data-part': 'program' };
    element.prepend(h('span', { class: 'coin coin-bare', 'data-level': program, ...words }));
  }
  if (colour !== undefined) element.prepend(seatMark(colour));
}

/** Return a kept table's name, or whose table it is. @param {Pick<RoomView, 'kept' | 'seats' | 'host'>} room */
export const nameOfTable = ({ kept, seats, host }) =>
  kept?.name || strings.tableOf(seats.find(({ seat }) => seat === host)?.name);
