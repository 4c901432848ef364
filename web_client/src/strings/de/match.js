// The score card of a match, and the choice of its next game.

import { count, list } from './start.js';

export const MATCH = {
  label: 'Punkte im Match',
  columns: ['Runde', 'Punkte', 'Züge', 'Ausnahmen', 'Tipps', 'Gemogelt', 'Zeit'],
  totals: 'Summe',
  wins: 'Siege in diesem Raum',
  which: 'Welche Runde möchtest du spielen?',
  repeat: 'Jede Runde kannst du noch einmal spielen. Das letzte Mal zählt.',
};

/** @param {number} n */
export const game = (n) => `Runde ${n}`;

/** @param {number} n */
export const gameNext = (n) => `Als Nächstes kommt Runde ${n}.`;

/** @param {number} n */
export const gameAgain = (n) => `Runde ${n} noch einmal`;

/** @param {number} n */
export const againNext = (n) => `Als Nächstes kommt noch einmal Runde ${n}. Das letzte Mal zählt.`;

/** @param {number} n */
export const matchOf = (n) => `Match aus ${n} Runden`;

/** @param {number} n */
export const roundsWon = (n) => `${count(n, 'Runde', 'Runden')} gewonnen`;

/** Return the winners of the match. @param {readonly string[]} winners */
export const matchWon = (winners) =>
  winners.length > 1
    ? `${list(winners)} teilen sich das Match`
    : `${list(winners) || 'Niemand'} gewinnt das Match`;

/** Return how many rounds are played. @param {number} n @param {number} of */
export const matchAfter = (n, of) => `Match nach ${n} von ${of} Runden`;
