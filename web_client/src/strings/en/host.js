// The controls of the host over players and a running race.

import { ROUND_WON } from './refusals.js';
import { count } from './start.js';

/**
 * @import {SeatView} from '../../contract/messages.d.ts'
 */

/** Return the question before a player is removed. @param {string} name @param {boolean} racing */
export const kickText = (name, racing) =>
  racing
    ? `${name} loses the seat and gives up the race.`
    : `${name} loses the seat, but can come back with the link.`;

/** Return the state of a player. @param {SeatView} seat */
export function seatState(seat) {
  switch (seat.state) {
    case 'READY':
      return 'Ready';
    case 'SEATED':
      return 'Not ready';
    case 'RACING':
      return 'Racing';
    case 'CHASING':
      return 'Playing (unranked)';
    case 'FINISHED':
      return 'Finished';
    case 'FORFEIT':
      return 'Gave up';
    case 'TIMED_OUT':
      return 'Still playing';
    default:
      return 'Watching';
  }
}

/** @param {string} name */
export const kickLabel = (name) => `Remove ${name}`;

/** @param {string} name */
export const standInLabel = (name) => `Let a computer player finish for ${name}`;

/** The controls of the host in a race. */
export const HOST = {
  kick: 'Remove',
  standIn: 'Let a computer finish',
  gone: 'away',
  title: 'You’re the host',
  end: 'End the race in:',
  abort: 'Stop the race',
  abortAbout: 'Or end it without a result:',
  won: ROUND_WON,
  close: 'Close',
};

/** Return the time that the host leaves to the players who still race. @param {number} seconds */
export const graceOf = (seconds) =>
  seconds < 60 ? count(seconds, 'second') : hoursOrMinutes(seconds);

/** Return a duration in hours if they are whole, or else in minutes. @param {number} seconds */
export function hoursOrMinutes(seconds) {
  const [minutes, hours] = [seconds / 60, seconds / 3_600];
  return hours >= 1 && hours % 1 === 0
    ? count(hours, 'hour')
    : count(Math.round(minutes * 10) / 10, 'minute');
}
