// The score card of a match, and the choice of its next game.

import { count, list } from './start.js';

export const MATCH = {
  label: 'Match scores',
  columns: ['Round', 'Score', 'Moves', 'Exceptions', 'Hints', 'Cheats', 'Time'],
  totals: 'Totals',
  wins: 'Wins in this room',
  which: 'Which round do you want to play?',
  repeat: 'You can play any round again. The last time counts.',
};

/** @param {number} n */
export const game = (n) => `Round ${n}`;

/** @param {number} n */
export const gameNext = (n) => `Round ${n} is next.`;

/** @param {number} n */
export const gameAgain = (n) => `Play round ${n} again`;

/** @param {number} n */
export const againNext = (n) => `Round ${n} is next, once more. The last time counts.`;

/** @param {number} n */
export const matchOf = (n) => `Match of ${n} rounds`;

/** @param {number} n */
export const roundsWon = (n) => `${count(n, 'round')} won`;

/** Return the winners of the match. @param {readonly string[]} winners */
export const matchWon = (winners) =>
  `${list(winners) || 'Nobody'} ${winners.length > 1 ? 'share' : 'wins'} the match`;

/** Return how many rounds are played. @param {number} n @param {number} of */
export const matchAfter = (n, of) => `Match after ${n} of ${of} rounds`;
