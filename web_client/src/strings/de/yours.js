// The sentences of the page of the own races in German, loaded when it is opened.

import basics from './start.js';

/** @import {Wide} from '../language.js' */

const { count, list } = basics;

/** @type {Wide<typeof import('../en/yours.js').default>} */
export default {
  lead: 'Sie bleiben in diesem Browser und werden nirgendwohin gesendet.',
  unstorable:
    'Der Speicher dieses Browsers ist ausgeschaltet oder voll: Neue Rennen sind vergessen, sobald du diese Seite schließt.',
  empty: 'Noch keine Rennen. Was du ab jetzt zu Ende spielst, steht hier, auch Übungen.',
  none: 'Noch keine Rennen',
  menu: 'Speichern, einlesen oder löschen',
  games: 'Nach Spiel',
  FACTS: ['gewonnen', 'Bestzeit', 'im Schnitt'],
  races: (n, wins) => `${n} Rennen · ${wins} im Ziel`,
  FORM: {
    title: (game) =>
      `Letzte Plätze: ${game.replace(/^.(?=\S+ Farben?$)/, (first) => first.toLowerCase())}`,
    won: (n, of) => `von den letzten ${of}: ${n} gewonnen`,
    spoken: 'Die ältesten zuerst:',
  },
  RIVALS: { title: 'Gegner', about: 'Du vorn : hinten' },
  list: 'Alle Rennen',
  more: (n) => `Alle ${n} anzeigen`,
  open: 'Rennen noch offen',
  KINDS: { practice: 'Übung', day: 'Rennen des Tages', ghost: 'gegen einen Geist' },
  csv: 'Als CSV speichern',
  json: 'Als JSON speichern',
  read: 'Datei einlesen…',
  noFile: 'Das ist keine Datei mit gespeicherten Rennen.',
  added: (n) =>
    n > 0 ? `${n} Rennen hinzugefügt.` : 'Alle Rennen aus dieser Datei sind schon da.',
  delete: 'Alle löschen…',
  DELETE: {
    title: 'Alle deine Rennen löschen?',
    text: 'Sie werden aus diesem Browser gelöscht und lassen sich nicht zurückholen.',
    yes: 'Löschen',
    no: 'Abbrechen',
  },
  deleted: 'Deine Rennen sind gelöscht.',
  locale: 'de',
  placeOf: (place, of) => `${place}. von ${of}`,
  moves: (n) => count(n, 'Zug', 'Züge'),
  met: (names) => `mit ${list(names)}`,
};
