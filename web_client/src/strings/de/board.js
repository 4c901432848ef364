// The board: piles, cards in hand, typed moves and exceptions.

import { runs } from '../../core/cards.js';
import { count, describe, list, pileName, several, spoken } from './start.js';

/**
 * @import {Settings} from '../../core/messages.d.ts'
 * @import {TablePile} from '../../core/notation.js'
 */

export const EXCEPTION_ASKED =
  'Ausnahme: Dein nächster Zug darf eine Folge aus gemischten Farben bewegen.';

export const EXCEPTION_DROPPED = 'Doch keine Ausnahme.';

export const EXCEPTION_FREE =
  'Ausnahmen musst du hier nicht ansagen: Beweg einfach eine gemischte Folge.';

/** @param {string} id */
export const pileTitle = (id) => pileName(id);

/**
 * Return a pile and its contents; for a column also the length of its last run.
 *
 * @param {TablePile} pile
 */
export function pileLabel(pile) {
  const all = pile.down + pile.up.length;
  const last = pile.fan === 'down' && all > 1 ? runs(pile.up).at(-1)?.length : 0;
  const part = last ? `, ${last} von ${all}` : '';
  return `${pileTitle(pile.id)}: ${describe(pile)}${part}`;
}

/** @param {number} n */
export const faceDown = (n) => `${n} verdeckt`;

/** Return the contents of Spider's foundations. @param {number} suits */
export const homeLabel = (suits) =>
  suits > 0 ? `${count(suits, 'Farbe', 'Farben')} abgelegt.` : 'Noch keine Farbe abgelegt.';

/** Return the cards that the cursor surrounds. @param {readonly string[]} cards @param {string} pile */
export const holding = (cards, pile) =>
  `${count(cards.length, 'Karte', 'Karten')} von ${pileName(pile)}: ${several(cards)}.`;

/** Return the cards in hand. @param {readonly string[]} cards @param {string} pile */
export const taken = (cards, pile) =>
  cards.length > 0 ? `${several(cards)} ausgewählt.` : `Welche Karten auf ${pileName(pile)}?`;

/** Return what was marked, or that the marks are removed. @param {boolean} on @param {number} columns */
export const marked = (on, columns) =>
  on ? `Auf ${columns} Stapeln lässt sich etwas bewegen.` : 'Die Markierung ist aus.';

/** Return where a card was found. @param {string} card @param {readonly {pile: string, above: number, home: boolean}[]} places */
export function located(card, places) {
  if (places.length === 0) return `${spoken(card)} liegt nicht offen.`;
  const where = places.map(({ pile, above, home }) => {
    if (home) return 'abgelegt';
    return `${pileName(pile)}${above > 0 ? ` unter ${count(above, 'Karte', 'Karten')}` : ' am Ende'}`;
  });
  return `${spoken(card)}: ${list(where)}.`;
}

export const PLAY = {
  noSuit: 'Kein Stapel endet mit einer vollständigen Farbe.',
  noPlace: 'Diese Karten passen nirgends.',
  onlySpace: 'Diese Karten passen nur auf einen leeren Stapel.',
  dealAgain: 'Eine Reihe austeilen? „Austeilen“ bestätigt, Escape bricht ab.',
  notDone: 'Abgebrochen.',
  whichRank: 'Karte suchen. Welcher Rang: A, 2 bis 9, 0 für die 10, J, Q oder K?',
  whichSuit: 'Welche Farbe: S für Pik, H für Herz, D für Karo oder C für Kreuz?',
  nothingRefused: 'Es wurde kein Zug abgelehnt.',
  suitsHome: 'Abgelegte Farben',
  none: 'Noch keine',
  box: 'Zug eintippen',
  boxHow: '3 5 · 3x2 5 · d teilt aus · u nimmt zurück · r 3 legt ab',
  boxGo: 'Los',
};

/** @type {Record<Settings['exceptions'], string>} */
export const LEVELS = {
  off: 'In diesem Raum gibt es keine Ausnahmen.',
  easy: 'Stufe 1, leicht: Ausnahmen jederzeit.',
  hard: 'Stufe 2, schwer: vor einer Ausnahme X drücken.',
};

export const UNFOLDED = {
  unfolded: 'Aufgefaltet.',
  folded: 'Gefaltet.',
  short: 'Hier ist nichts gefaltet.',
};

export const TYPED = {
  /** @param {string} text */
  column: (text) => `Es gibt keinen Stapel ${text}.`,
  /** @param {string} text */
  words: (text) => `„${text}“ ist kein Zug. Möglich sind 3 5, 3x2 5, d, u oder r 3.`,
};
