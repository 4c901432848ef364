// The room before the race: the invitation, the players and the form of the settings.

import { list } from './start.js';

/**
 * @import {RoomView} from '../../core/messages.d.ts'
 */

/** @param {number} n */
export const onlyWatch = (n) =>
  n === 1
    ? 'Eine Person ist nicht bereit und würde bei diesem Rennen nur zuschauen.'
    : `${n} Personen sind nicht bereit und würden bei diesem Rennen nur zuschauen.`;

/** @type {Record<string, string>} */
export const PRESETS = {
  friends: 'Rennen unter Freunden',
  classic: 'Klassisch 1989',
  arachnid: 'Arachnid',
  'dos-hard': 'DOS 1987, schwer',
  'dos-easy': 'DOS 1987, leicht',
  'serenity-1': 'In Ruhe, eine Farbe',
  'serenity-2': 'In Ruhe, zwei Farben',
  windows: 'Windows',
  spiderette: 'Spiderette',
  'little-spider': 'Little Spider',
};

/** @type {Record<string, string>} */
export const SCORES = {
  woods: 'Woods: Punkte für Aufgedecktes, in Farbe Gelegtes, Abgelegtes',
  dos: 'DOS 1987',
  cards: 'Abgelegte Karten',
  moves: 'Windows: 500 minus Züge',
};

export const BAD_SEED =
  'Ein Seed besteht aus 32 Ziffern und Buchstaben von a bis f, wie er im Ergebnis einer Runde steht.';

/** @type {Record<string, string>} */
export const LAYOUTS = {
  left4: 'Stapel 1 bis 4: sechs Karten statt fünf',
  spread: 'Stapel 1, 4, 7, 10: sechs Karten statt fünf',
};

/** @param {{connection: string}} seat */
export function seatConnection(seat) {
  return { on: 'verbunden', grace: 'Verbindung verloren', gone: 'abwesend' }[seat.connection] ?? '';
}

/** @param {RoomView} room */
export function waitingFor(room) {
  const players = room.seats.filter((seat) => seat.role === 'player');
  const unready = players.filter((seat) => seat.state !== 'READY');
  if (players.length > 1 && unready.length === 0) return 'Alle sind bereit.';
  if (players.length === 1) return 'Teile den Link, oder beginne allein, um zu üben.';
  return `Es fehlt noch: ${list(unready.map((seat) => seat.name))}. Sind alle bereit, geht es von selbst los.`;
}

export const ROOM = {
  link: 'Link zu diesem Raum',
  qr: 'QR-Code des Links',
  invite: 'Freunde einladen',
  code: 'Code des Raums',
  players: 'Mitspieler',
  settings: 'Einstellungen',
  rules: 'Die Regeln hier',
  ready: 'Ich bin bereit',
  unready: 'Doch noch nicht bereit',
  sit: 'Mitspielen',
  start: 'Jetzt beginnen',
  startAlone: 'Allein beginnen',
  leave: 'Verlassen',
  you: 'du',
  host: 'Gastgeber',
};

export const SETTINGS = {
  preset: 'Vorlage',
  own: 'Eigene',
  game: 'Spiel',
  deal: 'Blatt',
  deals: { secret: 'Neu, geheim', numbered: 'Nach Nummer', seed: 'Aus einem Seed' },
  number: 'Nummer des Blatts',
  seed: 'Seed',
  layout: 'Längere Stapel',
  exceptions: 'Ausnahmen',
  exceptionLevels: { off: 'Keine', easy: 'Leicht: frei', hard: 'Schwer: Taste X' },
  undo: 'Rückgängig',
  undos: {
    no_reveal: 'Ohne Aufdecken',
    any: 'Alles, gezählt',
    free: 'Alles',
    off: 'Aus',
  },
  score: 'Wertung',
  ranking: 'Wer gewinnt',
  rankings: { first_home: 'Zuerst im Ziel', best_score: 'Meiste Punkte' },
  limit: 'Zeitlimit',
  noLimit: 'Ohne Limit',
  rounds: 'Runden',
  match: 'Im Match zählen',
  matches: { wins: 'Gewonnene Runden', score: 'Alle Punkte' },
  spectate: 'Zuschauer sehen',
  spectacles: { standings: 'Den Stand', boards: 'Die Tische' },
  delay: 'Tische verzögert um (Sekunden)',
  auto: 'Vollständige Farben werden von selbst abgelegt',
  relaxed: 'Austeilen geht auch auf leere Stapel',
  hints: 'Tipps sind erlaubt und werden gezählt',
  chasers:
    'Wer zu spät kommt, darf dasselbe Blatt spielen (ohne Wertung) und sieht Karten, die andere noch nicht aufgedeckt haben',
  public: 'Diesen Raum auf der Startseite zeigen',
};

/** The setting about undone moves that had revealed cards. */
export const CHEATS = {
  title: 'Mogeln',
  levels: { shown: 'Nur anzeigen', tie: 'Bei Gleichstand', out: 'Saubere Spiele zuerst' },
};
