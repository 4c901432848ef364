// The places of a race, for the leaderboard and the track: pure.

/**
 * @import {Standing} from '../core/messages.d.ts'
 */

const DECK = 52;
/** Cards that begin face down, for the track; a table of mere display. */
const BURIED = /** @type {const} */ ([
  ['spider-', 44],
  ['spiderette-', 21],
]);
/** So many places fit in the strip of a phone. */
const STRIP = 4;

/** All cards of a game. @param {string} game */
export const cardsOf = (game) => (game.startsWith('spider-') ? 2 * DECK : DECK);

/**
 * How far a player has come, from 0 to 1: half the way is turning cards up, half is home.
 *
 * @param {Standing} standing
 * @param {string} game
 */
export function way({ home, face_down, won }, game) {
  if (won) return 1;
  const [, buried] = BURIED.find(([prefix]) => game.startsWith(prefix)) ?? ['', 0];
  const brought = home / cardsOf(game);
  return buried > 0 ? (brought + Math.max(0, 1 - face_down / buried)) / 2 : brought;
}

/**
 * Points behind the leader, or of the leader before the next one: `−50`, `+50`, or nothing. A
 * place may be a matter of other things than points; then there is no gap.
 *
 * @param {Standing} standing
 * @param {readonly Standing[]} standings best first
 */
export function gap(standing, standings) {
  const [first, second] = standings;
  if (!first || first.won || standing.state !== 'RACING') return '';
  if (standing !== first)
    return standing.score < first.score ? `−${first.score - standing.score}` : '';
  const ahead = second && second.place !== null ? first.score - second.score : 0;
  return ahead > 0 ? `+${ahead}` : '';
}

/**
 * Who is in the strip of a phone: the leader, oneself, and those next above and below.
 *
 * @param {readonly {seat: number}[]} standings best first
 * @param {number} me this player's seat, or -1
 * @returns {Set<number>} seats, at most four
 */
export function strip(standings, me) {
  const mine = Math.max(
    0,
    standings.findIndex(({ seat }) => seat === me),
  );
  // At the ends of the list there are more on the other side.
  const from = Math.max(1, Math.min(mine - 1, standings.length - STRIP + 1));
  const seats = [...standings.slice(0, 1), ...standings.slice(from, from + STRIP - 1)];
  return new Set(seats.map(({ seat }) => seat));
}
