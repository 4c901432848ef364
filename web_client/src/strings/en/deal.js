// The deal: its name, its hash, and the result of its check.

import { gameName } from './start.js';

export const PROOF = {
  good: 'Deal verified',
  bad: 'Deal not verified',
  open: 'Open deal',
  sealed:
    'Seed and salt match the seal that was shown before the race, and this browser has dealt the same cards from the seed.',
  otherSeal: 'Seed and salt do not match the seal that was shown before the race.',
  otherDeck: 'The cards are not those that the seed deals.',
  seeded:
    'It was open before the race, so there is nothing to check. This browser has dealt the same cards from its seed.',
  numbered:
    'It was open before the race, so there is nothing to check. Anyone can look it up and play it again.',
};

export const GO = 'Go!';

/** @param {string} game @param {number | null | undefined} number */
export const gameAndDeal = (game, number) => `${gameName(game)}${number ? `, deal ${number}` : ''}`;

/** @param {string} start of the hash */
export const sealedDeal = (start) =>
  `The deal is sealed as ${start}…: after the race anyone can check that nobody changed it.`;

export const STOP = 'Stop';

/** What a locked deal proves, and what it does not. */
export const PROVES = [
  'The hash that is shown before the race fixes the deal: after that nobody can change it, not even the owner of the server.',
  'It does not prove that nobody saw the deal before, or that two players do not share what they see.',
];
