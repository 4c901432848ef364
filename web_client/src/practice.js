// Playing alone: the same deal once more, in this room or in a room of one's own. Pure.

import { amHost } from './reducer.js';

/**
 * @import {ClientMessage, Reveal, RoomView, Settings, SettingsInput} from './protocol.d.ts'
 * @import {State} from './reducer.js'
 */

/** Whether nobody else has a part in this race. @param {State} state */
export function practising(state) {
  const racers = state.room?.seats.filter(({ state: is }) => is !== 'WATCHING' && is !== 'SEATED');
  return amHost(state) && racers?.length === 1 && racers[0]?.seat === state.me?.seat;
}

/**
 * The settings of a practice room that deals a finished round's cards.
 *
 * @param {Settings} settings
 * @param {Reveal} reveal
 * @returns {SettingsInput}
 */
export function sameDeal(settings, { number, seed }) {
  const deal = seed ? 'seed' : 'numbered';
  return { ...settings, deal, number: seed ? null : number, seed, rounds: 1, public: false };
}

/**
 * What the host says to deal the running round's cards again; null for a secret deal, which
 * nobody knows before it is over.
 *
 * @param {RoomView} room
 * @returns {ClientMessage[] | null}
 */
export function restart({ settings, round, match }) {
  if (settings.deal === 'secret' || !round) return null;
  /** @type {ClientMessage[]} */
  const same = [];
  // A number that was drawn has to be named; those of a match go on counting.
  if (settings.deal === 'numbered' && settings.number === null && round.number !== null) {
    const number = round.number - (match?.n.length ?? 0);
    same.push({ type: 'configure', settings: { ...settings, number } });
  }
  return [{ type: 'abort' }, ...same, { type: 'start' }];
}
