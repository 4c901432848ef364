// The podium: the first three of a round or a match. The ranking below it says the same in words.

import { strings } from '../strings/language.js';
import { h, keyed, write } from '../widgets/element.js';
import { writeName } from '../widgets/program-mark.js';

/**
 * @import {Programs} from '../state/state.js'
 * @import {Colours} from '../state/seat-colours.js'
 * @import {CardLine, Standing} from '../contract/messages.d.ts'
 * @typedef {{seat: number, name: string, place: number | null}} Placed
 * @typedef {Placed & Partial<Pick<Standing, 'state' | 'won' | 'has_acted'>>
 *   & {lines?: readonly (CardLine | null)[]}} Played a row of a round, or a card of a match
 */

const STEPS = 3;

/** Return how many players stand at a place or above. @param {readonly Placed[]} placed @param {number} last */
const standUpTo = (placed, last) =>
  placed.filter(({ place }) => place !== null && place <= last).length;

/** Return whether a player has made an act, and has not given up; in a match, in one of its rounds. @param {Played} player */
const hasPlayed = ({ state, won, has_acted: hasActed, lines }) =>
  lines
    ? lines.some((line) => line && line.has_acted !== false && !line.given_up)
    : hasActed !== false && (state !== 'FORFEIT' || won);

/**
 * Return the players on the podium, best first: none without rivals or without a winner. Tied players
 * stand on it together or not at all. Players without an act, or who gave up, do not (RULES, Wins).
 * @template {Played} T
 * @param {readonly T[]} placed best first; those off the ranking have no place
 * @param {boolean} hasWinner
 * @returns {T[]}
 */
export function onPodium(placed, hasWinner) {
  if (!hasWinner || placed.length < 2) return [];
  const standing = placed.filter(hasPlayed);
  return standing.filter(({ place }) => place !== null && standUpTo(standing, place) <= STEPS);
}

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
        () =>
          h(
            'li',
            {},
            h('span', { class: 'podium-name', dir: 'auto' }),
            h('span', { class: 'podium-step' }),
          ),
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
