// The chart and the replay of a finished round.

import { clock, count, list, ordinal } from './start.js';

/** @import {GameReview} from '../../contract/messages.d.ts' */

export const CHART = {
  title: 'Score over time',
  moment: 'Moment of the race',
  table: 'The scores as a table',
  player: 'Player',
  end: 'End',
  known: 'Until here a win was known',
};

/** Return the scores at a time in a sentence. @param {number} ms @param {readonly {name: string, score: number}[]} scores */
export const chartAt = (ms, scores) =>
  `${clock(ms)}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`;

/**
 * Return the text alternative of the chart.
 * @param {number} ms the length of the race, round or practice game
 * @param {number} changes of lead
 * @param {string} last who led at the end
 * @param {number} lines how many are drawn of `players`
 * @param {number} players
 */
export function chartSummary(ms, changes, last, lines, players) {
  const lead =
    players < 2 || !last || changes === 0 // the head of the results says it
      ? ''
      : ` The lead changed ${changes === 1 ? 'once' : `${changes} times`}; ${last} had it at the end.`;
  const few = lines < players ? ` The chart shows ${lines} of ${players} players.` : '';
  return `Length: ${clock(ms)}.${lead}${few}`;
}

/** The name of a program where its mark does not fit. @param {string} name */
export const programNamed = (name) => `${name} (program)`;

export const REPLAY = {
  wins: 'Missed wins',
  playWin: 'Play the win',
  knownWin: 'A known way to win',
  title: 'Replay',
  left: 'Board on the left',
  right: 'Board on the right',
  play: 'Play',
  pause: 'Pause',
  back: 'Previous move',
  on: 'Next move',
  before: 'Previous moment',
  after: 'Next moment',
  at: 'Time in the race',
  speed: 'Speed',
  moments: 'Moments of the race',
  keys: 'Keys: space plays and pauses, ← and → go from move to move, page up and page down from moment to moment, + and − change the speed.',
  loading: 'Loading the race…',
  failed: 'The race couldn’t be loaded.',
  again: 'Try again',
  dealt: 'The cards as dealt.',
  cut: 'This game is very long: the moves before its end are left out.',
};

/** @param {number} ms @param {number} length */
export const timeOf = (ms, length) => `${clock(ms)} of ${clock(length)}`;

/** Return a speed. @param {number} factor */
export const times = (factor) => `${factor === 0.5 ? '½' : factor}×`;

/** Return what happened at a moment of a race. @param {{ms: number, kind: string, n: number}} moment @param {string} name */
export function moment({ ms, kind, n }, name) {
  /** @type {Record<string, string>} */
  const what = {
    lead: `${name} leads`,
    suit: `${name}: ${ordinal(n)} suit`,
    home: `${name} finishes`,
    end: `${name} stops`,
    quit: `${name} gives up`,
    missed: `${name} leaves the known win`,
  };
  return `${clock(ms)} ${what[kind] ?? name}`;
}

/** Return until when a game could have been won, as a review has found out. @param {GameReview} game */
export function reviewLine({ known_ms: known, to_the_end: toTheEnd, lost_ms: lost }) {
  if (toTheEnd) return 'could still have been won';
  if (known !== null) return `until ${clock(known)} a win was known`;
  return lost === null ? 'no win was found' : noneSince(lost);
}

/** Return from when on a game was lost. @param {number} ms */
const noneSince = (ms) => `no win was left after ${clock(ms)}`;

/** Return all that a review has found out about a player's game. @param {GameReview} game */
export function reviewOf(game) {
  const { name, known_ms: known, lost_ms: lost } = game;
  const later = known === null || lost === null || lost === known ? '' : `, ${noneSince(lost)}`;
  const line =
    lost !== null && lost === known ? `could be won until ${clock(lost)}` : reviewLine(game);
  return `${name}: ${line}${later}.`;
}

/** Return the name of a player's last known win. @param {GameReview} game */
export const winOption = ({ name, known_ms: known }) =>
  `${name}: the win from ${clock(known ?? 0)}`;

/** Return what is said while a review is made, and of the games that have none. @param {boolean} running @param {readonly string[]} missing */
export function reviewNote(running, missing) {
  if (running) return 'Looking for missed wins…';
  return missing.length > 0 ? `Not looked at: ${list(missing)}.` : '';
}

/** @param {string} name */
export const enlarge = (name) => `Enlarge ${name}’s board`;

/** Return the figures of a board. @param {{score: number, counts: {moves: number, suits: number, face_down: number}}} table */
export const figures = ({ score, counts: { moves, suits, face_down } }) =>
  `${count(score, 'point')} · ${count(moves, 'move')} · ${face_down} face down · ${count(suits, 'suit')}`;
