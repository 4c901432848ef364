// The places around the table: where each is, and how many of them are free. Pure.

import { isPractice } from '../state/state.js';

/** @import {RoomView} from '../contract/messages.d.ts' */

/** The fewest places at a table, if the room has as many. */
const LEAST = 4;
/** The most players of a small room. A larger one shows no free seat. */
const SMALL = 8;
/** The most places around the table of a wide screen. */
const MOST_ROUND = 12;

/** Return the number of free seats to show: enough for the fewest places, or else one. @param {RoomView} room */
export function freeSeats(room) {
  if (isPractice(room) || room.settings.locked) return 0;
  const seated = room.seats.filter(({ role }) => role === 'player').length;
  const wanted = seated < LEAST ? LEAST - seated : Number(seated < SMALL);
  return Math.max(0, Math.min(wanted, room.settings.max_players - seated));
}

/** Return how the places stand: around the table as few or many, or '' if there are too many for that. @param {number} count */
export function roundOf(count) {
  if (count > MOST_ROUND) return '';
  return count > SMALL ? 'many' : 'few';
}

/**
 * Return where a place is, from -1 to 1 in both directions; y grows downwards. The first is below the
 * middle, the next ones to the left of it.
 * @param {number} at the number of the place
 * @param {number} count of all places
 */
export function placeAt(at, count) {
  const angle = Math.PI * (0.5 + (2 * at) / count);
  return { x: Math.cos(angle), y: Math.sin(angle) };
}
