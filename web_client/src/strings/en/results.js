// The results of a race, and the page of a finished round.

import { cheats, clock, count, gameName, hintsTaken, list, result } from './start.js';

/**
 * @import {Standing} from '../../core/messages.d.ts'
 */

/** Return the result in a line of the ranking, with all that explains it. @param {Standing} standing */
export function resultLine(standing) {
  const { late_ms, restored, hints, cheats: cheated } = standing;
  const late = late_ms === null ? [] : [`started ${clock(late_ms)} late (unranked)`];
  const back =
    restored > 0 ? [`${count(restored, 'move')} restored after the server lost data`] : [];
  const helped = hints > 0 ? [hintsTaken(hints)] : [];
  if (cheated > 0) helped.push(cheats(cheated));
  const cut = late_ms !== null && standing.state === 'TIMED_OUT';
  return [cut ? 'Time’s up' : result(standing), ...late, ...helped, ...back].join(' · ');
}

export const RESULTS = {
  ranking: 'Ranking',
  columns: ['#', 'Player', 'Result', 'Score', 'Moves', 'Suits'],
  over: 'The race is over',
  data: 'See all data of this round',
  text: 'Download as text',
  again: 'Same deal again, alone',
  next: 'Next round',
  rematch: 'Rematch in a new room',
  follow: 'Join the new room',
  rematchOpen: 'The rematch is in a new room.',
  newMatch: 'New match',
  wait: 'Waiting for the host to start the next round.',
  waitMatch: 'The match is over. The host can start another one.',
  leave: 'Leave',
  deal: 'The deal',
  check: 'Check it yourself',
  show: 'Show the cards',
  number: 'Deal number',
  seed: 'Seed',
  salt: 'Salt',
  seal: 'Hash, SHA-256(seed‖salt)',
  me: 'Me',
  share: 'Link to this result',
  shared: 'Anyone with this link can see the result and replay.',
};

export const FINISHED = {
  loading: 'Loading the race…',
  gone: 'This race isn’t here',
  why: 'It isn’t over yet, or its room is closed.',
  front: 'Go to the front page',
  room: 'Go to the room',
};

/** Return a race in one line. @param {{settings: {game: string}, t0: number, courses: readonly unknown[]}} round */
export function raceAbout({ settings, t0, courses }) {
  const day = new Date(t0).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  return `${gameName(settings.game)} · ${count(courses.length, 'player')} · ${day}`;
}

/** @param {readonly string[]} winners @param {{alone: boolean, home: boolean, won: boolean}} own */
export function verdict(winners, { alone, home, won }) {
  const names = list(winners);
  if (alone) return home ? 'You finished!' : 'Practice over';
  if (won) return winners.length > 1 ? `It’s a tie: ${names}` : `You win, ${names}!`;
  return `${names} ${winners.length > 1 ? 'share the win' : 'wins'}`;
}

/** @param {number} n */
export const cardCount = (n) => count(n, 'card');

/** @param {number} n @param {number} of */
export const nextOf = (n, of) => `Next round (${n} of ${of})`;

/** @param {number} level */
export const againAt = (level) => `Play again at level ${level}`;
