// The players who want the next race, and those for whom it waits. Pure.

import { PATIENCE_S } from '../core/protocol.js';
import { amHost, hasRoundsLeft } from '../core/reducer.js';

/**
 * @import {State} from '../core/reducer.js'
 * @typedef {object} NextRace
 * @property {boolean} isWanted whether this player wants it
 * @property {boolean} isAlone whether there is no other player, not even an absent one
 * @property {boolean} inMatch whether the next race is a round of the same match
 * @property {string[]} wanting the other players who want it
 * @property {string[]} missing the other players who are connected and have not asked for it
 * @property {string[]} away the other players who are not connected
 */

/** Return which players want the next race, and which are missing. @param {State} state @returns {NextRace} */
export function nextRace({ room, me }) {
  const seats = room?.seats ?? [];
  const players = seats.filter(({ seat, role }) => role === 'player' && seat !== me?.seat);
  const present = players.filter(({ connection }) => connection !== 'gone');
  const namesOf = (/** @type {typeof players} */ some) => some.map(({ name }) => name);
  return {
    isWanted: seats.some(({ seat, state }) => seat === me?.seat && state === 'READY'),
    isAlone: players.length === 0,
    inMatch: room !== null && hasRoundsLeft(room),
    wanting: namesOf(present.filter(({ state }) => state === 'READY')),
    missing: namesOf(present.filter(({ state }) => state !== 'READY')),
    away: namesOf(players.filter(({ connection }) => connection === 'gone')),
  };
}

/**
 * Return whether the host may start the next race: a player wants it, and all connected players have
 * asked for it or have had `PATIENCE_S` to do so.
 *
 * @param {State} state
 * @param {number} now the server's time in ms
 */
export function mayStart(state, now) {
  const { isWanted, isAlone, wanting, missing } = nextRace(state);
  const ended = state.room?.round?.ended ?? now;
  const isWantedByAny = isWanted || wanting.length > 0;
  const waited = missing.length === 0 || now >= ended + PATIENCE_S * 1_000;
  return amHost(state) && state.room?.state === 'FINISHED' && isWantedByAny && !isAlone && waited;
}
