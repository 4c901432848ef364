// The board: piles, cards in hand, what acts have done, hints, typed moves and exceptions.

import { areOfCompleted, effectOf } from '../../game/act-effect.js';
import { runs, shortRank, suit } from '../../game/cards.js';
import { capital, pileName, rankName, SUIT_NAMES, short, spoken } from './cards.js';
import { count, list } from './start.js';

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
  // Only the top of a stack is visible, unless it is one run.
  const stacked = pile.fan === 'none' && found.length > 1 && top;
  const parts = found.map(({ start, length }) => {
    const first = pile.up[start] ?? '';
    const last = pile.up[start + length - 1] ?? '';
    return length > 1 ? `run ${rankName(first)} to ${spoken(last)}` : spoken(first);
  });
  const down = pile.down > 0 ? `${pile.down} face down` : '';
  const builds = { up: 'builds up from the ace', down: 'builds down from the king' };
  const way = pile.direction ? builds[pile.direction] : '';
  const cards = stacked
    ? `${spoken(top)} on top of ${count(pile.up.length - 1, 'card')}`
    : parts.join(', ');
  return [down, cards || (down ? '' : 'empty'), way].filter(Boolean).join('; ');
}

/** Return cards that move together: a few, or the first and the last of many. @param {readonly string[]} cards */
const several = (cards) =>
  cards.length > 3
    ? `${short(cards[0] ?? '')} to ${short(cards.at(-1) ?? '')}`
    : cards.map(short).join(' ');

export const EXCEPTION_ASKED = 'Exception: your next move can take a run of mixed suits.';

export const EXCEPTION_DROPPED = 'Exception cancelled.';

export const EXCEPTION_FREE = 'You don’t have to ask for exceptions here: just move a mixed run.';

/** @param {string} id */
export const pileTitle = (id) => capital(pileName(id));

/** Return a pile and its contents; for a column also the length of its last run. @param {TablePile} pile */
export function pileLabel(pile) {
  const all = pile.down + pile.up.length;
  const last = pile.fan === 'down' && all > 1 ? runs(pile.up).at(-1)?.length : 0;
  const part = last ? `, ${last} of ${all}` : '';
  return `${pileTitle(pile.id)}: ${describe(pile)}${part}`;
}

/** @param {number} n */
export const faceDown = (n) => `${n} face down`;

/** Return the contents of Spider's foundations. @param {number} suits */
export const homeLabel = (suits) =>
  suits > 0 ? `${count(suits, 'suit')} removed.` : 'No suits removed yet.';

/** Return the cards that the cursor surrounds. @param {readonly string[]} cards @param {string} pile */
export const holding = (cards, pile) =>
  `${count(cards.length, 'card')} from ${pileName(pile)}: ${several(cards)}.`;

/** Return the cards in hand. @param {readonly string[]} cards @param {string} pile */
export const taken = (cards, pile) =>
  cards.length > 0 ? `${several(cards)} selected.` : `Move which cards to ${pileName(pile)}?`;

/** Return what was marked, or that the marks are removed. @param {boolean} on @param {number} columns */
export const marked = (on, columns) =>
  on ? `${count(columns, 'column')} can move.` : 'Marks are off.';

/** Return where a card was found. @param {string} card @param {readonly {pile: string, above: number, home: boolean}[]} places */
export function located(card, places) {
  if (places.length === 0) return `${short(card)} isn’t face up.`;
  const where = places.map(({ pile, above, home }) => {
    if (home) return 'on a foundation';
    return `${pileName(pile)}${above > 0 ? ` under ${count(above, 'card')}` : ' at its end'}`;
  });
  return `${short(card)}: ${list(where)}.`;
}

export const PLAY = {
  noSuit: 'No column ends in a complete suit.',
  noPlace: 'These cards don’t fit anywhere.',
  onlySpace: 'These cards only fit on an empty column.',
  dealAgain: 'Deal a row? Deal again to confirm, Escape to cancel.',
  notDone: 'Cancelled.',
  whichRank: 'Find a card. Which rank: A, 2 to 9, 0 for a 10, J, Q or K?',
  whichSuit: 'Which suit: S, H, D or C?',
  nothingRefused: 'No move was refused.',
  suitsHome: 'Suits removed',
  none: 'None yet',
  box: 'Type a move',
  boxHow: '3 5 · 3x2 5 · d deals · u undoes · r 3 removes',
  boxGo: 'Go',
};

export const EXCEPTION_ABOUT =
  'An exception moves a run of mixed suits as if it were one suit. Each one is counted, and everyone sees the count.';

/** @type {Record<Settings['exceptions'], string>} */
export const LEVELS = {
  off: 'Exceptions are off in this room.',
  easy: 'Level 1, easy: exceptions at any time.',
  hard: 'Level 2, hard: press X before an exception.',
};

export const UNFOLDED = {
  unfolded: 'Unfolded.',
  folded: 'Folded.',
  short: 'Nothing is folded here.',
};

export const TYPED = {
  /** @param {string} text */
  column: (text) => `There’s no column ${text}.`,
  /** @param {string} text */
  words: (text) => `“${text}” is not a move. Type 3 5, 3x2 5, d, u or r 3.`,
};

/** Return suits by their names. @param {readonly string[]} suits */
const suitNames = (suits) => list(suits.map((each) => SUIT_NAMES[each] ?? each));

/** Return which suits an act has completed, and how many now are, or ''. @param {Effect} effect */
const completedSuits = ({ completed, complete, of }) =>
  completed.length > 0 ? `${suitNames(completed)} complete, ${complete} of ${of}` : '';

/** Return the same after a colon. @param {Effect} effect */
const completing = (effect) => (effect.completed.length > 0 ? `: ${completedSuits(effect)}` : '');

/** Return where cards were moved, and what they completed. @param {Effect} effect @param {string} to @param {string} turning */
function moved(effect, to, turning) {
  const { cards, completed, removed } = effect;
  if (removed.length === 0) {
    const also = completed.length > 0 ? ` ${capital(completedSuits(effect))}.` : '';
    return `${several(cards)} moved to ${pileName(to)}${turning}.${also}`;
  }
  const [first = '', last = ''] = [cards[0], cards.at(-1)];
  const ranks = cards.length > 1 && areOfCompleted(effect);
  const what = ranks ? `${shortRank(first)}–${shortRank(last)}` : several(cards);
  return `${what} to ${pileName(to)}${completing(effect)}${turning}.`;
}

/** Return the cards of a deal within its sentence: only screen readers need them. @param {Effect} effect */
const dealt = ({ cards }) => (cards.length > 0 ? ` ${cards.map(short).join(' ')}` : '');

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
  const turning = turned.length > 0 ? `; turned ${list(turned.map(short))}` : '';
  switch (action.type) {
    case 'move':
      return moved(effect, action.to, turning);
    case 'deal':
      return `Dealt${dealt(effect)}${completing(effect)}${turning}.`;
    case 'remove':
      return `Complete suit removed: ${suitNames(removed)}, ${home} of ${of}${turning}.`;
    case 'undo':
      return 'Undone.';
    case 'redo':
      return `Redone${completing(effect)}.`;
    default:
      return 'Your game is finished.';
  }
}

/** @param {number} n */
export const hintLate = (n) => `Hint ${n} was for your board before the last move.`;

/** Return the longest run that the moved cards are part of on their new pile. @param {HintedMove} move @param {readonly string[]} cards */
function joined({ to }, cards) {
  const all = [...to.up, ...cards];
  const { start = 0 } = runs(all).at(-1) ?? {};
  const [first = '', last = ''] = [all[start], all.at(-1)];
  return `${shortRank(first)}–${shortRank(last)} in ${SUIT_NAMES[suit(last)]}`;
}

/**
 * The reasons of hints that their actions do not show by themselves.
 * @typedef {{from: TablePile, to: TablePile}} HintedMove
 * @type {Record<string, (move: HintedMove, cards: readonly string[]) => string>}
 */
const REASONS = {
  completes_suit: (_, [card = '']) => `Completes ${SUIT_NAMES[suit(card)]}.`,
  turns_card: () => 'Turns a card.',
  empties_column: ({ from }) => `Empties ${pileName(from.id)}.`,
  joins_suit: (move, cards) => `Joins ${joined(move, cards)}.`,
  frees_card: ({ from }, cards) => `Frees ${short(from.up.at(-cards.length - 1) ?? '')}.`,
  fills_column: ({ to }) => `Fills ${pileName(to.id)}.`,
  uncovers_next: () => 'Gets closer to the next cards that go home.',
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
      return `Hint ${hints}: move ${several(cards)} from ${pileName(action.from)} to ${pileName(action.to)}.${why}`;
    }
    case 'deal':
      return `Hint ${hints}: deal.${reason === 'deals' ? ' No better move known.' : ''}`;
    case 'remove':
      return `Hint ${hints}: remove the complete suit from ${pileName(action.from)}.`;
    default:
      return `Hint ${hints}: finish, you’ve won.`;
  }
}

/** @param {number} n */
export const exceptionMade = (n) => `That was exception ${n}.`;

/** @param {number} n */
export const cheatMade = (n) => `That counts as cheat ${n}.`;
