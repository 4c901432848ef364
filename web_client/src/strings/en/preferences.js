// The dialog of preferences.

import { PREFERENCES_TITLE } from './start.js';

export const PREFERENCES = {
  title: PREFERENCES_TITLE,
  done: 'Done',
  looks: 'Appearance',
  table: {
    title: 'Theme',
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
  backs: { title: 'Backs of the cards', names: { blue: 'Blue', red: 'Red' } },
  indices: {
    title: 'Letters on the cards',
    names: { english: 'J Q K', german: 'B D K' },
  },
  light: {
    title: 'Light or dark',
    names: { auto: 'Same as my device', light: 'Light', dark: 'Dark' },
  },
  removed: 'Turn completed suits face down',
  motion: 'Reduce motion',
  sound: 'Sound',
  sounds: 'Sound effects',
  volume: 'Volume',
  haptics: 'Vibrate when something happens in the race',
  play: 'Gameplay',
  oneTap: 'One tap plays the best move',
  confirmDeal: 'Ask before dealing, and before a new game with F7',
  faceDown: 'Show the number of face-down cards',
  reasons: {
    title: 'Why a move isn’t allowed',
    names: { 'at-once': 'Tell me at once', 'on-request': 'Only when I ask' },
  },
  keyboard: 'Keyboard',
  keys: { title: 'Keys', names: { modern: 'Modern', classic: 'Classic (1987)' } },
  letterKeys: 'Use single-letter shortcuts',
  moveBox: 'Show a box for typing moves',
};
