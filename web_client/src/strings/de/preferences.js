// The dialog of preferences.

import { PREFERENCES_TITLE } from './start.js';

export const PREFERENCES = {
  title: PREFERENCES_TITLE,
  done: 'Fertig',
  looks: 'Aussehen',
  table: {
    title: 'Tisch',
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
  light: {
    title: 'Hell oder dunkel',
    names: { auto: 'Wie mein Gerät', light: 'Hell', dark: 'Dunkel' },
  },
  motion: 'Weniger Bewegung',
  sound: 'Ton',
  sounds: 'Töne',
  volume: 'Lautstärke',
  play: 'Spielen',
  oneTap: 'Ein Tipp bewegt eine Karte, die in ihrer Farbe genau einen Platz hat',
  confirmDeal: 'Vor jedem Austeilen fragen, und vor einem neuen Spiel mit F7',
  faceDown: 'Über den Stapeln zeigen, wie viele Karten verdeckt sind',
  reasons: {
    title: 'Warum ein Zug nicht geht',
    names: { 'at-once': 'Sofort sagen', 'on-request': 'Nur auf Nachfrage' },
  },
  keyboard: 'Tastatur',
  keys: { title: 'Tasten', names: { modern: 'Modern', classic: 'Klassisch (1987)' } },
  letterKeys: 'Einzelne Buchstaben gelten, solange der Tisch den Fokus hat',
  moveBox: 'Ein Feld zum Eintippen der Züge',
};
