// The players who want the next race, and those for whom it waits. Pure.

import { HOST_WAIT_S } from '../contract/protocol.js';
import { amHost, hasRoundsLeft } from './state.js';

/**
 * @import {State} from './state.js'
 * @typedef {object} NextRace
 * @property {boolean} isWanted whether this player wants it
 * @property {boolean} hasOthers whether there are other players, absent and computer players included
 * @property {boolean} inMatch whether the next race is a round of the same match
 * @property {string[]} wanting the other people who want it
 * @property {string[]} missing the other people who are connected and have not asked for it
 * @property {string[]} away the other players who are not connected
 */

/** Return which players want the next race, and which are missing. @param {State} state @returns {NextRace} */
export function nextRace({ room, me }) {
  const seats = room?.seats ?? [];
  const players = seats.filter(({ seat, role }) => role === 'player' && seat !== me?.seat);
  // Computer players are always ready: nobody asks them, or waits for them.
  const people = players.filter(({ level }) => !level);
  const present = people.filter(({ connection }) => connection !== 'gone');
  const namesOf = (/** @type {typeof players} */ some) => some.map(({ name }) => name);
  return {
    isWanted: seats.some(({ seat, state }) => seat === me?.seat && state === 'READY'),
    hasOthers: players.length > 0,
    inMatch: room !== null && hasRoundsLeft(room),
    wanting: namesOf(present.filter(({ state }) => state === 'READY')),
    missing: namesOf(present.filter(({ state }) => state !== 'READY')),
    away: namesOf(people.filter(({ connection }) => connection === 'gone')),
  };
}

/** The page's clock can be early by half of a slow round trip, and the server refuses what is early. */
const CLOCK_MARGIN_MS = 1_000;

/**
 * Return whether the host may start the next race: a player wants it, and all connected players have
 * asked for it or have had `HOST_WAIT_S` to do so.
 * @param {State} state
 * @param {number} now the server's time in ms
 */
export function mayStart(state, now) {
  const { isWanted, hasOthers, wanting, missing } = nextRace(state);
  const ended = state.room?.round?.ended ?? now;
  const isWantedByAny = isWanted || wanting.length > 0;
  const waited = missing.length === 0 || now >= ended + HOST_WAIT_S * 1_000 + CLOCK_MARGIN_MS;
  return amHost(state) && state.room?.state === 'FINISHED' && isWantedByAny && hasOthers && waited;
}
