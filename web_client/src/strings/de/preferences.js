// The dialog of preferences.

import { PREFERENCES_TITLE } from './start.js';

export const PREFERENCES = {
  title: PREFERENCES_TITLE,
  done: 'Fertig',
  looks: 'Aussehen',
  table: {
    title: 'Hintergrund',
    names: {
      baize: 'Filz',
      lagoon: 'Lagune',
      midnight: 'Nacht',
      plum: 'Pflaume',
      claret: 'Bordeaux',
      walnut: 'Nussbaum',
      slate: 'Schiefer',
      coal: 'Kohle',
      fern: 'Farn',
      olive: 'Olive',
      copper: 'Kupfer',
      ruby: 'Rubin',
      rose: 'Rose',
      violet: 'Violett',
      cobalt: 'Kobalt',
      emerald: 'Smaragd',
    },
  },
  cards: {
    title: 'Karten',
    names: { two: 'Zweifarbig', four: 'Vierfarbig', strong: 'Großdruck' },
  },
  backs: { title: 'Rückseite der Karten', names: { blue: 'Blau', red: 'Rot' } },
  indices: {
    title: 'Buchstaben der Karten',
    names: { english: 'J Q K', german: 'B D K' },
  },
  light: {
    title: 'Hell oder dunkel',
    names: { auto: 'Wie mein Gerät', light: 'Hell', dark: 'Dunkel' },
  },
  removed: 'Fertige Farben verdeckt ablegen',
  motion: 'Weniger Bewegung',
  sound: 'Ton',
  sounds: 'Töne abspielen',
  volume: 'Lautstärke',
  haptics: 'Vibrieren, wenn im Rennen etwas passiert',
  play: 'Spielen',
  oneTap: 'Einmal antippen spielt den besten Zug',
  confirmDeal: 'Vor dem Austeilen fragen, und vor einem neuen Spiel mit F7',
  faceDown: 'Anzahl der verdeckten Karten anzeigen',
  reasons: {
    title: 'Warum ein Zug nicht geht',
    names: { 'at-once': 'Sofort anzeigen', 'on-request': 'Nur auf Nachfrage' },
  },
  keyboard: 'Tastatur',
  keys: { title: 'Tasten', names: { modern: 'Modern', classic: 'Klassisch (1987)' } },
  letterKeys: 'Tastenkürzel mit einzelnen Buchstaben',
  moveBox: 'Feld zum Eintippen von Zügen anzeigen',
};
