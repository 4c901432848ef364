// The players who want the next race, and those that it waits for. Pure.

import { PATIENCE_S } from '../core/protocol.js';
import { amHost, goesOn } from '../core/reducer.js';

/**
 * @import {State} from '../core/reducer.js'
 * @typedef {object} Wishes
 * @property {boolean} mine whether this player wants the next race
 * @property {boolean} alone whether there is no other player, not even an absent one
 * @property {boolean} goesOn whether the next race is a round of the same match
 * @property {string[]} wanting the other players who want it
 * @property {string[]} missing the other players who are here and have not asked for it
 * @property {string[]} away the other players who are not connected
 */

/** Return which players want the next race, and which are missing. @param {State} state @returns {Wishes} */
export function wishes({ room, me }) {
  const seats = room?.seats ?? [];
  const players = seats.filter(({ seat, role }) => role === 'player' && seat !== me?.seat);
  const here = players.filter(({ connection }) => connection !== 'gone');
  const namesOf = (/** @type {typeof players} */ these) => these.map(({ name }) => name);
  return {
    mine: seats.some(({ seat, state }) => seat === me?.seat && state === 'READY'),
    alone: players.length === 0,
    goesOn: room !== null && goesOn(room),
    wanting: namesOf(here.filter(({ state }) => state === 'READY')),
    missing: namesOf(here.filter(({ state }) => state !== 'READY')),
    away: namesOf(players.filter(({ connection }) => connection === 'gone')),
  };
}

/**
 * Return whether the host may start the next race: a player wants it, and all others have asked for
 * it too, or have had `PATIENCE_S` to do so.
 *
 * @param {State} state
 * @param {number} now the server's time in ms
 */
export function mayStart(state, now) {
  const { mine, alone, wanting, missing } = wishes(state);
  const ended = state.room?.round?.ended ?? now;
  const asked = mine || wanting.length > 0;
  const waited = missing.length === 0 || now >= ended + PATIENCE_S * 1_000;
  return amHost(state) && state.room?.state === 'FINISHED' && asked && !alone && waited;
}
