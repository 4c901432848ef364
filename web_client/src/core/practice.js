// Playing on: the same deal once more, a new one, or the next game at another level. Pure.

import { HIGHEST_NUMBER } from './protocol.js';
import { amHost } from './reducer.js';

/**
 * @import {Reveal, RoomView, Settings, SettingsInput} from './messages.d.ts'
 * @import {ClientMessage} from './notation.js'
 * @import {State} from './reducer.js'
 */

/** Return whether this player is the only one in the race, and the host. @param {State} state */
export function isPractice(state) {
  const racers = state.room?.seats.filter(({ state: is }) => is !== 'WATCHING' && is !== 'SEATED');
  return amHost(state) && racers?.length === 1 && racers[0]?.seat === state.me?.seat;
}

/** What practice is: a room for one has no countdown, and nobody is in a hurry. */
const PRACTICE = {
  ...{ max_players: 1, time_limit_s: null, after_win_s: null },
  ...{ public: false, locked: false, approve: false },
};

/**
 * Return the settings of a practice room that deals the cards of a finished round.
 *
 * @param {Settings} settings
 * @param {Reveal} reveal
 * @returns {SettingsInput}
 */
export function sameDeal(settings, { number, seed }) {
  const deal = seed ? 'seed' : 'numbered';
  return { ...settings, deal, number: seed ? null : number, seed, rounds: 1, ...PRACTICE };
}

/**
 * Return the messages of a host that deal the running round's cards again.
 *
 * @param {RoomView} room
 * @returns {ClientMessage[] | null} null for a secret deal, which nobody knows before it is over
 */
export function restartMessages({ settings, round }) {
  if (settings.deal === 'secret' || !round) return null;
  /** @type {ClientMessage[]} */
  const same = [];
  // A number that the server has drawn has to be named; in a match each game adds one to it.
  if (settings.deal === 'numbered' && settings.number === null && round.number !== null) {
    const number = round.number - (round.game - 1);
    same.push({ type: 'configure', settings: { ...settings, number } });
  }
  return [{ type: 'abort' }, ...same, { type: 'start' }];
}

/**
 * Return the messages of a host that give up the running round and begin another with a new deal:
 * the next number after a numbered deal, and a secret deal after one from a seed.
 *
 * @param {RoomView} room
 * @returns {ClientMessage[]}
 */
export function newGameMessages({ settings }) {
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

/** Return whether no other player would be in the next game. @param {State} state */
export const isAlone = ({ room, me }) =>
  room?.seats.every(
    ({ seat, role, connection }) => seat === me?.seat || role !== 'player' || connection === 'gone',
  ) ?? false;

/**
 * Return the messages of a host that play on between two games, if need be at another level. From
 * the results they lead to the next game, which begins at once for a player who is alone.
 *
 * @param {State} state
 * @param {Settings['exceptions']} [exceptions] as they are, if omitted
 * @returns {ClientMessage[]}
 */
export function playOnMessages(state, exceptions) {
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
 * Return the games of the match that the host can choose now.
 *
 * @param {State} state
 * @returns {number[]}
 */
export function choosable({ room }) {
  if (!room || room.next_game === null) return [];
  const all = Array.from({ length: room.settings.rounds }, (_, i) => i + 1);
  return all.filter((game) => !room.match?.numbers.includes(game));
}
