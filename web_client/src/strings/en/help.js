// The help dialog: where the game stands, and the keys.

import { homeLabel } from './board.js';
import { count } from './start.js';

/**
 * @import {TableView} from '../../contract/notation.js'
 */

/** The descriptions of the keys. */
export const KEYS = {
  left: 'Column to the left',
  right: 'Column to the right',
  more: 'One card more',
  fewer: 'One card fewer',
  above: 'Row above: stock, foundations',
  below: 'Row below',
  first: 'First of the row',
  last: 'Last of the row',
  pick: 'Pick up, put down',
  auto: 'Move where it fits, same suit first',
  column: 'From column to column',
  deal: 'Deal',
  dealSure: 'Confirm the deal',
  remove: 'Remove a complete suit',
  undo: 'Undo',
  redo: 'Redo',
  exception: 'Ask for an exception',
  hint: 'Get a hint, if the room allows them',
  unfold: 'Unfold a column',
  mark: 'Show what can move',
  locate: 'Find a card: rank, then suit',
  peek: 'Show what’s in a column',
  standings: 'Show the standings',
  score: 'Show the score',
  colours: 'Change theme',
  type: 'Type moves',
  help: 'This help',
  why: 'Why a move was refused',
  level: 'Change level',
  restart: 'New game',
  restartSure: 'Confirm the new game',
  quit: 'Leave',
  cancel: 'Cancel',
};

export const HELP = {
  title: 'How to play',
  close: 'Close',
  tips: 'Tips for this game',
  aids: 'Tools',
  mark: 'Show what can move',
  box: 'Type moves',
  find: 'Find a card',
  rank: 'Rank',
  suit: 'Suit',
  go: 'Find',
  keys: 'Keys',
  /** @type {Record<'modern' | 'classic', string>} */
  presets: { modern: 'Modern', classic: 'Classic (1987)' },
  letters: 'Use single-letter shortcuts',
  trial: 'Try the keys here: press one.',
  touch: 'Touch',
  oneTap: [
    'Tap a card to play its best move: same suit first, never into an empty column. If it has none, you hold it: tap a column to put it there, or tap it again to let go.',
    'A complete suit glows: tap it to remove it. Tap the stock to deal.',
  ],
  twoTaps: [
    'Tap a card and then a column, in either order. Tap twice to play the best move.',
    'A complete suit glows: tap it twice to remove it. Tap the stock to deal.',
  ],
  touching: [
    'Drag a card, and all cards on it come along.',
    'Touch and hold a column to see what’s in it. ×5 is a folded run: tap it to unfold it.',
  ],
  littleTap:
    'Tap a card to play it where it fits. If it fits nowhere, you hold it: tap it again to let go. Or drag it. Tap the stock to deal.',
  littleHands:
    'Drag a card, or choose it and then a pile, in either order. A double-click or double tap plays it. Press the stock to deal.',
  pointer: [
    'Drag a card, and all cards on it come along. Or click a card and then a column, in either order.',
    'Double-click, right-click or press Shift+Enter to move cards where they fit, same suit first.',
    'The middle button, in Arachnid the right one too, takes only the part of a run from the clicked card on; then click a column.',
    'Press and hold to see what’s in a column. ×5 is a folded run: click to unfold it.',
  ],
  /** @type {Record<string, string>} */
  suits: { S: 'Spades', H: 'Hearts', D: 'Diamonds', C: 'Clubs' },
};

/** Return where the game stands. @param {TableView} view @param {number} deals left */
export const helpStatus = (view, deals) =>
  `${count(deals, 'deal')} left. ${homeLabel(view.counts.suits)}`;

/** Return where a game without columns stands. @param {TableView} view @param {number} deals left */
export const littleStatus = (view, deals) =>
  `${count(deals, 'deal')} left. ${count(view.counts.home, 'card')} played.`;

/** @param {readonly string[]} signs */
export const suitsRemoved = (signs) => `Suits removed: ${signs.join(' ') || 'none'}.`;

/** @param {string} words */
export const lastRefused = (words) => `Last refused: ${words}`;
