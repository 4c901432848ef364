// The board: piles, cards in hand, what acts have done, hints, typed moves and exceptions.

import { areOfCompleted, effectOf } from '../../game/act-effect.js';
import { rank, runs, shortRank, suit } from '../../game/cards.js';
import { pileName, rankName, SUIT_NAMES, spoken } from './cards.js';
import { cheats, count, list } from './start.js';

/**
 * @import {Settings} from '../../contract/messages.d.ts'
 * @import {TablePile} from '../../contract/notation.js'
 * @import {Effect} from '../../game/act-effect.js'
 * @import {Attempt} from '../../game/table.js'
 */

/**
 * Return the contents of a pile in spoken words: `4 face down; run 9 to 7 of spades, 3 of hearts`.
 * @param {{down: number, up: readonly string[], fan?: 'down' | 'none', direction?: 'up' | 'down' | null}} pile
 */
export function describe(pile) {
  const found = runs(pile.up);
  const top = pile.up.at(-1);
  const stacked = pile.fan === 'none' && found.length > 1 && top;
  const parts = found.map(({ start, length }) => {
    const first = pile.up[start] ?? '';
    const last = pile.up[start + length - 1] ?? '';
    return length > 1 ? `Folge ${spoken(first)} bis ${rankName(last)}` : spoken(first);
  });
  const down = pile.down > 0 ? `${pile.down} verdeckt` : '';
  const builds = { up: 'aufwärts ab dem Ass', down: 'abwärts ab dem König' };
  const way = pile.direction ? builds[pile.direction] : '';
  const below = count(pile.up.length - 1, 'Karte', 'Karten');
  const cards = stacked ? `${spoken(top)} auf ${below}` : parts.join(', ');
  return [down, cards || (down ? '' : 'leer'), way].filter(Boolean).join('; ');
}

/** Return cards that move together: a few, or the first and the last of many. @param {readonly string[]} cards */
const several = (cards) =>
  cards.length > 3
    ? `${spoken(cards[0] ?? '')} bis ${spoken(cards.at(-1) ?? '')}`
    : cards.map(spoken).join(', ');

export const EXCEPTION_ASKED =
  'Ausnahme: Dein nächster Zug darf eine Folge aus gemischten Farben bewegen.';

export const EXCEPTION_DROPPED = 'Doch keine Ausnahme.';

export const EXCEPTION_FREE =
  'Ausnahmen musst du hier nicht ansagen: Beweg einfach eine gemischte Folge.';

/** @param {string} id */
export const pileTitle = (id) => pileName(id);

/** Return a pile and its contents; for a column also the length of its last run. @param {TablePile} pile */
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

export const EXCEPTION_ABOUT =
  'Eine Ausnahme bewegt eine Folge aus gemischten Farben, als wäre sie eine Farbe. Jede wird gezählt, und alle sehen, wie viele es sind.';

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

/** Return suits by their names. @param {readonly string[]} suits */
const suitNames = (suits) => list(suits.map((each) => SUIT_NAMES[each] ?? each));

/** Return which suits an act has completed, and how many now are, or ''. @param {Effect} effect */
const completedSuits = ({ completed, complete, of }) =>
  completed.length > 0 ? `${suitNames(completed)} fertig, ${complete} von ${of}` : '';

/** Return the same after a colon. @param {Effect} effect */
const completing = (effect) => (effect.completed.length > 0 ? `: ${completedSuits(effect)}` : '');

/** Return the rank of a card of a named suit: aces as on their faces, jacks to kings spelled out. @param {string} card */
const rankOfSuit = (card) => (rank(card) === 1 ? shortRank(card) : rankName(card));

/** Return where cards were moved, and what they completed. @param {Effect} effect @param {string} to @param {string} turning */
function moved(effect, to, turning) {
  const { cards, completed, removed } = effect;
  if (removed.length === 0) {
    const also = completed.length > 0 ? ` ${completedSuits(effect)}.` : '';
    return `${several(cards)} auf ${pileName(to)} gelegt${turning}.${also}`;
  }
  const [first = '', last = ''] = [cards[0], cards.at(-1)];
  const ranks = cards.length > 1 && areOfCompleted(effect);
  const what = ranks ? `${rankOfSuit(first)}–${rankOfSuit(last)}` : several(cards);
  return `${what} auf ${pileName(to)}${completing(effect)}${turning}.`;
}

/** Return the cards of a deal within its sentence: only screen readers need them. @param {Effect} effect */
const dealt = ({ cards }) => (cards.length > 0 ? `: ${cards.map(spoken).join(', ')}` : '');

/**
 * Return the part of the sentence of an act that only screen readers need.
 * @param {Attempt} action
 * @param {readonly TablePile[]} before
 * @param {readonly TablePile[]} after
 */
export const actAside = (action, before, after) =>
  action.type === 'deal' ? dealt(effectOf(action, before, after)) : '';

/** Return what an act has done. @param {Attempt} action @param {readonly TablePile[]} before @param {readonly TablePile[]} after */
export function actDone(action, before, after) {
  const effect = effectOf(action, before, after);
  const { turned, removed, home, of } = effect;
  const turning = turned.length > 0 ? `; ${list(turned.map(spoken))} aufgedeckt` : '';
  switch (action.type) {
    case 'move':
      return moved(effect, action.to, turning);
    case 'deal':
      return `Ausgeteilt${dealt(effect)}${completing(effect)}${turning}.`;
    case 'remove':
      return `Vollständige Farbe abgelegt: ${suitNames(removed)}, ${home} von ${of}${turning}.`;
    case 'undo':
      return 'Zurückgenommen.';
    case 'redo':
      return `Wiederholt${completing(effect)}.`;
    default:
      return 'Dein Spiel ist beendet.';
  }
}

/** @param {number} n */
export const hintLate = (n) => `Tipp ${n} galt für deinen Tisch vor dem letzten Zug.`;

/** Return the longest run that the moved cards are part of on their new pile. @param {HintedMove} move @param {readonly string[]} cards */
function joined({ to }, cards) {
  const all = [...to.up, ...cards];
  const { start = 0 } = runs(all).at(-1) ?? {};
  const [first = '', last = ''] = [all[start], all.at(-1)];
  return `${rankName(first)}–${rankName(last)} in ${SUIT_NAMES[suit(last)]}`;
}

/**
 * The reasons of hints that their actions do not show by themselves.
 * @typedef {{from: TablePile, to: TablePile}} HintedMove
 * @type {Record<string, (move: HintedMove, cards: readonly string[]) => string>}
 */
const REASONS = {
  completes_suit: (_, [card = '']) => `Damit ist ${SUIT_NAMES[suit(card)]} vollständig.`,
  turns_card: () => 'Deckt eine Karte auf.',
  empties_column: ({ from }) => `${pileName(from.id)} wird leer.`,
  joins_suit: (move, cards) => `Verbindet ${joined(move, cards)}.`,
  frees_card: ({ from }, cards) => `Macht ${spoken(from.up.at(-cards.length - 1) ?? '')} frei.`,
  fills_column: ({ to }) => `Füllt ${pileName(to.id)}.`,
  uncovers_next: () => 'Karten, die als Nächste gebraucht werden, liegen dann weniger tief.',
};

/** Return the reason of a hint for a move, or '' if a newer server has another one. @param {HintedMove} move @param {string | null} reason @param {readonly string[]} cards */
function whyMove(move, reason, cards) {
  const say = REASONS[reason ?? ''];
  return say ? ` ${say(move, cards)}` : '';
}

/**
 * Return the sentence of a hint.
 * @param {{action: Attempt, hints: number, reason?: string | null}} hint `hints` is its number
 * @param {readonly TablePile[]} piles
 */
export function hinted({ action, hints, reason = null }, piles) {
  switch (action.type) {
    case 'move': {
      const pileOf = (/** @type {string} */ id) => piles.find((pile) => pile.id === id);
      const [from, to] = [pileOf(action.from), pileOf(action.to)];
      const cards = from?.up.slice(-action.count) ?? [];
      const why = from && to ? whyMove({ from, to }, reason, cards) : '';
      return `Tipp ${hints}: ${several(cards)} von ${pileName(action.from)} auf ${pileName(action.to)} legen.${why}`;
    }
    case 'deal':
      return `Tipp ${hints}: austeilen.${reason === 'deals' ? ' Einen besseren Zug kennen wir nicht.' : ''}`;
    case 'remove':
      return `Tipp ${hints}: die vollständige Farbe von ${pileName(action.from)} ablegen.`;
    default:
      return `Tipp ${hints}: beenden, du hast gewonnen.`;
  }
}

/** @param {number} n */
export const exceptionMade = (n) => `Das war Ausnahme ${n}.`;

/** @param {number} n */
export const cheatMade = (n) => `Damit hast du ${cheats(n)}.`;
