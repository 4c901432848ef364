// The deal: its name, its hash, and the result of its check.

import { gameName } from './start.js';

export const PROOF = {
  good: 'Deal verified',
  bad: 'Deal not verified',
  open: 'Open deal',
  sealed:
    'Seed and salt match the hash shown before the race, and your browser dealt the same cards from the seed.',
  otherSeal: 'Seed and salt don’t match the hash shown before the race.',
  otherDeck: 'These are not the cards that the seed deals.',
  seeded:
    'This deal was known before the race, so there’s nothing to check. Your browser dealt the same cards from its seed.',
  numbered:
    'This deal was known before the race, so there’s nothing to check. Anyone can look it up and play it again.',
};

/** @param {string} game @param {number | null | undefined} number */
export const gameAndDeal = (game, number) => `${gameName(game)}${number ? `, deal ${number}` : ''}`;

export const FAIR_DEAL = 'Fair deal · locked';

/** Return the hash of a deal in a sentence. @param {string} start of the hash */
export const dealHash = (start) =>
  `The hash of this deal is ${start}… After the race, anyone can check that the deal is the same.`;

export const STOP = 'Stop';

/** What a locked deal proves, and what it does not. */
export const PROVES = [
  'The hash shown before the race locks the deal: after that, nobody can change it, not even the server’s owner.',
  'It doesn’t prove that nobody saw the deal before, or that two players don’t share what they see.',
];
