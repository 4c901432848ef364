// The dialog of preferences.

import { PREFERENCES_TITLE } from './start.js';

export const PREFERENCES = {
  title: PREFERENCES_TITLE,
  done: 'Done',
  looks: 'Looks',
  table: {
    title: 'Table',
    names: {
      baize: 'Baize',
      lagoon: 'Lagoon',
      midnight: 'Midnight',
      plum: 'Plum',
      claret: 'Claret',
      walnut: 'Walnut',
      slate: 'Slate',
      coal: 'Coal',
      fern: 'Fern',
      olive: 'Olive',
      copper: 'Copper',
      ruby: 'Ruby',
      rose: 'Rose',
      violet: 'Violet',
      cobalt: 'Cobalt',
      emerald: 'Emerald',
    },
  },
  cards: {
    title: 'Cards',
    names: { two: 'Two colours', four: 'Four colours', strong: 'Large print' },
  },
  light: {
    title: 'Light or dark',
    names: { auto: 'As my device', light: 'Light', dark: 'Dark' },
  },
  motion: 'Less motion',
  sound: 'Sound',
  sounds: 'Sounds',
  volume: 'Volume',
  play: 'Play',
  oneTap: 'One tap moves a card that has one place in its suit',
  confirmDeal: 'Ask before each deal, and before a new game with F7',
  faceDown: 'Show how many cards are face down',
  reasons: {
    title: 'Why a move is not legal',
    names: { 'at-once': 'Say it at once', 'on-request': 'Only when I ask' },
  },
  keyboard: 'Keyboard',
  keys: { title: 'Keys', names: { modern: 'Modern', classic: 'Classic (1987)' } },
  letterKeys: 'Single letters act while the table has the focus',
  moveBox: 'A box for typing moves',
};
