// The progress of players and the points between them, for the leaderboard and the track. Pure.

/** @import {Standing} from '../core/messages.d.ts' */

const DECK_SIZE = 52;
/** The number of cards dealt face down, by the beginning of a game's name; only for display. */
const FACE_DOWN = /** @type {const} */ ([
  ['spider-', 44],
  ['spiderette-', 21],
]);
/** The places of the leaderboard that fit in a row on a phone. */
const STRIP_PLACES = 4;

/** Return the number of cards of a game. @param {string} game */
export const cardsOf = (game) => (game.startsWith('spider-') ? 2 * DECK_SIZE : DECK_SIZE);

/** Return whether cards of a game begin face down. @param {string} game */
export const hasFaceDown = (game) => FACE_DOWN.some(([prefix]) => game.startsWith(prefix));

/**
 * Return the progress of a player, from 0 to 1: half of it is turning cards up, half is playing them
 * to the foundations.
 *
 * @param {Standing} standing
 * @param {string} game
 */
export function progress({ home, face_down, won }, game) {
  if (won) return 1;
  const [, hidden] = FACE_DOWN.find(([prefix]) => game.startsWith(prefix)) ?? ['', 0];
  const homePart = home / cardsOf(game);
  return hidden > 0 ? (homePart + Math.max(0, 1 - face_down / hidden)) / 2 : homePart;
}

/**
 * Return the points by which a player is behind the leader, or the leader is ahead: `−50`, `+50`, or
 * ''. Places can depend on more than points; then there is no gap.
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
 * Return the seats in the row of a phone: the leader, this player, and the players next above and
 * below.
 *
 * @param {readonly {seat: number}[]} standings best first
 * @param {number} me this player's seat, or -1
 * @returns {Set<number>} at most four
 */
export function stripSeats(standings, me) {
  const myIndex = Math.max(
    0,
    standings.findIndex(({ seat }) => seat === me),
  );
  // At an end of the list more players of the other side fit.
  const from = Math.max(1, Math.min(myIndex - 1, standings.length - STRIP_PLACES + 1));
  const seats = [...standings.slice(0, 1), ...standings.slice(from, from + STRIP_PLACES - 1)];
  return new Set(seats.map(({ seat }) => seat));
}
