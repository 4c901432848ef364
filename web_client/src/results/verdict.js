// Who has won a finished round, by how much, and who stands on its podium. Pure.

import { ranked } from '../replay/course.js';
import { photoFinish } from '../state/race-events.js';
import { shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {CardLine, RoundOver, Settings, Standing} from '../contract/messages.d.ts'
 * @import {Margin} from '../strings/en/after.js'
 * @typedef {Pick<RoundOver, 'ranking' | 'winners'>} Result
 * @typedef {Pick<Settings, 'ranking' | 'score'>} Rules the settings on which a ranking depends
 * @typedef {{seat: number, name: string, place: number | null}} Placed
 * @typedef {Placed & Partial<Pick<Standing, 'state' | 'won' | 'has_acted'>>
 *   & {lines?: readonly (CardLine | null)[]}} Played a row of a round, or a card of a match
 */

/**
 * Return the heading of a finished round. The winners come from the server: nobody wins by giving up.
 * @param {Result} result
 * @param {number} me this player's seat, or -1
 * @param {number} [number] of the round in its match, if that has several
 */
export function heading({ ranking, winners }, me, number) {
  const names = ranking.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
  return strings.verdict(names, {
    alone: ranking.length === 1,
    home: ranking[0]?.won ?? false,
    won: winners.includes(me),
    round: number,
  });
}

/** Return the photo finish of a round, for one of its two players or a spectator; null for others. @param {Result} result @param {number} me @param {Rules} rules */
export function photoFinishOf({ ranking, winners }, me, rules) {
  const photo = winners.length === 1 ? photoFinish(ranking, rules) : null;
  const isThird = ranking.some(({ seat, place }) => seat === me && (place ?? 0) > 2);
  return isThird ? null : photo;
}

/** Return the time between two ends as their tenths of a second show it. @param {number} first @param {number} second */
const timeBetween = (first, second) =>
  second - (second % 100) - (first - (first % 100)) || second - first;

/** Return the margin between two players; null if no figure is better. @param {Standing} above @param {Standing} below @param {Rules} rules */
export function marginBetween(above, below, { ranking, score }) {
  /** @type {Margin[]} */
  const margins = [
    { by: 'points', n: above.score - below.score },
    { by: 'suits', n: above.suits - below.suits },
    { by: 'turned', n: below.face_down - above.face_down },
  ];
  if (ranking === 'first_home' && above.won && below.won) {
    const n = timeBetween(above.finished_ms ?? 0, below.finished_ms ?? 0);
    margins.splice(0, margins.length, { by: 'time', n });
  }
  // The `moves` score starts high and sinks, so it says nothing about games that were not won.
  if (score === 'moves' && !below.won) margins.shift();
  return margins.find(({ n }) => n > 0) ?? null;
}

/**
 * Return the sentence on how far the only winner was ahead, or this player behind; '' if there is none.
 * @param {Result} result
 * @param {number} me this player's seat, or -1
 * @param {Rules} rules
 */
export function distance({ ranking, winners }, me, rules) {
  const photo = photoFinishOf({ ranking, winners }, me, rules);
  if (photo) return strings.photoBy(photo, me);
  const players = ranked(ranking);
  const [leader, second] = players;
  if (!leader) return '';
  const isOneWinner = winners.length === 1 && winners[0] === leader.seat;
  const own = players.find(({ seat }) => seat === me);
  const place = own ? shownPlace(own) : null;
  if (own && place !== null && winners.length > 0 && !winners.includes(me)) {
    const margin = winners.length === 1 ? marginBetween(leader, own, rules) : null;
    return strings.ownPlace({ place, players: players.length, leader, margin });
  }
  if (ranking.length > 1 && !(isOneWinner && second)) return '';
  const margin = second ? marginBetween(leader, second, rules) : null;
  const time = leader.won ? leader.finished_ms : null;
  return strings.winningMargin(time, margin, second?.name ?? '');
}

const STEPS = 3;

/** Return whether a player has made an act, and has not given up; in a match, in one of its rounds. @param {Played} player */
const hasPlayed = ({ state, won, has_acted: hasActed, lines }) =>
  lines
    ? lines.some((line) => line && line.has_acted !== false && !line.given_up)
    : hasActed !== false && (state !== 'FORFEIT' || won);

/**
 * Return the players on the podium, best first: none without rivals or without a winner. Tied players
 * stand on it together or not at all. Players without an act, or who gave up, do not (RULES, Wins).
 * @param {readonly Played[]} placed best first; those off the ranking have no place
 * @param {boolean} hasWinner
 * @returns {Placed[]}
 */
export function onPodium(placed, hasWinner) {
  if (!hasWinner || placed.length < 2) return [];
  const players = placed.filter((player) => player.place !== null && hasPlayed(player));
  const upTo = (/** @type {number} */ last) =>
    players.filter(({ place }) => (place ?? 0) <= last).length;
  return players.filter(({ place }) => upTo(place ?? 0) <= STEPS);
}
