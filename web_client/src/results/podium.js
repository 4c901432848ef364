// The podium: the first three of a round or a match. The ranking below it says the same in words.

import { strings } from '../strings/language.js';
import { h, keyed, write } from '../widgets/element.js';
import { writeName } from '../widgets/program-mark.js';

/**
 * @import {Programs} from '../state/state.js'
 * @import {Colours} from '../state/seat-colours.js'
 * @typedef {{seat: number, name: string, place: number | null}} Placed
 */

const STEPS = 3;

/** Return how many players stand at a place or above. @param {readonly Placed[]} placed @param {number} last */
const standUpTo = (placed, last) =>
  placed.filter(({ place }) => place !== null && place <= last).length;

/**
 * Return the players on the podium, best first: none without rivals or without a winner. Tied players
 * stand on it together or not at all.
 * @template {Placed} T
 * @param {readonly T[]} placed best first; those off the ranking have no place
 * @param {boolean} hasWinner
 * @returns {T[]}
 */
export const onPodium = (placed, hasWinner) =>
  hasWinner && placed.length > 1
    ? placed.filter(({ place }) => place !== null && standUpTo(placed, place) <= STEPS)
    : [];

/** Bind an empty podium. */
export function bindPodium() {
  const element = h('ol', { class: 'podium', id: 'podium', 'aria-hidden': 'true', hidden: true });
  return {
    element,
    /** Show players; an empty list shows no podium. @param {readonly Placed[]} shown as `onPodium` returns them @param {Programs} programs @param {Colours} colours */
    update(shown, programs, colours) {
      element.hidden = shown.length === 0;
      keyed(
        element,
        shown,
        ({ seat }) => String(seat),
        () => h('li', {}, h('span', { class: 'podium-name' }), h('span', { class: 'podium-step' })),
        (item, { seat, name, place }) => {
          const [label, step] = item.children;
          item.dataset.place = String(place);
          item.dataset.colour = colours(seat);
          if (label) writeName(label, name, programs.get(seat), colours(seat));
          if (step) write(step, strings.ordinal(place ?? 0));
        },
      );
    },
  };
}
