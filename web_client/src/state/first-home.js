// The first player at home: whether the win is certain then, and whether it was a photo finish. In a
// photo finish the next player is home within two seconds. Pure.

import { ownRow } from './state.js';

/**
 * @import {Settings, Standing} from '../contract/messages.d.ts'
 * @import {State} from './state.js'
 * @typedef {object} PhotoFinish
 * @property {Standing} first
 * @property {Standing} second
 * @property {number} ms between them
 */

/** The time within which the second player makes it a photo finish. */
const CLOSE_MS = 2_000;

/**
 * Return the photo finish of standings, if there was one. Only a ranking by the first at home has it.
 * @param {readonly Standing[]} standings best first
 * @param {Pick<Settings, 'ranking'> | undefined} settings
 * @returns {PhotoFinish | null}
 */
export function photoFinish(standings, settings) {
  if (settings?.ranking !== 'first_home') return null;
  const [first, second] = standings.filter(({ place }) => place !== null);
  if (!first?.won || !second?.won) return null;
  const ms = (second.finished_ms ?? 0) - (first.finished_ms ?? 0);
  // Equal times share a place. The second may even be faster, if counted undos have cost the place.
  return ms > 0 && ms < CLOSE_MS ? { first, second, ms } : null;
}

/**
 * Return whether a player who is home has won the race for certain while others still race. Where the
 * first at home wins, nobody can overtake, except where games with counted undos rank last.
 * @param {Standing | undefined} standing
 * @param {Pick<Settings, 'ranking' | 'cheats'> | undefined} settings
 */
export function winsForCertain(standing, settings) {
  if (!standing?.won || standing.place !== 1) return false;
  return settings?.ranking === 'first_home' && (settings.cheats !== 'out' || standing.cheats === 0);
}

/**
 * Return who has won the race for certain, while this player still races; undefined if nobody has.
 * @param {State} state
 */
export function lostTo(state) {
  if (state.room?.state !== 'RUNNING' || ownRow(state)?.state !== 'RACING') return undefined;
  return state.standings.find((each) => winsForCertain(each, state.room?.settings));
}

/** Return the place for which this player still races: the one after all who are home. @param {State} state */
export const openPlace = ({ standings }) =>
  standings.filter(({ won, place }) => won && place !== null).length + 1;

/** Return whether this player has won the race for certain, while others still race. @param {State} state */
export const hasWonRace = (state) =>
  state.standings.length > 1 && winsForCertain(ownRow(state), state.room?.settings);
