// The help dialog: where the game stands, and the keys.

import { homeLabel } from './board.js';
import { count } from './start.js';

/**
 * @import {TableView} from '../../contract/notation.js'
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
  auto: 'Dorthin legen, wo es passt, gleiche Farbe zuerst',
  column: 'Von Stapel zu Stapel',
  deal: 'Austeilen',
  dealSure: 'Austeilen bestätigen',
  remove: 'Vollständige Farbe ablegen',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  exception: 'Ausnahme ansagen',
  hint: 'Tipp holen, wenn der Raum welche erlaubt',
  unfold: 'Stapel auffalten',
  mark: 'Zeigen, was sich bewegen lässt',
  locate: 'Karte suchen: Rang, dann Farbe',
  peek: 'Zeigen, was auf einem Stapel liegt',
  standings: 'Stand zeigen',
  score: 'Punkte zeigen',
  colours: 'Hintergrund wechseln',
  type: 'Züge eintippen',
  help: 'Diese Hilfe',
  why: 'Warum ein Zug nicht ging',
  level: 'Stufe ändern',
  restart: 'Neues Spiel',
  restartSure: 'Neues Spiel bestätigen',
  quit: 'Verlassen',
  cancel: 'Abbrechen',
};

export const HELP = {
  title: 'So wird gespielt',
  close: 'Schließen',
  tips: 'Tipps zu diesem Spiel',
  aids: 'Werkzeuge',
  mark: 'Zeigen, was sich bewegen lässt',
  box: 'Züge eintippen',
  find: 'Karte suchen',
  rank: 'Rang',
  suit: 'Farbe',
  go: 'Suchen',
  keys: 'Tasten',
  /** @type {Record<'modern' | 'classic', string>} */
  presets: { modern: 'Modern', classic: 'Klassisch (1987)' },
  letters: 'Tastenkürzel mit einzelnen Buchstaben',
  trial: 'Probier die Tasten hier aus: drück eine.',
  touch: 'Tippen und Ziehen',
  oneTap: [
    'Tipp eine Karte an: Sie macht den besten Zug, zuerst auf die gleiche Farbe, nie auf einen leeren Stapel. Gibt es keinen, hältst du sie: Tipp auf den Stapel, zu dem sie soll, oder noch einmal auf sie, um sie loszulassen.',
    'Eine fertige Farbe leuchtet: Tipp sie an, um sie abzulegen. Ein Tipp auf den Talon teilt aus.',
  ],
  twoTaps: [
    'Tipp erst eine Karte und dann einen Stapel an, oder umgekehrt. Zweimal tippen macht den besten Zug.',
    'Eine fertige Farbe leuchtet: Tipp sie zweimal an, um sie abzulegen. Ein Tipp auf den Talon teilt aus.',
  ],
  touching: [
    'Zieh eine Karte: Alle, die auf ihr liegen, kommen mit.',
    'Halt einen Stapel gedrückt, um zu sehen, was darin liegt. ×5 ist eine gefaltete Folge: Ein Tipp faltet sie auf.',
  ],
  littleTap:
    'Tipp eine Karte an: Sie geht dorthin, wo sie passt. Passt sie nirgends, hältst du sie: Tipp noch einmal auf sie, um sie loszulassen. Oder zieh sie. Ein Tipp auf den Talon teilt aus.',
  littleHands:
    'Zieh eine Karte, oder wähl erst sie und dann einen Stapel, auch umgekehrt. Doppelklick oder doppelter Tipp spielt sie. Ein Druck auf den Talon teilt aus.',
  pointer: [
    'Zieh eine Karte: Alle, die auf ihr liegen, kommen mit. Oder klick erst eine Karte und dann einen Stapel an, oder umgekehrt.',
    'Mit Doppelklick, Rechtsklick oder Umschalt+Enter gehen Karten dorthin, wo sie passen, gleiche Farbe zuerst.',
    'Die mittlere Maustaste, bei Arachnid auch die rechte, nimmt nur den Teil einer Folge ab der angeklickten Karte; dann klick einen Stapel an.',
    'Langes Drücken zeigt, was auf einem Stapel liegt. ×5 ist eine gefaltete Folge: Ein Klick faltet sie auf.',
  ],
  /** @type {Record<string, string>} */
  suits: { S: 'Pik', H: 'Herz', D: 'Karo', C: 'Kreuz' },
};

/** Return where the game stands. @param {TableView} view @param {number} deals left */
export const helpStatus = (view, deals) =>
  `Noch ${deals}-mal austeilen. ${homeLabel(view.counts.suits)}`;

/** Return where a game without columns stands. @param {TableView} view @param {number} deals left */
export const littleStatus = (view, deals) =>
  `Noch ${deals}-mal austeilen. ${count(view.counts.home, 'Karte', 'Karten')} abgelegt.`;

/** @param {readonly string[]} signs */
export const suitsRemoved = (signs) => `Abgelegte Farben: ${signs.join(' ') || 'keine'}.`;

/** @param {string} words */
export const lastRefused = (words) => `Zuletzt abgelehnt: ${words}`;
