// The commands of a player: their keys in both presets, and their words in the box for moves. The modern keys
// are ours; the classic ones come from part III of the manual of 1987.

import { prefer } from '../browser/storage.js';
import { parseAction } from '../contract/notation.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { moveCards, removeSuit, tableOf } from './player.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Aids} from './aids.js'
 * @import {Player, TypedMove} from './player.js'
 * @typedef {keyof typeof import('../strings/en/after.js').default.KEYS} KeyCommand
 * @typedef {KeyCommand | 'finish'} Command
 * @typedef {'deal' | 'dealSure' | 'restart' | 'restartSure' | 'remove' | 'level' | 'colours' | 'quit'} ClassicCommand
 * @typedef {(command: Command) => ((key: string) => void) | undefined} ActionOf returns the action of a
 *   command, unless it moves the cursor; the action gets the character of the key, or '' without a key
 * @typedef {'modern' | 'classic'} Preset
 * @typedef {Partial<Record<Preset | 'both' | 'typed', readonly string[]>>} Binding the names of keys by
 *   preset, as `keyName` returns them, and the words of a typed line
 * @typedef {Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>
 *   & Partial<Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>>} Pressed
 * @typedef {{do: 'move'} & TypedMove
 *   | {do: 'remove', from?: string}
 *   | {do: 'locate', card: string}
 *   | {do: 'command', command: Command}
 *   | {do: 'wrong', what: 'column' | 'words', text: string}} Typed what a typed line means
 */

/** All commands, in the order of the help. @type {Readonly<Record<Command, Binding>>} */
const COMMANDS = {
  pick: { classic: ['F1', '1'], both: ['Enter'] },
  help: { modern: ['?'], classic: ['F2', '2', '?'], typed: ['h', 'help'] },
  remove: { modern: ['R'], classic: ['F3', '3'] },
  unfold: { modern: ['U'], classic: ['F4', '4', 'U'] },
  why: { classic: ['F5', '5'], typed: ['?'] },
  level: { classic: ['F6', '6'] },
  restart: { classic: ['F7', '7'] },
  restartSure: { classic: ['F8', '8'] },
  deal: { modern: ['D', 'Space'], classic: ['F9', '9', 'Space'], typed: ['d', 'deal'] },
  dealSure: { classic: ['F10', '0'] },
  score: { classic: ['S'] },
  quit: { classic: ['Q'] },
  column: { modern: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] },
  left: { both: ['←'], classic: ['Num 4'] },
  right: { both: ['→'], classic: ['Num 6'] },
  more: { both: ['↑'], classic: ['Num 8'] },
  fewer: { both: ['↓'], classic: ['Num 2'] },
  above: { both: ['PageUp'] },
  below: { both: ['PageDown'] },
  first: { both: ['Home'] },
  last: { both: ['End'] },
  auto: { both: ['Shift+Enter'] },
  cancel: { both: ['Escape'] },
  undo: { both: ['Z', 'Ctrl+Z', '⌘Z'], typed: ['u', 'z', 'undo'] },
  redo: { both: ['Shift+Z', 'Y', 'Ctrl+Y', 'Ctrl+Shift+Z', '⇧⌘Z'], typed: ['y', 'redo'] },
  exception: { both: ['X'], typed: ['x'] },
  hint: { modern: ['H'], typed: ['hint'] },
  mark: { both: ['M'], typed: ['m'] },
  locate: { both: ['L'] },
  peek: { both: ['P'] },
  standings: { both: ['T'], typed: ['t'] },
  colours: { both: ['C'] },
  type: { both: ['/'] },
  finish: { typed: ['f', 'finish'] },
};

/** The commands whose classic actions are in `classic/`, which comes with the load after a race. */
export const CLASSIC_COMMANDS = /** @type {readonly ClassicCommand[]} */ (
  'deal dealSure restart restartSure remove level colours quit'.split(' ')
);

/** All commands with their bindings. `finish` has no key, and no list of keys has it. */
const BINDINGS = /** @type {[KeyCommand, Binding][]} */ (Object.entries(COMMANDS));

/** @param {Binding} binding @param {Preset} preset */
const keysOf = (binding, preset) => [...(binding[preset] ?? []), ...(binding.both ?? [])];

/** Return the commands that have keys in a preset, with those keys, in the order of the help. @param {Preset} preset */
export const commandsOf = (preset) =>
  BINDINGS.map(([command, binding]) => ({ command, keys: keysOf(binding, preset) })).filter(
    ({ keys }) => keys.length > 0,
  );

/** Return the commands of a preset by their keys. @param {Preset} preset @returns {Map<string, KeyCommand>} */
const byKey = (preset) =>
  new Map(commandsOf(preset).flatMap(({ command, keys }) => keys.map((key) => [key, command])));
const BY_KEY = { modern: byKey('modern'), classic: byKey('classic') };

/** The commands by their typed words. @type {ReadonlyMap<string, Command>} */
const BY_WORD = new Map(
  BINDINGS.flatMap(([command, { typed = [] }]) => typed.map((word) => [word, command])),
);

/** Whether this is an Apple computer, whose shortcuts have ⌘ instead of Ctrl. */
const IS_MAC = /Mac|iP/.test(globalThis.navigator?.platform ?? '');

/** Return only the keys that this computer's keyboard has. @param {readonly string[]} keys */
export const keysHere = (keys) =>
  keys.filter((key) => !(IS_MAC ? key.includes('Ctrl') : key.includes('⌘')));

/**
 * Return the first key of a command on this computer; undefined if the preset has none.
 * @param {Command} command @param {Preset} preset
 * @param {boolean} letters whether the player uses keys that write a character
 */
export const keyFor = (command, preset, letters) =>
  keysHere(keysOf(COMMANDS[command], preset)).find((key) => letters || !/^(Shift\+)?.$/u.test(key));

// Keys as a keyboard sends them.

/** How some keys are named. @type {Readonly<Record<string, string>>} */
const KEY_NAMES = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space' };

/**
 * Return the character of a key. On a layout without Latin letters, it is the letter that a US keyboard has in this
 * place. Signs that have a command keep it (Hebrew has `/` in the place of Q).
 * @param {Pressed} event
 */
export function keyOf({ key, code, shiftKey }) {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (!letter || /^[\p{Script=Latin}\d/?]$/u.test(key)) return key;
  return shiftKey ? letter : letter.toLowerCase();
}

/** Return the name that the commands use for a key. A digit of the number pad is `Num 4`, and its arrows are arrows. @param {Pressed} event */
export function keyName(event) {
  const { code, shiftKey, ctrlKey, metaKey } = event;
  const key = keyOf(event);
  if (/^Numpad\d$/.test(code) && /^\d$/.test(key)) return `Num ${key}`;
  const name = KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  if (metaKey) return `${shiftKey ? '⇧' : ''}⌘${name}`;
  if (ctrlKey) return `Ctrl+${shiftKey ? 'Shift+' : ''}${name}`;
  // Signs such as `?` are written with Shift on some layouts and without it on others.
  return shiftKey && (name === 'Enter' || /^\p{L}$/u.test(name)) ? `Shift+${name}` : name;
}

/** Return the name of a key, the same on the number pad and with Shift. @param {Pressed} event */
export const plainName = (event) => keyName(event).replace(/^(Num |Shift\+)/, '');

/** Return whether a key is pressed together with Ctrl, ⌘ or Alt. @param {Pressed} event */
export const isChord = ({ ctrlKey, metaKey, altKey }) => Boolean(ctrlKey || metaKey || altKey);

/** Return whether an event comes from a form field, which uses the keys itself. @param {Event} event */
export const isTyping = ({ target }) =>
  target instanceof Element && target.closest('input, select, textarea') !== null;

/**
 * Return the command of a pressed key; undefined if it has none in the preset.
 * @param {Pressed} event @param {Preset} preset
 * @param {boolean} letters whether keys that write a character have commands; with Ctrl or ⌘ they always have
 */
export function commandOf(event, preset, letters) {
  const key = keyOf(event);
  const isCharacter = key.length === 1 && key !== ' '; // the space bar always acts
  if (event.altKey || (isCharacter && !letters && !isChord(event))) return; // Alt belongs to the system
  const name = keyName(event);
  // A key without a binding is read without Shift; the number pad has arrows in the classic preset only.
  const plain = name.replace(preset === 'modern' ? /^(Num |Shift\+)/ : /^Shift\+/, '');
  return BY_KEY[preset].get(name) ?? BY_KEY[preset].get(plain);
}

// Typed lines, for players who prefer them: `3 5`, `3x2 5`, `d`, `u`, `r 3`, and the notation of a round's
// text file.

/**
 * Return the id of a pile by its typed name: a column's number, or `u2`, `l3` or `f1`. Names count from 1, ids
 * from 0. Undefined for a stock too, since nothing is moved from or to it.
 * @param {TableView} table @param {string} text
 */
function pileNamed(table, text) {
  const [, kind = '', digits = ''] = /^([a-z]?)(\d+)$/.exec(text) ?? [];
  const id = `${kind || 't'}${Number(digits) - 1}`;
  return table.piles.find((pile) => pile.id === id && pile.role !== 'stock')?.id;
}

/** Return the result for a line that is not understood. @param {'column' | 'words'} what the wrong part is @param {string} text the wrong part @returns {Typed} */
const wrongLine = (what, text) => ({ do: 'wrong', what, text });

/**
 * Parse a typed line. Try the notation first: both it and a typed move may contain `t2`, but only the notation counts
 * from 0.
 * @param {string} line @param {TableView} table @returns {Typed}
 */
export function parseTyped(line, table) {
  const text = line.trim().toLowerCase();
  const command = BY_WORD.get(text);
  if (command) return { do: 'command', command };
  return (
    notatedAction(text, table) ??
    typedRemoval(text, table) ??
    typedCard(text) ??
    typedMove(text, table) ??
    wrongLine('words', line.trim())
  );
}

/** Parse a removal, such as `r` or `r 3`; null if the text is something else. @param {string} text @param {TableView} table @returns {Typed | null} */
function typedRemoval(text, table) {
  const parts = /^r(?:emove)?(?: *(\d+))?$/.exec(text);
  if (!parts) return null;
  const column = parts[1];
  if (!column) return { do: 'remove' };
  const from = pileNamed(table, column);
  return from ? { do: 'remove', from } : wrongLine('column', column);
}

/** Parse a request for a card, such as `l 10h`; null if the text is something else. @param {string} text @returns {Typed | null} */
function typedCard(text) {
  const [, rank, suit] = /^(?:l|find) +(10|[a2-9tjqk]) ?([shdc])$/.exec(text) ?? [];
  if (!rank || !suit) return null;
  const card = (rank === '10' ? 't' : rank) + suit;
  return { do: 'locate', card: card.toUpperCase() };
}

/**
 * Parse a move or removal in the notation, where piles count from 0: `t2x1-t4`, `remove t3`. Other actions
 * of the notation are words, which `parseTyped` has found already.
 * @param {string} text @param {TableView} table
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

/** Parse a typed move; null if it is something else. An `x` before it or a `!` after it asks for an exception. @param {string} text @param {TableView} table @returns {Typed | null} */
function typedMove(text, table) {
  const parts = /^(x +)?([a-z]?\d+)(?: *x *(\d+))?(?: +| *[-,>] *)([a-z]?\d+)(!)?$/.exec(text);
  if (!parts) return null;
  const [, xBefore, source = '', count, target = '', signAfter] = parts;
  const from = pileNamed(table, source);
  const to = pileNamed(table, target);
  if (!from) return wrongLine('column', source);
  if (!to) return wrongLine('column', target);
  const exception = Boolean(xBefore ?? signAfter);
  return { do: 'move', from, count: Number(count ?? 0), to, exception }; // 0: as many as can move
}

/** Bind the box for typed moves. @param {{app: App, player: Player, aids: Aids, actionOf: ActionOf}} parts */
export function bindMoveBox({ app, player, aids, actionOf }) {
  const { box, boxHow, boxGo } = strings.PLAY;
  const typing = { enterkeyhint: 'go', autocomplete: 'off', autocapitalize: 'off' };
  const onkeydown = (/** @type {KeyboardEvent} */ { key }) => {
    if (key === 'Escape') prefer('moveBox', false);
  };
  const looks = { id: 'typed', type: 'text', maxlength: 40, spellcheck: 'false' };
  const input = h('input', { ...looks, ...typing, onkeydown });
  const label = h('label', { for: 'typed' }, h('strong', { text: box }), ' ', boxHow);
  const go = h('button', { type: 'submit', text: boxGo });
  const element = h('form', { class: 'line move-box', hidden: true, onsubmit }, label, input, go);

  function onsubmit() {
    const isUnderstood = enter(input.value);
    set(input, { 'aria-invalid': isUnderstood ? null : 'true' });
    if (isUnderstood) input.value = '';
    else input.select();
  }

  /** Do what a typed line says, or announce why it is not understood. @param {string} line @returns {boolean} whether it was */
  function enter(line) {
    const table = tableOf(player);
    if (!table || line.trim() === '') return false;
    const typed = parseTyped(line, table);
    if (typed.do === 'move') moveCards(player, typed);
    else if (typed.do === 'remove') removeSuit(player, typed.from);
    else if (typed.do === 'locate') aids.find(typed.card);
    else if (typed.do === 'command') actionOf(typed.command)?.('');
    else app.announce(strings.TYPED[typed.what](typed.text));
    return typed.do !== 'wrong';
  }

  return { element, input };
}
