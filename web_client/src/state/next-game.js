// The choice of the next game: the same deal, a new one, another level, or another game of the match. Also who wants
// the next race, who is missing, and which of two results is better. Pure.

import { HIGHEST_NUMBER, HOST_WAIT_S } from '../contract/protocol.js';
import {
  amHost,
  hasRoundsLeft,
  isOpenRace,
  isPractice,
  isTodaysRace,
  mySeat,
  PRACTICE,
} from './state.js';

/**
 * @import {Reveal, RoomView, Settings, SettingsInput, Standing} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {State} from './state.js'
 * @typedef {{score: number, ms: number | null}} Best `ms` is null without a win
 * @typedef {ReturnType<typeof nextRace>} NextRace
 */

/**
 * Return the settings of a practice room that deals the cards of a finished round again, by their seed or number. Only
 * one person can play there, so all settings about rivals and joining are off.
 * @param {Settings} settings @param {Reveal} reveal @returns {SettingsInput}
 */
export function sameDeal(settings, { number, seed }) {
  const noRivals = { after_win_s: null, window_s: null };
  const alone = { ...PRACTICE, ...noRivals, public: false, locked: false, approve: false };
  const deal = seed ? 'seed' : 'numbered';
  return { ...settings, ...alone, deal, number: seed ? null : number, seed, rounds: 1 };
}

/**
 * Return the messages that stop the running round and start another one.
 * @param {Settings} settings
 * @param {Partial<Settings>} [change] the settings that differ in the new round
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
  if (isTodaysRace(room)) return null; // it is played once
  // In practice any deal may be repeated, even a secret one: the player has no rivals to gain an advantage over.
  if (isPractice(room)) return [{ type: 'abort' }, { type: 'start', again: true }];
  if (settings.deal === 'secret' || !round) return null;
  const hostNamedDeal = settings.deal === 'seed' || settings.number !== null;
  if (hostNamedDeal || round.number === null) return startAgain(settings);
  // The server chose the number of the first game, so ask for that number now. Each game of a match adds one to it.
  return startAgain(settings, { number: round.number - (round.game - 1) });
}

/**
 * Return the host's messages that stop the running round and start another one with a new deal: the one with the next
 * number if the host chose a number, a secret one if the host gave a seed, otherwise one that the server chooses.
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
 * Return the messages that the host sends to play on. From the results they go back to the lobby, and start the next
 * game if the host is alone; in the lobby they start nothing.
 * @param {State} state
 * @param {Settings['exceptions']} [exceptions] the new value of this setting, if it is to change
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

/** Return the numbers of the match's games that the host can choose now: those not played yet. @param {State} state @returns {number[]} */
export function choosableGames({ room }) {
  if (!room || room.next_game === null) return []; // null during a round, and after the last one
  const all = Array.from({ length: room.settings.rounds }, (_, i) => i + 1);
  return all.filter((game) => !room.match?.numbers.includes(game));
}

const DOS_ROUNDS = 6; // the games on the DOS program's score card

/** Return the numbers of the games that the host can repeat now: as in the DOS program, only in a match of six. @param {State} state @returns {number[]} */
export function repeatableGames({ room }) {
  const isBetweenRaces = room?.state === 'LOBBY' || room?.state === 'FINISHED';
  if (!isBetweenRaces || room.settings.rounds !== DOS_ROUNDS) return [];
  const played = room.match?.numbers ?? [];
  // The match may have been longer before the host changed its length.
  return played.filter((game) => game <= DOS_ROUNDS).toSorted((a, b) => a - b);
}

/** Return the number of the next game if that game was played before, otherwise undefined. @param {State} state */
export const repeatedGame = (state) =>
  repeatableGames(state).find((game) => game === state.room?.next_game);

/** Return whether this player wants the next race, and the names of the others who want it, are missing, or are away. @param {State} state */
export function nextRace(state) {
  const { room } = state;
  const players = otherPlayers(state);
  // Computer players, which have a level, are always ready: nobody has to wait for them.
  const people = players.filter(({ level }) => !level);
  const present = people.filter(({ connection }) => connection !== 'gone');
  const namesOf = (/** @type {typeof players} */ some) => some.map(({ name }) => name);
  return {
    isWanted: mySeat(state)?.state === 'READY',
    hasOthers: players.length > 0,
    inMatch: room !== null && hasRoundsLeft(room), // whether it is a round of the same match
    wanting: namesOf(present.filter((seat) => seat.state === 'READY')),
    missing: namesOf(present.filter((seat) => seat.state !== 'READY')),
    away: namesOf(people.filter(({ connection }) => connection === 'gone')),
  };
}

/** Wait this much longer: the server refuses early starts, and the page's estimate of its clock may be fast. */
const CLOCK_MARGIN_MS = 1_000;

/**
 * Return whether this player, as the host, may start the next race: somebody wants it, and all connected players have
 * said so or have had `HOST_WAIT_S` to do so. For a lone player the server starts the race as soon as they want it.
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

/** Return a game's score and, if it was won, its time. @param {Pick<Standing, 'score' | 'won' | 'finished_ms'>} standing @returns {Best} */
export const resultOf = ({ score, won, finished_ms }) => ({ score, ms: won ? finished_ms : null });

/** Return whether a result is better than the old one: a faster win, or a higher score if the times are equal. @param {Best} old @param {Best} next */
export const isBetter = (old, next) =>
  next.ms === old.ms ? next.score > old.score : (next.ms ?? Infinity) < (old.ms ?? Infinity);
