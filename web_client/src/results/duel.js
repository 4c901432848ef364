// Duels: a player's game beside the ghost that it has raced, as one round of two; and the tally of all
// challenges that this browser has seen.

import { keep, kept } from '../browser/storage.js';
import { fetchRound } from '../replay/course.js';
import { ghostSeatBeside } from '../state/state.js';
import { strings } from '../strings/language.js';
import { fetchGhost, rankTogether } from './ghost.js';

/**
 * @import {RoundCourse, RoundOver, Settings} from '../contract/messages.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {Found} from './ghost.js'
 * @typedef {NonNullable<ReturnType<typeof duelOf>>} Duel
 * @typedef {object} Own a game that is over
 * @property {RoundId} id
 * @property {RoundOver} over
 * @property {number} me the seat
 * @property {string} colour
 * @property {Settings} settings
 */

const MOST_KEPT = 100;

/**
 * Return the duel of a game and a ghost; null if the player has no game in the round.
 * @param {Own} own
 * @param {RoundCourse | RoundOver} played the player's round, without its courses while the deal is a secret
 * @param {Found} ghost
 * @param {string} cards of the ghost
 */
export function duelOf({ id, over, me, colour, settings }, played, ghost, cards) {
  const seat = ghostSeatBeside(colour);
  const mine = over.ranking.find((each) => each.seat === me);
  if (!mine) return null;
  const rival = { ...ghost.standing, seat };
  const ranking = rankTogether([mine, rival], settings);
  const winners = ranking.filter(({ place }) => place === 1).map((each) => each.seat);
  const both = { ranking, winners, tie_breaks: [] };
  const round = 'courses' in played && {
    ...{ ...played, ...both },
    courses: [...played.courses, { ...ghost.course, seat }],
  };
  const games = { [seat]: cards };
  const other = { id: ghost.id, seat: ghost.course.seat, lateMs: ghost.lateMs };
  return {
    /** Of both games as one round, for its replay. @type {RoundId} */
    id: round ? { ...id, games, duel: { round, seat, other } } : id,
    result: { ...over, ...both },
    rival,
    isWon: winners.length === 1 && winners[0] === me,
    own: mine,
  };
}

/** Fetch a duel; rejected with `404` if the ghost's game is not there any more. @param {string} cards of the ghost @param {Own} own */
export async function fetchDuel(cards, own) {
  const isSecret = own.over.reveal.deck.length === 0;
  const [ghost, played] = await Promise.all([
    fetchGhost(cards),
    isSecret ? own.over : fetchRound(own.id),
  ]);
  return duelOf(own, played, ghost, cards);
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
