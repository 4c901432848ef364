// The margin between two players of a finished round: by which figure, and by how much. Pure.

import { ranked } from '../replay/decision.js';
import { shownPlace } from '../state/state.js';

/**
 * @import {Settings, Standing} from '../contract/messages.d.ts'
 * @typedef {{by: 'time' | 'points' | 'suits' | 'turned', n: number}} Margin
 *   `n` is in ms for `time`; `turned` are cards that are turned face up
 * @typedef {Pick<Settings, 'ranking' | 'score'>} Rules the settings on which a ranking depends
 * @typedef {object} Place a player's place, and what a sentence about it says
 * @property {number} place
 * @property {number} players on the ranking
 * @property {Standing} leader
 * @property {Margin | null} margin of the leader
 */

/** Return the time between two ends as their tenths of a second show it. @param {number} first @param {number} second */
const timeBetween = (first, second) =>
  second - (second % 100) - (first - (first % 100)) || second - first;

/**
 * Return the margin between two players; null if no figure is better.
 * @param {Standing} above @param {Standing} below @param {Rules} rules
 * @returns {Margin | null}
 */
export function marginBetween(above, below, { ranking, score }) {
  const isTimed = ranking === 'first_home' && above.won && below.won;
  /** @type {Margin[]} */
  const margins = isTimed
    ? [{ by: 'time', n: timeBetween(above.finished_ms ?? 0, below.finished_ms ?? 0) }]
    : [
        // The `moves` score starts high and sinks, so it says nothing about games that were not won.
        ...(score === 'moves' && !below.won
          ? []
          : [{ by: /** @type {const} */ ('points'), n: above.score - below.score }]),
        { by: 'suits', n: above.suits - below.suits },
        { by: 'turned', n: below.face_down - above.face_down },
      ];
  return margins.find(({ n }) => n > 0) ?? null;
}

/**
 * Return the only winner and the next player; null if there is no such pair.
 * @param {readonly Standing[]} ranking @param {readonly number[]} winners @param {Rules} rules
 */
export function winningMargin(ranking, winners, rules) {
  const [winner, second] = ranked(ranking);
  if (winners.length !== 1 || !winner || !second || winner.seat !== winners[0]) return null;
  return { winner, second, margin: marginBetween(winner, second, rules) };
}

/**
 * Return the place of a player who has not won; null without a winner, or without a place.
 * @param {readonly Standing[]} ranking @param {readonly number[]} winners @param {number} seat @param {Rules} rules
 * @returns {Place | null}
 */
export function placeOf(ranking, winners, seat, rules) {
  const players = ranked(ranking);
  const [leader] = players;
  const own = players.find((each) => each.seat === seat);
  const place = own ? shownPlace(own) : null;
  if (!leader || !own || place === null || winners.length === 0 || winners.includes(seat))
    return null;
  const margin = winners.length === 1 ? marginBetween(leader, own, rules) : null;
  return { place, players: players.length, leader, margin };
}
