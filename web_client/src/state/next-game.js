// The next game: the same deal again, a new deal, another level or another game of the match. Who wants it, who is
// missing, and which result is better. Pure.

import { HIGHEST_NUMBER, HOST_WAIT_S } from '../contract/protocol.js';
import { amHost, hasRoundsLeft, isOpenRace, isPractice, mySeat, PRACTICE } from './state.js';

/**
 * @import {Reveal, RoomView, Settings, SettingsInput, Standing} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {State} from './state.js'
 * @typedef {{score: number, ms: number | null}} Best `ms` is null without a win
 * @typedef {ReturnType<typeof nextRace>} NextRace
 */

/**
 * Return the settings of a practice room with the cards of a finished round, by their seed or else by their number.
 * Only one person can play there, so all settings about rivals and joining are off.
 * @param {Settings} settings @param {Reveal} reveal @returns {SettingsInput}
 */
export function sameDeal(settings, { number, seed }) {
  const ofMany = { after_win_s: null, window_s: null };
  const alone = { ...PRACTICE, ...ofMany, public: false, locked: false, approve: false };
  const deal = seed ? 'seed' : 'numbered';
  return { ...settings, ...alone, deal, number: seed ? null : number, seed, rounds: 1 };
}

/**
 * Return the messages that give up the running round and start another one.
 * @param {Settings} settings
 * @param {Partial<Settings>} [change] of the settings for the new round
 * @returns {ClientMessage[]}
 */
function startAgain(settings, change) {
  if (!change) return [{ type: 'abort' }, { type: 'start' }];
  const changed = { ...settings, ...change };
  return [{ type: 'abort' }, { type: 'configure', settings: changed }, { type: 'start' }];
}

/**
 * Return the host's messages that deal the running round's cards again.
 * @param {RoomView} room
 * @returns {ClientMessage[] | null} null for today's race, and for a secret deal that others may play
 */
export function restartMessages(room) {
  const { settings, round } = room;
  if (round?.key) return null; // today's race is played once
  // In practice a start may repeat any deal, even a secret one: nobody else can gain from it.
  if (isPractice(room)) return [{ type: 'abort' }, { type: 'start', again: true }];
  if (settings.deal === 'secret' || !round) return null;
  const hostNamedDeal = settings.deal === 'seed' || settings.number !== null;
  if (hostNamedDeal || round.number === null) return startAgain(settings);
  // The server has chosen the number, so it has to be named now. In a match each game adds one to it.
  return startAgain(settings, { number: round.number - (round.game - 1) });
}

/**
 * Return the host's messages that give up the running round and start another one with a new deal: the next number,
 * a secret deal after one from a seed, or a deal that the server chooses if the host has not named one.
 * @param {RoomView} room @returns {ClientMessage[]}
 */
export function newGameMessages({ settings }) {
  if (settings.deal === 'seed') return startAgain(settings, { deal: 'secret', seed: null });
  if (settings.deal !== 'numbered' || settings.number === null) return startAgain(settings);
  return startAgain(settings, { number: (settings.number % HIGHEST_NUMBER) + 1 }); // 1 after the highest
}

/** Return the other players of the room, including absent and computer players. @param {State} state */
const otherPlayers = ({ room, me }) =>
  (room?.seats ?? []).filter(({ seat, role }) => role === 'player' && seat !== me?.seat);

/** Return whether no other player can be in the next game. @param {State} state */
export const isOnlyPlayer = (state) =>
  state.room !== null && otherPlayers(state).every(({ connection }) => connection === 'gone');

/**
 * Return the host's messages that continue after a game, and change the setting `exceptions` if it is given. They lead
 * from the results to the lobby, and start the next game at once if the host is alone. In the lobby they start nothing.
 * @param {State} state
 * @param {Settings['exceptions']} [exceptions] unchanged if omitted
 * @returns {ClientMessage[]}
 */
export function playOnMessages(state, exceptions) {
  const { room } = state;
  if (!room) return [];
  const isOver = room.state === 'FINISHED';
  const messages = /** @type {ClientMessage[]} */ (isOver ? [{ type: 'next_round' }] : []);
  if (exceptions && exceptions !== room.settings.exceptions)
    messages.push({ type: 'configure', settings: { ...room.settings, exceptions } });
  if (isOver && isOnlyPlayer(state)) messages.push({ type: 'start' });
  return messages;
}

/** Return the games of the match that the host can choose now: those not played yet. @param {State} state @returns {number[]} */
export function choosableGames({ room }) {
  if (!room || room.next_game === null) return []; // null while a round is on, and after the last
  const all = Array.from({ length: room.settings.rounds }, (_, i) => i + 1);
  return all.filter((game) => !room.match?.numbers.includes(game));
}

/** The rounds on the score card of the DOS program; any of them may be played again. */
const DOS_ROUNDS = 6;

/** Return the games of the match that the host can choose again now. @param {State} state @returns {number[]} */
export function repeatableGames({ room }) {
  const isBetweenRaces = room?.state === 'LOBBY' || room?.state === 'FINISHED';
  if (!isBetweenRaces || room.settings.rounds !== DOS_ROUNDS) return [];
  const played = room.match?.numbers ?? [];
  return played.filter((game) => game <= DOS_ROUNDS).toSorted((a, b) => a - b); // a longer match may have had more
}

/** Return the next game if it was played before, or else undefined. @param {State} state */
export const repeatedGame = (state) =>
  repeatableGames(state).find((game) => game === state.room?.next_game);

/** Return whether this player wants the next race, and which other people want it, are missing, or are away. @param {State} state */
export function nextRace(state) {
  const { room } = state;
  const players = otherPlayers(state);
  // Computer players (with a level) are always ready, so nobody has to ask or wait for them.
  const people = players.filter(({ level }) => !level);
  const present = people.filter(({ connection }) => connection !== 'gone');
  const namesOf = (/** @type {typeof players} */ some) => some.map(({ name }) => name);
  return {
    isWanted: mySeat(state)?.state === 'READY',
    hasOthers: players.length > 0,
    inMatch: room !== null && hasRoundsLeft(room), // as a round of the same match
    wanting: namesOf(present.filter((seat) => seat.state === 'READY')),
    missing: namesOf(present.filter((seat) => seat.state !== 'READY')),
    away: namesOf(people.filter(({ connection }) => connection === 'gone')),
  };
}

/** The page's clock can be fast by half a slow round trip, and the server refuses an early start. */
const CLOCK_MARGIN_MS = 1_000;

/**
 * Return whether the host may start the next race: a player wants it, and all connected players have asked for it or
 * have had `HOST_WAIT_S` to do so. If nobody else is there, the server starts the race as soon as the player wants it.
 * @param {State} state
 * @param {number} nowMs the server's time
 */
export function mayStart(state, nowMs) {
  if (!amHost(state) || state.room?.state !== 'FINISHED' || isOpenRace(state.room)) return false;
  const { isWanted, hasOthers, wanting, missing } = nextRace(state);
  const isWantedByAny = isWanted || wanting.length > 0;
  const waitEnds = (state.room.round?.ended ?? nowMs) + HOST_WAIT_S * 1_000 + CLOCK_MARGIN_MS;
  return hasOthers && isWantedByAny && (missing.length === 0 || nowMs >= waitEnds);
}

/** Return the result of a game. @param {Pick<Standing, 'score' | 'won' | 'finished_ms'>} standing @returns {Best} */
export const resultOf = ({ score, won, finished_ms }) => ({ score, ms: won ? finished_ms : null });

/** Return whether a result is better than another: a win in less time, or else a higher score. @param {Best} old @param {Best} next */
export const isBetter = (old, next) =>
  next.ms === old.ms ? next.score > old.score : (next.ms ?? Infinity) < (old.ms ?? Infinity);
