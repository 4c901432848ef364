// How far players have come, and their distances, for the leaderboard and the track. Pure.

/** @import {Standing} from '../core/messages.d.ts' */

const DECK = 52;
/** Cards that begin face down, by the beginning of a game's name; only for display. */
const FACE_DOWN = /** @type {const} */ ([
  ['spider-', 44],
  ['spiderette-', 21],
]);
/** So many places fit in the strip of a phone. */
const STRIP = 4;

/** Return the number of cards of a game. @param {string} game */
export const cardsOf = (game) => (game.startsWith('spider-') ? 2 * DECK : DECK);

/** Return whether cards of a game begin face down. @param {string} game */
export const hasFaceDown = (game) => FACE_DOWN.some(([prefix]) => game.startsWith(prefix));

/**
 * Return how far a player has come, from 0 to 1: half the way is turning cards up, half is home.
 *
 * @param {Standing} standing
 * @param {string} game
 */
export function way({ home, face_down, won }, game) {
  if (won) return 1;
  const [, hidden] = FACE_DOWN.find(([prefix]) => game.startsWith(prefix)) ?? ['', 0];
  const brought = home / cardsOf(game);
  return hidden > 0 ? (brought + Math.max(0, 1 - face_down / hidden)) / 2 : brought;
}

/**
 * Return the points behind the leader, or of the leader before the next one: `−50`, `+50`, or ''.
 * A place can depend on other things than points; then there is no gap.
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
 * Return the seats in the strip of a phone: the leader, this player, and those next above and below.
 *
 * @param {readonly {seat: number}[]} standings best first
 * @param {number} me this player's seat, or -1
 * @returns {Set<number>} at most four
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
