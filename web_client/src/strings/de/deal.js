// The deal: its name, its hash, and the result of its check.

import { gameName } from './start.js';

export const PROOF = {
  good: 'Blatt geprüft',
  bad: 'Blatt nicht bestätigt',
  open: 'Offenes Blatt',
  sealed:
    'Seed und Salt passen zum Hash, der vor dem Rennen angezeigt wurde, und dein Browser hat aus dem Seed dieselben Karten ausgeteilt.',
  otherSeal: 'Seed und Salt passen nicht zum Hash, der vor dem Rennen angezeigt wurde.',
  otherDeck: 'Das sind nicht die Karten, die der Seed ergibt.',
  seeded:
    'Dieses Blatt war schon vor dem Rennen bekannt, also gibt es nichts zu prüfen. Dein Browser hat aus dem Seed dieselben Karten ausgeteilt.',
  numbered:
    'Dieses Blatt war schon vor dem Rennen bekannt, also gibt es nichts zu prüfen. Alle können es nachschlagen und noch einmal spielen.',
};

/** @param {string} game @param {number | null | undefined} number */
export const gameAndDeal = (game, number) =>
  `${gameName(game)}${number ? `, Blatt ${number}` : ''}`;

export const FAIR_DEAL = 'Faires Blatt · festgelegt';

/** Return the hash of a deal in a sentence. @param {string} start of the hash */
export const dealHash = (start) =>
  `Der Hash dieses Blatts ist ${start}… Nach dem Rennen können alle prüfen, dass es dasselbe ist.`;

export const STOP = 'Abbrechen';

/** What a locked deal proves, and what it does not. */
export const PROVES = [
  'Der Hash, der vor dem Rennen angezeigt wird, legt das Blatt fest: Danach kann es niemand mehr ändern, auch nicht der Betreiber des Servers.',
  'Er beweist nicht, dass niemand das Blatt vorher gesehen hat, und auch nicht, dass zwei Spieler einander nichts verraten.',
];
