// Die Seite hinter dem Link eines Raums, und die Seiten für Räume und Adressen, die es nicht gibt.

import { clock, count, gameName } from './start.js';

/**
 * @import {Invitation} from '../../contract/messages.d.ts'
 */

export const JOIN = {
  invited: 'Du bist eingeladen',
  join: 'Mitspielen',
  ask: 'Um Einlass bitten',
  locked: 'Dieser Raum ist abgeschlossen. Es kommt niemand mehr hinein.',
  crowded: 'Dieser Raum ist voll.',
  full: 'Alle Plätze sind besetzt. Du kannst zuschauen.',
  late: 'Dieses Rennen läuft schon.',
  chase:
    'Dieses Rennen läuft schon. Bis es endet, kannst du dasselbe Blatt mit eigener Uhr spielen.',
  joinLate: 'Mitspielen (ab dem nächsten Rennen)',
  chaseNow: 'Mitspielen ohne Wertung',
  noPrograms: 'Programme dürfen nicht mitmachen.',
};

/** Return who invites; the name is kept apart from the text around it. @param {string} host */
export const invites = (host) => (host ? `\u2068${host}\u2069 lädt dich ein` : JOIN.invited);

/** Return that the host decides on newcomers. @param {string} host */
export const decides = (host) =>
  `${host ? `\u2068${host}\u2069` : 'Die Gastgeberin oder der Gastgeber'} entscheidet, wer mitspielt. Das kann einen Moment dauern.`;

/** @param {Invitation} room */
export const roomFacts = ({ game, players }) =>
  `${gameName(game)} · ${count(players, 'Spieler', 'Spieler')}`;

/** Return what goes on in a room. @param {Invitation} room @param {number} ms since the start of the race */
export function roomState({ state, running_ms }, ms) {
  if (running_ms !== null) return `Rennen läuft seit ${clock(ms)}`;
  const words = { LOBBY: 'Wartet auf Mitspieler', COUNTDOWN: 'Gleich geht es los' }[String(state)];
  return words ?? 'Zwischen zwei Rennen';
}

export const MISSING = {
  room: 'Dieser Raum ist geschlossen',
  roomText: 'Räume schließen einige Zeit, nachdem alle gegangen sind. Frag nach einem neuen Link.',
  page: 'Hier ist nichts',
  pageText:
    'Vielleicht stimmt die Adresse nicht ganz. Der Link zu einem Raum endet mit seinem Code.',
  front: 'Zur Startseite',
};
