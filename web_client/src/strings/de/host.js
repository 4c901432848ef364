// The controls of the host over players and a running race.

import { ROUND_WON } from './refusals.js';
import { count } from './start.js';

/**
 * @import {SeatView} from '../../contract/messages.d.ts'
 */

/** Return the question before a player is removed. @param {string} name @param {boolean} racing */
export const kickText = (name, racing) =>
  racing
    ? `${name} verliert den Platz und gibt das Rennen damit auf.`
    : `${name} verliert den Platz, kann aber mit dem Link wiederkommen.`;

/** Return the state of a player. @param {SeatView} seat */
export function seatState(seat) {
  switch (seat.state) {
    case 'READY':
      return 'Bereit';
    case 'SEATED':
      return 'Nicht bereit';
    case 'RACING':
      return 'Spielt';
    case 'CHASING':
      return 'Spielt ohne Wertung';
    case 'FINISHED':
      return 'Fertig';
    case 'FORFEIT':
      return 'Aufgegeben';
    case 'TIMED_OUT':
      return 'Spielte noch';
    default:
      return 'Schaut zu';
  }
}

/** @param {string} name */
export const kickLabel = (name) => `${name} aus dem Raum entfernen`;

/** @param {string} name */
export const standInLabel = (name) => `Einen Computerspieler für ${name} zu Ende spielen lassen`;

export const HOST = {
  kick: 'Entfernen',
  standIn: 'Computer spielt zu Ende',
  gone: 'abwesend',
  title: 'Du bist Gastgeber',
  end: 'Das Rennen beenden in:',
  abort: 'Rennen abbrechen',
  abortAbout: 'Oder ohne Ergebnis beenden:',
  won: ROUND_WON,
  close: 'Schließen',
};

/** Return the time that the host leaves to the players who still race. @param {number} seconds */
export const graceOf = (seconds) =>
  seconds < 60 ? count(seconds, 'Sekunde', 'Sekunden') : hoursOrMinutes(seconds);

/** Return a duration in hours if they are whole, or else in minutes. @param {number} seconds */
export function hoursOrMinutes(seconds) {
  const [minutes, hours] = [seconds / 60, seconds / 3_600];
  return hours >= 1 && hours % 1 === 0
    ? count(hours, 'Stunde', 'Stunden')
    : count(Math.round(minutes * 10) / 10, 'Minute', 'Minuten');
}
