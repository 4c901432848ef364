// The help dialog: where the game stands, and the keys.

import { homeLabel } from './board.js';

/**
 * @import {TableView} from '../../core/messages.d.ts'
 */

export const KEYS = {
  left: 'Stapel links',
  right: 'Stapel rechts',
  more: 'Eine Karte mehr',
  fewer: 'Eine Karte weniger',
  above: 'Reihe darüber: Talon, Ablage',
  below: 'Reihe darunter',
  first: 'Anfang der Reihe',
  last: 'Ende der Reihe',
  pick: 'Aufnehmen, ablegen',
  auto: 'Von selbst legen, zuerst nach Farbe',
  column: 'Von Stapel zu Stapel',
  deal: 'Austeilen',
  dealSure: 'Austeilen, bestätigt',
  remove: 'Vollständige Farbe ablegen',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  exception: 'Ausnahme ansagen',
  hint: 'Um einen Tipp bitten, wo der Raum welche gibt',
  unfold: 'Stapel auffalten',
  mark: 'Markieren, was sich bewegen lässt',
  locate: 'Karte suchen: Rang, dann Farbe',
  peek: 'Stapel vorlesen',
  standings: 'Stand ansagen',
  score: 'Punkte ansagen',
  colours: 'Farben ändern',
  type: 'Feld zum Eintippen',
  help: 'Diese Hilfe',
  why: 'Warum das nicht ging',
  level: 'Stufe ändern',
  restart: 'Neues Spiel',
  restartSure: 'Neues Spiel, bestätigt',
  quit: 'Verlassen',
  cancel: 'Loslassen',
};

export const HELP = {
  title: 'So wird gespielt',
  close: 'Schließen',
  tips: 'Tipps zu diesem Spiel',
  aids: 'Hilfen am Tisch',
  mark: 'Markieren, was sich bewegen lässt',
  box: 'Züge eintippen',
  find: 'Karte suchen',
  rank: 'Rang',
  suit: 'Farbe',
  go: 'Suchen',
  keys: 'Tasten',
  /** @type {Record<'modern' | 'classic', string>} */
  presets: { modern: 'Modern', classic: 'Klassisch (1987)' },
  letters: 'Tasten, die etwas schreiben, gelten, solange der Tisch den Fokus hat',
  pointer: [
    'Zieh eine Karte: Sie nimmt alle mit, die auf ihr liegen. Oder klick erst die Karten an und dann den Stapel, oder umgekehrt.',
    'Doppelklick, Rechtsklick oder Umschalt+Enter: Die Karten gehen dorthin, wo sie passen, zuerst nach Farbe.',
    'Langer Druck oder mittlere Maustaste: was auf einem Stapel liegt. ×5 ist eine gefaltete Folge, ein Klick faltet sie auf.',
  ],
  /** @type {Record<string, string>} */
  suits: { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' },
};

/** Return where the game stands. @param {TableView} view @param {number} deals left */
export const helpStatus = (view, deals) =>
  `Noch ${deals}-mal austeilen. ${homeLabel(view.counts.suits)}`;

/** @param {readonly string[]} signs */
export const suitsRemoved = (signs) => `Abgelegte Farben: ${signs.join(' ') || 'keine'}.`;

/** @param {string} words */
export const lastRefused = (words) => `Zuletzt abgelehnt: ${words}`;
