// The results of a race, and the page of a finished round.

import { cheats, clock, count, gameName, hintsTaken, list, result } from './start.js';

/**
 * @import {Standing} from '../../core/messages.d.ts'
 */

/** Return the result in a line of the ranking, with all that explains it. @param {Standing} standing */
export function resultLine(standing) {
  const { late_ms, restored, hints, cheats: cheated } = standing;
  const late = late_ms === null ? [] : [`began ${clock(late_ms)} late, not ranked`];
  const back =
    restored > 0 ? [`${count(restored, 'act')} given back after the store lost them`] : [];
  const helped = hints > 0 ? [hintsTaken(hints)] : [];
  if (cheated > 0) helped.push(cheats(cheated));
  const cut = late_ms !== null && standing.state === 'TIMED_OUT';
  return [cut ? 'Chased to the end' : result(standing), ...late, ...helped, ...back].join(' · ');
}

export const RESULTS = {
  ranking: 'Ranking',
  columns: ['#', 'Player', 'Result', 'Score', 'Moves', 'Suits'],
  over: 'The race is over',
  data: 'The whole round as data',
  text: 'Keep the round as a text file',
  again: 'Same deal again, alone',
  next: 'Next round',
  rematch: 'Rematch in a new room',
  follow: 'Go to the new room',
  rematchOpen: 'A new room is open for a rematch.',
  newMatch: 'New match',
  wait: 'The host opens the next round.',
  waitMatch: 'The match is over. The host may open another.',
  leave: 'Leave',
  deal: 'The deal',
  check: 'Check it yourself',
  show: 'Show its cards',
  number: 'Deal number',
  seed: 'Seed',
  salt: 'Salt',
  seal: 'Seal, SHA-256(seed‖salt)',
  me: 'Me',
  share: 'Link to this result',
  shared: 'Anybody who has it sees the result, the chart and the replay, without a seat.',
};

export const FINISHED = {
  loading: 'Fetching the race…',
  gone: 'This race is not here',
  why: 'It is not over yet, or its room is closed.',
  front: 'To the front page',
  room: 'To the room',
};

/** Return a race in one line. @param {{settings: {game: string}, t0: number, courses: readonly unknown[]}} round */
export function raceAbout({ settings, t0, courses }) {
  const day = new Date(t0).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  return `${gameName(settings.game)} · ${count(courses.length, 'player')} · ${day}`;
}

/** @param {readonly string[]} winners @param {{alone: boolean, home: boolean, won: boolean}} own */
export function verdict(winners, { alone, home, won }) {
  const names = list(winners);
  if (alone) return home ? 'You are home!' : 'Practice over';
  if (won) return winners.length > 1 ? `A tie: ${names}` : `You win, ${names}!`;
  return `${names} ${winners.length > 1 ? 'share the win' : 'wins'}`;
}

/** @param {number} n */
export const cardCount = (n) => count(n, 'card');

/** @param {number} n @param {number} of */
export const nextOf = (n, of) => `Next round (${n} of ${of})`;

/** @param {number} level */
export const againAt = (level) => `Play again at level ${level}`;
