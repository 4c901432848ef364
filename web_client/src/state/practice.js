// The messages for another game: the same deal again, a new deal, or another level. Pure.

import { HIGHEST_NUMBER } from '../contract/protocol.js';
import { isPractice, PRACTICE } from './state.js';

/**
 * @import {Reveal, RoomView, Settings, SettingsInput} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {State} from './state.js'
 */

/** The settings of another game for practice, which a race may have had otherwise. */
const SAME_DEAL = { ...PRACTICE, after_win_s: null, public: false, locked: false, approve: false };

/**
 * Return the settings of a practice room that deals the cards of a finished round.
 * @param {Settings} settings
 * @param {Reveal} reveal
 * @returns {SettingsInput}
 */
export function sameDeal(settings, { number, seed }) {
  const deal = seed ? 'seed' : 'numbered';
  return { ...settings, deal, number: seed ? null : number, seed, rounds: 1, ...SAME_DEAL };
}

/**
 * Return the messages of a host that deal the running round's cards again.
 * @param {RoomView} room
 * @returns {ClientMessage[] | null} null for a secret deal of a room that others may join, which is
 *   revealed only at the end
 */
export function restartMessages(room) {
  const { settings, round } = room;
  if (isPractice(room)) return [{ type: 'abort' }, { type: 'start', again: true }];
  if (settings.deal === 'secret' || !round) return null;
  /** @type {ClientMessage[]} */
  const changes = [];
  // A number that the server has chosen has to be named; in a match each game adds one to it.
  if (settings.deal === 'numbered' && settings.number === null && round.number !== null) {
    const number = round.number - (round.game - 1);
    changes.push({ type: 'configure', settings: { ...settings, number } });
  }
  return [{ type: 'abort' }, ...changes, { type: 'start' }];
}

/**
 * Return the messages of a host that give up the running round and begin another with a new deal:
 * the next number after a numbered deal, and a secret deal after one from a seed.
 * @param {RoomView} room
 * @returns {ClientMessage[]}
 */
export function newGameMessages({ settings }) {
  /** @type {ClientMessage[]} */
  const changes = [];
  if (settings.deal === 'seed')
    changes.push({ type: 'configure', settings: { ...settings, deal: 'secret', seed: null } });
  else if (settings.deal === 'numbered' && settings.number !== null) {
    const number = (settings.number % HIGHEST_NUMBER) + 1;
    changes.push({ type: 'configure', settings: { ...settings, number } });
  }
  return [{ type: 'abort' }, ...changes, { type: 'start' }];
}

/** Return whether no other player can be in the next game. @param {State} state */
export const isOnlyPlayer = ({ room, me }) =>
  room?.seats.every(
    ({ seat, role, connection }) => seat === me?.seat || role !== 'player' || connection === 'gone',
  ) ?? false;

/**
 * Return the messages with which a host continues after a game, possibly at another level. They lead
 * from the results to the lobby; if the host is alone, the next game begins at once.
 * @param {State} state
 * @param {Settings['exceptions']} [exceptions] as they are, if omitted
 * @returns {ClientMessage[]}
 */
export function playOnMessages(state, exceptions) {
  const { room } = state;
  if (!room) return [];
  const isOver = room.state === 'FINISHED';
  /** @type {ClientMessage[]} */
  const messages = isOver ? [{ type: 'next_round' }] : [];
  if (exceptions && exceptions !== room.settings.exceptions)
    messages.push({ type: 'configure', settings: { ...room.settings, exceptions } });
  if (isOver && isOnlyPlayer(state)) messages.push({ type: 'start' });
  return messages;
}

/** Return the games of the match that the host can choose now. @param {State} state @returns {number[]} */
export function choosableGames({ room }) {
  if (!room || room.next_game === null) return [];
  const all = Array.from({ length: room.settings.rounds }, (_, i) => i + 1);
  return all.filter((game) => !room.match?.numbers.includes(game));
}

/** The rounds of the card of the DOS program, of which any may be played again. */
const DOS_CARD = 6;

/** Return the games of the match that are played, and that the host can choose again now. @param {State} state @returns {number[]} */
export const repeatableGames = ({ room }) =>
  room && ['LOBBY', 'FINISHED'].includes(room.state) && room.settings.rounds === DOS_CARD
    ? (room.match?.numbers ?? []).filter((game) => game <= DOS_CARD).toSorted((a, b) => a - b)
    : [];

/** Return the game that comes next although it is played; undefined if it is another one. @param {State} state */
export const repeatedGame = (state) =>
  repeatableGames(state).find((game) => game === state.room?.next_game);
