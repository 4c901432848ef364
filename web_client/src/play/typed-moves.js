// Typed moves, for players who prefer them: the box, and what its lines mean: `3 5`, `3x2 5`, `d`, `u`,
// `r 3`, and the notation of a round's text file.

import { parseAction } from '../contract/notation.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { BY_WORD } from './commands.js';
import { makeTypedMove, removeSuit, tableOf } from './player.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Aids} from './aids.js'
 * @import {Command} from './commands.js'
 * @import {Player, TypedMove} from './player.js'
 * @typedef {{do: 'remove', from?: string}} TypedRemoval
 * @typedef {{do: 'locate', card: string}} TypedCard
 * @typedef {{do: 'command', command: Command}} TypedWord
 * @typedef {{do: 'wrong', what: 'nothing' | 'column' | 'words', text: string}} TypedWrong
 * @typedef {{do: 'move'} & TypedMove | TypedRemoval | TypedCard | TypedWord | TypedWrong} Typed
 */

/**
 * Return a pile by its typed name: columns by their numbers, other piles as `u2` and `l3`,
 * foundations as `f1`.
 * @param {TableView} table
 * @param {string} text
 */
function pileNamed(table, text) {
  const [, kind = '', digits = ''] = /^([a-z]?)(\d+)$/.exec(text) ?? [];
  const id = `${kind || 't'}${Number(digits) - 1}`;
  return table.piles.find((pile) => pile.id === id && pile.role !== 'stock')?.id;
}

/** Parse the name of a card; undefined if it is none. @param {string} text e.g. `9s`, `10h`, `qd` */
function cardNamed(text) {
  const [, rank, suit] = /^(10|[a2-9tjqk]) ?([shdc])$/.exec(text) ?? [];
  return rank && suit && (rank === '10' ? 'T' : rank.toUpperCase()) + suit.toUpperCase();
}

/** Return that a line is not understood. @param {TypedWrong['what']} what is wrong @param {string} text @returns {TypedWrong} */
const wrongLine = (what, text) => ({ do: 'wrong', what, text });

/** Parse a typed line. @param {string} line @param {TableView} table @returns {Typed} */
export function parseTyped(line, table) {
  const text = line.trim().toLowerCase();
  if (text === '') return wrongLine('nothing', '');
  const command = BY_WORD.get(text);
  if (command) return { do: 'command', command };
  const notated = notatedAction(text, table);
  if (notated) return notated;
  const removal = /^r(?:emove)?(?: *(\d+))?$/.exec(text);
  if (removal) {
    const [, column] = removal;
    if (!column) return { do: 'remove' };
    const from = pileNamed(table, column);
    return from ? { do: 'remove', from } : wrongLine('column', column);
  }
  const card = cardNamed(/^(?:l|find) +(.+)$/.exec(text)?.[1] ?? '');
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

/**
 * Bind the box, in which a player types moves.
 * @param {object} race
 * @param {App} race.app
 * @param {Player} race.player
 * @param {Aids} race.aids
 * @param {(command: Command) => ((key: string) => void) | undefined} race.actionOf the action of a command
 * @param {() => void} race.close
 */
export function bindMoveBox({ app, player, aids, actionOf, close }) {
  const { box, boxHow, boxGo } = strings.PLAY;
  const input = h('input', {
    id: 'typed',
    type: 'text',
    maxlength: 40,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
    onkeydown: (/** @type {KeyboardEvent} */ { key }) => key === 'Escape' && close(),
  });
  const label = h(
    'label',
    { for: 'typed' },
    h('strong', { text: box }),
    h('span', { text: boxHow }),
  );
  const submit = h('button', { type: 'submit', text: boxGo });
  const element = h(
    'form',
    {
      class: 'move-box',
      hidden: true,
      onsubmit(/** @type {SubmitEvent} */ event) {
        event.preventDefault();
        const isUnderstood = enter(input.value);
        set(input, { 'aria-invalid': isUnderstood ? null : 'true' });
        if (isUnderstood) input.value = '';
        else input.select();
      },
    },
    label,
    input,
    submit,
  );

  /** Perform a typed line. @param {string} line @returns {boolean} whether it was understood */
  function enter(line) {
    const view = tableOf(player);
    if (!view) return false;
    const typed = parseTyped(line, view);
    switch (typed.do) {
      case 'move':
        makeTypedMove(player, typed);
        break;
      case 'remove':
        removeSuit(player, typed.from);
        break;
      case 'locate':
        aids.find(typed.card);
        break;
      case 'command':
        actionOf(typed.command)?.('');
        break;
      case 'wrong':
        if (typed.what !== 'nothing') app.announce(strings.TYPED[typed.what](typed.text));
        return false;
    }
    return true;
  }

  return {
    element,
    input,
    /** @param {boolean} on */
    show(on) {
      element.hidden = !on;
    },
  };
}
