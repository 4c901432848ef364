// The sentences of the page of the own races in German, loaded when it is opened.

import basics from './start.js';

/** @import {Wide} from '../language.js' */

const { count, list } = basics;

/** @type {Wide<typeof import('../en/yours.js').default>} */
export default {
  lead: 'Nur dieser Browser behält sie, nichts davon wird irgendwohin gesendet. Die Seite eines Rennens behält der Server noch einen Tag, nachdem alle gegangen sind.',
  unstorable:
    'Der Speicher dieses Browsers ist ausgeschaltet oder voll: Neue Rennen sind vergessen, sobald du diese Seite schließt.',
  empty: 'Noch keine Rennen. Was du ab jetzt zu Ende spielst, steht dann hier, auch Übungen.',
  GAMES: {
    title: 'Nach Spiel',
    races: 'Spiele',
    wins: 'Im Ziel',
    firsts: 'Rennen gewonnen',
    best: 'Beste Zeit',
    average: 'Zeit im Schnitt',
    score: 'Meiste Punkte',
  },
  FORM: {
    title: 'Letzte Plätze',
    table: 'Plätze als Tabelle',
    columns: ['Datum', 'Platz', 'Spieler'],
  },
  RIVALS: {
    title: 'Gegen wen',
    columns: ['Name', 'Rennen', 'Vorn', 'Hinten', 'Ohne Platz'],
    about: 'Wie oft du vor ihnen warst und wie oft dahinter. Gleiche Namen zählen als ein Spieler.',
  },
  list: 'Alle Rennen',
  open: 'Rennen noch offen',
  KINDS: { practice: 'Übung', day: 'Rennen des Tages', ghost: 'gegen einen Geist' },
  csv: 'Als CSV speichern',
  json: 'Als JSON speichern',
  read: 'Datei einlesen',
  noFile: 'Das ist keine Datei mit gespeicherten Rennen.',
  added: (n) =>
    n > 0 ? `${n} Rennen hinzugefügt.` : 'Alle Rennen aus dieser Datei sind schon da.',
  delete: 'Alle löschen',
  DELETE: {
    title: 'Alle deine Rennen löschen?',
    text: 'Sie werden aus diesem Browser gelöscht und lassen sich nicht zurückholen.',
    yes: 'Löschen',
    no: 'Abbrechen',
  },
  deleted: 'Deine Rennen sind gelöscht.',
  locale: 'de',
  placeOf: (place, of) => `${place}. von ${of}`,
  figures: (score, moves) => `${count(score, 'Punkt', 'Punkte')} · ${count(moves, 'Zug', 'Züge')}`,
  met: (names) => `mit ${list(names)}`,
};
