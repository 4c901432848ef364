// Typed moves: `3 5`, `3x2 5`, `d`, `u`, `r 3`, and the notation of a round's text file. Pure.

import { parseAction } from '../contract/notation.js';
import { RANKS, SUITS } from '../contract/protocol.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @typedef {{do: 'move', from: string, count: number, to: string, exception: boolean}} TypedMove
 *   `count` is 0 for as many as can move
 * @typedef {{do: 'remove', from: string | null}} TypedRemoval
 * @typedef {{do: 'locate', card: string}} TypedCard
 * @typedef {{do: 'deal' | 'undo' | 'redo' | 'finish' | 'exception' | 'standings' | 'mark' | 'hint' | 'help' | 'why'}} TypedWord
 * @typedef {{do: 'wrong', what: 'nothing' | 'column' | 'words', text: string}} TypedWrong
 * @typedef {TypedMove | TypedRemoval | TypedCard | TypedWord | TypedWrong} Typed
 */

/** @type {Readonly<Record<string, TypedWord['do']>>} */
const WORDS = {
  d: 'deal',
  deal: 'deal',
  u: 'undo',
  z: 'undo',
  undo: 'undo',
  y: 'redo',
  redo: 'redo',
  f: 'finish',
  finish: 'finish',
  x: 'exception',
  t: 'standings',
  m: 'mark',
  hint: 'hint',
  h: 'help',
  help: 'help',
  '?': 'why',
};

/**
 * Return a pile by its typed name: columns by their numbers, other piles as `u2` and `l3`,
 * foundations as `f1`.
 * @param {TableView} table
 * @param {string} text
 */
function pileNamed(table, text) {
  const [, kind = '', digits = ''] = /^([a-z]?)(\d+)$/.exec(text) ?? [];
  const id = `${kind || 't'}${Number(digits) - 1}`;
  return table.piles.find((pile) => pile.id === id && pile.role !== 'stock')?.id ?? null;
}

/** Parse the name of a card; null if it is none. @param {string} text e.g. `9s`, `10h`, `qd` */
function cardNamed(text) {
  const [, rank = '', suit = ''] = /^(10|[a2-9tjqk]) ?([shdc])$/.exec(text) ?? [];
  const card = (rank === '10' ? 'T' : rank.toUpperCase()) + suit.toUpperCase();
  return RANKS.includes(card.charAt(0)) && SUITS.includes(card.charAt(1)) && rank ? card : null;
}

/** Return that a line is not understood. @param {TypedWrong['what']} what is wrong @param {string} text @returns {TypedWrong} */
const wrongLine = (what, text) => ({ do: 'wrong', what, text });

/** Parse a typed line. @param {string} line @param {TableView} table @returns {Typed} */
export function parseTyped(line, table) {
  const text = line.trim().toLowerCase();
  if (text === '') return wrongLine('nothing', '');
  const word = WORDS[text];
  if (word) return { do: word };
  const notated = notatedAction(text, table);
  if (notated) return notated;
  const [, removed] = /^r(?:emove)?(?: *(\d+))?$/.exec(text) ?? [null, null];
  if (removed !== null) {
    const from = removed === undefined ? null : pileNamed(table, removed);
    return removed !== undefined && !from ? wrongLine('column', removed) : { do: 'remove', from };
  }
  const [, wanted] = /^(?:l|find) +(.+)$/.exec(text) ?? [];
  const card = wanted && cardNamed(wanted);
  if (card) return { do: 'locate', card };
  return typedMove(text, table) ?? wrongLine('words', line.trim());
}

/**
 * Parse a line of the notation, in which piles count from 0: `t2x1-t4`, `remove t3`.
 * @param {string} text
 * @param {TableView} table
 * @returns {Typed | null} null if the game has no such action
 */
function notatedAction(text, table) {
  const action = parseAction(text);
  const has = (/** @type {string} */ id) => table.piles.some((pile) => pile.id === id);
  if (action?.type === 'remove' && has(action.from)) return { do: 'remove', from: action.from };
  if (action?.type !== 'move' || !has(action.from) || !has(action.to)) return null;
  const { from, count, to, exception } = action;
  return { do: 'move', from, count, to, exception };
}

/** Parse a typed move; null if it is none. @param {string} text @param {TableView} table @returns {Typed | null} */
function typedMove(text, table) {
  const parts = /^(x +)?([a-z]?\d+)(?: *x *(\d+))?(?: +| *[-,>] *)([a-z]?\d+)(!)?$/.exec(text);
  if (!parts) return null;
  const [, before, source = '', count, target = '', after] = parts;
  const from = pileNamed(table, source);
  const to = pileNamed(table, target);
  if (!from) return wrongLine('column', source);
  if (!to) return wrongLine('column', target);
  const exception = Boolean(before ?? after);
  return { do: 'move', from, count: Number(count ?? 0), to, exception };
}
