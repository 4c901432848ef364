// The deal: its name, its hash, and the result of its check.

import { gameName } from './start.js';

export const PROOF = {
  good: 'Blatt geprüft',
  bad: 'Blatt nicht bestätigt',
  open: 'Offenes Blatt',
  sealed:
    'Seed und Salt passen zu dem Siegel, das vor dem Rennen gezeigt wurde, und dieser Browser hat aus dem Seed dieselben Karten ausgeteilt.',
  otherSeal: 'Seed und Salt passen nicht zu dem Siegel, das vor dem Rennen gezeigt wurde.',
  otherDeck: 'Das sind nicht die Karten, die der Seed ergibt.',
  seeded:
    'Es war schon vor dem Rennen offen, also gibt es nichts zu prüfen. Dieser Browser hat aus seinem Seed dieselben Karten ausgeteilt.',
  numbered:
    'Es war schon vor dem Rennen offen, also gibt es nichts zu prüfen. Alle können es nachschlagen und noch einmal spielen.',
};

export const GO = 'Los!';

/** @param {string} game @param {number | null | undefined} number */
export const gameAndDeal = (game, number) =>
  `${gameName(game)}${number ? `, Blatt ${number}` : ''}`;

/** @param {string} start of the hash */
export const sealedDeal = (start) =>
  `Das Blatt ist versiegelt als ${start}…: Nach dem Rennen kann jeder prüfen, dass es niemand verändert hat.`;

export const STOP = 'Abbrechen';

/** What a locked deal proves, and what it does not. */
export const PROVES = [
  'Der Hash, der vor dem Rennen angezeigt wird, legt das Blatt fest: Danach kann es niemand mehr ändern, auch nicht der Betreiber des Servers.',
  'Er beweist nicht, dass niemand das Blatt vorher gesehen hat, und auch nicht, dass zwei Spieler einander nichts verraten.',
];
