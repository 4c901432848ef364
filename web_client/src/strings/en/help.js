// The help dialog: where the game stands, and the keys.

import { homeLabel } from './board.js';
import { count } from './start.js';

/**
 * @import {TableView} from '../../core/messages.d.ts'
 */

/** The descriptions of the keys. */
export const KEYS = {
  left: 'Column to the left',
  right: 'Column to the right',
  more: 'One card more',
  fewer: 'One card fewer',
  above: 'Row above: stock, home',
  below: 'Row below',
  first: 'First of the row',
  last: 'Last of the row',
  pick: 'Pick up, put down',
  auto: 'Move by itself, in suit first',
  column: 'From a column to a column',
  deal: 'Deal',
  dealSure: 'Deal, confirmed',
  remove: 'Remove a complete suit',
  undo: 'Undo',
  redo: 'Redo',
  exception: 'Ask for an exception',
  hint: 'Ask for a hint, where the room gives some',
  unfold: 'Unfold a column',
  mark: 'Mark what can move',
  locate: 'Find a card: rank, then suit',
  peek: 'Read a column',
  standings: 'Say the standings',
  score: 'Say the score',
  colours: 'Change colours',
  type: 'Box for typing moves',
  help: 'This help',
  why: 'Why it was refused',
  level: 'Change the level',
  restart: 'New game',
  restartSure: 'New game, confirmed',
  quit: 'Leave',
  cancel: 'Let go',
};

export const HELP = {
  title: 'How to play',
  close: 'Close',
  tips: 'Tips for this game',
  aids: 'Help on the table',
  mark: 'Mark what can move',
  box: 'Type moves',
  find: 'Find a card',
  rank: 'Rank',
  suit: 'Suit',
  go: 'Find',
  keys: 'Keys',
  /** @type {Record<'modern' | 'classic', string>} */
  presets: { modern: 'Modern', classic: 'Classic (1987)' },
  letters: 'Keys that write something act while the table has the focus',
  pointer: [
    'Drag a card: it takes all that lie on it. Or click the cards and then the column, in either order.',
    'Double click, right click or Shift+Enter: the cards go where they fit, in suit first.',
    'Long press or middle click: what a column holds. ×5 is a folded run: click it to unfold.',
  ],
  /** @type {Record<string, string>} */
  suits: { S: 'Spades', H: 'Hearts', D: 'Diamonds', C: 'Clubs' },
};

/** Return where the game stands. @param {TableView} view @param {number} deals left */
export const helpStatus = (view, deals) =>
  `${count(deals, 'deal')} left. ${homeLabel(view.counts.suits)}`;

/** @param {readonly string[]} signs */
export const suitsRemoved = (signs) => `Suits removed: ${signs.join(' ') || 'none'}.`;

/** @param {string} words */
export const lastRefused = (words) => `Refused last: ${words}`;
