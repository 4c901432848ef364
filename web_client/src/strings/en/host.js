// The controls of the host over players and a running race.

import { count, ROUND_WON } from './start.js';

/**
 * @import {SeatView} from '../../core/messages.d.ts'
 */

/** @param {string} name @param {boolean} racing */
export const kickText = (name, racing) =>
  racing
    ? `${name} loses the seat, and the race counts as given up.`
    : `${name} loses the seat, and may come back by the link.`;

/** @param {SeatView} seat */
export function seatState(seat) {
  switch (seat.state) {
    case 'READY':
      return 'Ready';
    case 'SEATED':
      return 'Not ready';
    case 'RACING':
      return 'Racing';
    case 'CHASING':
      return 'Chasing';
    case 'FINISHED':
      return 'Finished';
    case 'FORFEIT':
      return 'Gave up';
    case 'TIMED_OUT':
      return 'Out of time';
    default:
      return 'Watching';
  }
}

/** @param {string} name */
export const kickLabel = (name) => `Show ${name} out`;

/** The controls of the host in a race. */
export const HOST = {
  kick: 'Show out',
  title: 'You are the host',
  end: 'Give those who still play no more than:',
  abort: 'Stop the race',
  abortAbout: 'Or end it without a result:',
  won: ROUND_WON,
  close: 'Close',
};

/** @param {number} seconds */
export const graceOf = (seconds) => (seconds < 60 ? count(seconds, 'second') : limit(seconds));

/** @param {number} seconds */
export function limit(seconds) {
  const [minutes, hours] = [seconds / 60, seconds / 3_600];
  return hours >= 1 && hours % 1 === 0
    ? count(hours, 'hour')
    : count(Math.round(minutes * 10) / 10, 'minute');
}
