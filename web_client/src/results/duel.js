// Duels: a player's game beside the ghost that it has raced, as one round of two; and the tally of all
// challenges that this browser has seen.

import { keep, kept } from '../browser/storage.js';
import { fetchRound } from '../replay/course.js';
import { coloursOf, ghostSeatBeside } from '../state/state.js';
import { strings } from '../strings/language.js';
import { fetchGhost, rankTogether } from './ghost.js';

/**
 * @import {RoomView, RoundCourse, RoundOver} from '../contract/messages.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {Found} from './ghost.js'
 * @typedef {NonNullable<ReturnType<typeof duelOf>>} Duel
 * @typedef {{room: Pick<RoomView, 'code' | 'settings' | 'seats'>, over: RoundOver, me: number}} Own the end of a game
 */

const MOST_KEPT = 100;

/**
 * Return the duel of a game and a ghost; null if the player has no game in the round.
 * @param {Own} own
 * @param {RoundCourse | null} played the course of the player's round; null while its deal is a secret
 * @param {Found} ghost
 */
export function duelOf({ room, over, me }, played, ghost) {
  const mine = over.ranking.find((each) => each.seat === me);
  if (!mine) return null;
  const seat = ghostSeatBeside(coloursOf(/** @type {RoomView} */ (room), over)(me));
  const rival = { ...ghost.standing, seat };
  const ranking = rankTogether([mine, rival], room.settings);
  const winners = ranking.filter(({ place }) => place === 1).map((each) => each.seat);
  const both = { ranking, winners, tie_breaks: [] };
  const courses = [...(played?.courses ?? []), { ...ghost.course, seat }];
  const duel = played && { round: { ...played, ...both, courses }, seat, ghost };
  /** @type {RoundId} */
  const id = { code: room.code, n: over.n, games: { [seat]: ghost.cards }, ...(duel && { duel }) };
  const isWon = winners.length === 1 && winners[0] === me;
  return { id, result: { ...over, ...both }, own: mine, rival, isWon };
}

/** Fetch a duel; rejected with `404` if the ghost's game is not there any more. @param {string} cards of the ghost @param {Own} own */
export async function fetchDuel(cards, own) {
  const isSecret = own.over.reveal.deck.length === 0;
  const id = { code: own.room.code, n: own.over.n };
  const [ghost, played] = await Promise.all([fetchGhost(cards), isSecret ? null : fetchRound(id)]);
  return duelOf(own, played, ghost);
}

/** Keep the winner of a duel, unless it is another try, and return the tally with that player in words: '' after the first duel. @param {string} cards @param {Duel} duel */
export function tallyWith(cards, { result: { winners }, rival: { name }, isWon }) {
  const before = kept('duels');
  const won = winners.length > 1 ? null : isWon;
  const isFirst = before.every((each) => each.cards !== cards);
  if (isFirst) keep('duels', [...before, { cards, name, won }].slice(-MOST_KEPT));
  const all = kept('duels').filter((each) => each.name === name);
  const times = (/** @type {boolean} */ by) => all.filter((each) => each.won === by).length;
  return all.length > 1 ? strings.duelTally(times(true), times(false), name) : '';
}
