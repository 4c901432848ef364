// Playing on: the same deal once more, a new one, or the next game at another level. Pure.

import { amHost } from './reducer.js';

/**
 * @import {ClientMessage, Reveal, RoomView, Settings, SettingsInput} from './messages.d.ts'
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
  const open = { public: false, locked: false, approve: false };
  return { ...settings, deal, number: seed ? null : number, seed, rounds: 1, ...open };
}

/**
 * What the host says to deal the running round's cards again; null for a secret deal, which
 * nobody knows before it is over.
 *
 * @param {RoomView} room
 * @returns {ClientMessage[] | null}
 */
export function restart({ settings, round }) {
  if (settings.deal === 'secret' || !round) return null;
  /** @type {ClientMessage[]} */
  const same = [];
  // A number that was drawn has to be named; those of a match go on counting.
  if (settings.deal === 'numbered' && settings.number === null && round.number !== null) {
    const number = round.number - (round.game - 1);
    same.push({ type: 'configure', settings: { ...settings, number } });
  }
  return [{ type: 'abort' }, ...same, { type: 'start' }];
}

const HIGHEST_NUMBER = 1_000_000_000;

/**
 * What the host says to give the running round up and to begin another with a new deal: of a
 * deal that was named by its number the next number, in place of a known seed a secret deal.
 *
 * @param {RoomView} room
 * @returns {ClientMessage[]}
 */
export function newGame({ settings }) {
  /** @type {ClientMessage[]} */
  const other = [];
  if (settings.deal === 'seed')
    other.push({ type: 'configure', settings: { ...settings, deal: 'secret', seed: null } });
  else if (settings.deal === 'numbered' && settings.number !== null) {
    const number = (settings.number % HIGHEST_NUMBER) + 1;
    other.push({ type: 'configure', settings: { ...settings, number } });
  }
  return [{ type: 'abort' }, ...other, { type: 'start' }];
}

/** Whether no other player would be in the next game. @param {State} state */
export const isAlone = ({ room, me }) =>
  room?.seats.every(
    ({ seat, role, connection }) => seat === me?.seat || role !== 'player' || connection === 'gone',
  ) ?? false;

/**
 * What the host says between two games to play on, if need be at another level. From the results
 * it goes on to the next game, and somebody alone begins it at once.
 *
 * @param {State} state
 * @param {Settings['exceptions']} [exceptions] as they are, if not given
 * @returns {ClientMessage[]}
 */
export function playOn(state, exceptions) {
  const { room } = state;
  if (!room) return [];
  const over = room.state === 'FINISHED';
  /** @type {ClientMessage[]} */
  const all = over ? [{ type: 'next_round' }] : [];
  if (exceptions && exceptions !== room.settings.exceptions)
    all.push({ type: 'configure', settings: { ...room.settings, exceptions } });
  if (over && isAlone(state)) all.push({ type: 'start' });
  return all;
}

/**
 * The games of the match's card that the host may choose now.
 *
 * @param {State} state
 * @returns {number[]}
 */
export function choosable({ room }) {
  if (!room || room.next_game === null) return [];
  const all = Array.from({ length: room.settings.rounds }, (_, i) => i + 1);
  return all.filter((game) => !room.match?.numbers.includes(game));
}
