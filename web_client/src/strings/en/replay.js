// The chart and the replay of a finished round.

import { clock, count, ordinal } from './start.js';

export const CHART = {
  title: 'Score over time',
  moment: 'Moment of the race',
  table: 'The scores as a table',
  player: 'Player',
  end: 'End',
};

/** Return the scores at a time in a sentence. @param {number} ms @param {readonly {name: string, score: number}[]} scores */
export const chartAt = (ms, scores) =>
  `${clock(ms)}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`;

/**
 * Return the text alternative of the chart.
 *
 * @param {number} ms how long the race was
 * @param {number} changes of lead
 * @param {string} last who led at the end
 * @param {number} lines how many are drawn of `players`
 * @param {number} players
 */
export function chartSummary(ms, changes, last, lines, players) {
  const lead =
    players < 2 || !last
      ? ''
      : changes === 0
        ? ` ${last} led all the way.`
        : ` The lead changed ${changes === 1 ? 'once' : `${changes} times`}; ${last} had it at the end.`;
  const few = lines < players ? ` The chart shows ${lines} of ${players} players.` : '';
  return `The race took ${clock(ms)}.${lead}${few}`;
}

export const REPLAY = {
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
  };
  return `${clock(ms)} ${what[kind] ?? name}`;
}

/** @param {string} name */
export const enlarge = (name) => `Enlarge ${name}’s board`;

/** Return the figures of a board. @param {{score: number, counts: {moves: number, suits: number, face_down: number}}} table */
export const figures = ({ score, counts: { moves, suits, face_down } }) =>
  `${count(score, 'point')} · ${count(moves, 'move')} · ${face_down} face down · ${count(suits, 'suit')}`;
