// The commands of a player, with their keys in both presets and their words in the box for typed moves. The modern keys
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
 * @typedef {(command: Command) => ((key: string) => void) | undefined} ActionOf returns the function that performs a
 *   command, unless the command needs the cursor. It takes the character of the key, or '' for a typed line
 * @typedef {'modern' | 'classic'} Preset
 * @typedef {Partial<Record<Preset | 'both' | 'typed', readonly string[]>>} Binding the names of a command's keys by
 *   preset, as `keyName` returns them, and its words in a typed line
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

/** The commands that work differently with the classic keys. Their code, `classic/`, loads after the race's. */
export const CLASSIC_COMMANDS = /** @type {readonly ClassicCommand[]} */ (
  'deal dealSure restart restartSure remove level colours quit'.split(' ')
);

/** All commands with their bindings. The type leaves out `finish`, which has no key and so is in no list of keys. */
const BINDINGS = /** @type {[KeyCommand, Binding][]} */ (Object.entries(COMMANDS));

/** @param {Binding} binding @param {Preset} preset */
const keysOf = (binding, preset) => [...(binding[preset] ?? []), ...(binding.both ?? [])];

/** Return the commands that have keys in a preset, with those keys, in the order of the help. @param {Preset} preset */
export const commandsOf = (preset) =>
  BINDINGS.map(([command, binding]) => ({ command, keys: keysOf(binding, preset) })).filter(
    ({ keys }) => keys.length > 0,
  );

/** Return a preset's commands by key. @param {Preset} preset @returns {Map<string, KeyCommand>} */
const byKey = (preset) =>
  new Map(commandsOf(preset).flatMap(({ command, keys }) => keys.map((key) => [key, command])));
const BY_KEY = { modern: byKey('modern'), classic: byKey('classic') };

/** The commands by typed word. @type {ReadonlyMap<string, Command>} */
const BY_WORD = new Map(
  BINDINGS.flatMap(([command, { typed = [] }]) => typed.map((word) => [word, command])),
);

/** Whether this is an Apple computer, whose shortcuts have ⌘ instead of Ctrl. */
const IS_MAC = /Mac|iP/.test(globalThis.navigator?.platform ?? '');

/** Leave out the keys that this computer's keyboard does not have. @param {readonly string[]} keys */
export const keysHere = (keys) =>
  keys.filter((key) => !(IS_MAC ? key.includes('Ctrl') : key.includes('⌘')));

const CHARACTER_KEY = /^(Shift\+)?.$/u; // matches `?` and `Shift+Z`, but no `Space`

/**
 * Return the first key of a command on this computer; undefined if the preset has none.
 * @param {Command} command @param {Preset} preset
 * @param {boolean} letters whether keys that write a character have commands, as the player prefers
 */
export const keyFor = (command, preset, letters) =>
  keysHere(keysOf(COMMANDS[command], preset)).find((key) => letters || !CHARACTER_KEY.test(key));

// Pressed keys.

/** Our names of keys that the browser calls something else. @type {Readonly<Record<string, string>>} */
const KEY_NAMES = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space' };

/**
 * Return the character of a key. On a layout without Latin letters it is the letter in the same place of a US keyboard,
 * except for signs that have a command: a Hebrew keyboard has `/` in the place of Q.
 * @param {Pressed} event
 */
export function keyOf({ key, code, shiftKey }) {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (!letter || /^[\p{Script=Latin}\d/?]$/u.test(key)) return key;
  return shiftKey ? letter : letter.toLowerCase();
}

/** Return a key's name in `COMMANDS`, such as `Num 4` for a digit of the number pad. @param {Pressed} event */
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

/** Return the name of a key as if it were not on the number pad, and without Shift. @param {Pressed} event */
export const plainName = (event) => keyName(event).replace(/^(Num |Shift\+)/, '');

/** Return whether a key is pressed together with Ctrl, ⌘ or Alt. @param {Pressed} event */
export const isChord = ({ ctrlKey, metaKey, altKey }) => Boolean(ctrlKey || metaKey || altKey);

/** Return whether an event comes from a form field, which needs the keys itself. @param {Event} event */
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
  // If the key has no command with Shift, try it without. Only the classic keys use the number pad for arrows.
  const plain = name.replace(preset === 'modern' ? /^(Num |Shift\+)/ : /^Shift\+/, '');
  return BY_KEY[preset].get(name) ?? BY_KEY[preset].get(plain);
}

// Typed lines, for players who prefer them: `3 5`, `3x2 5`, `d`, `u`, `r 3`, and the notation of a round's text file.
// Each parser returns null for a line that is something else.

/**
 * Return the id of the pile that a player has typed: the number of a column, or `u2`, `l3` or `f1`. Players count from
 * 1, ids from 0. Returns undefined for a stock too, since nothing can be moved from or to it.
 * @param {TableView} table @param {string} text
 */
function pileNamed(table, text) {
  const [, kind = '', digits = ''] = /^([a-z]?)(\d+)$/.exec(text) ?? [];
  const id = `${kind || 't'}${Number(digits) - 1}`;
  return table.piles.find((pile) => pile.id === id && pile.role !== 'stock')?.id;
}

/** Reject a typed line. @param {'column' | 'words'} what @param {string} text the wrong part @returns {Typed} */
const wrongLine = (what, text) => ({ do: 'wrong', what, text });

/**
 * Parse a typed line. The notation is tried first: its `t2` is counted from 0, but the `t2` of a typed move from 1.
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

/** Parse a removal, such as `r` or `r 3`. @param {string} text @param {TableView} table @returns {Typed | null} */
function typedRemoval(text, table) {
  const parts = /^r(?:emove)?(?: *(\d+))?$/.exec(text);
  if (!parts) return null;
  const column = parts[1];
  if (!column) return { do: 'remove' };
  const from = pileNamed(table, column);
  return from ? { do: 'remove', from } : wrongLine('column', column);
}

/** Parse a search for a card, such as `l 10h`. @param {string} text @returns {Typed | null} */
function typedCard(text) {
  const [, rank, suit] = /^(?:l|find) +(10|[a2-9tjqk]) ?([shdc])$/.exec(text) ?? [];
  if (!rank || !suit) return null;
  const card = (rank === '10' ? 't' : rank) + suit;
  return { do: 'locate', card: card.toUpperCase() };
}

/**
 * Parse a move or removal in the notation, where piles count from 0: `t2x1-t4`, `remove t3`. Its other actions are
 * single words, which `parseTyped` has found already.
 * @param {string} text @param {TableView} table @returns {Typed | null} also null if the game has no such pile
 */
function notatedAction(text, table) {
  const action = parseAction(text);
  const has = (/** @type {string} */ id) => table.piles.some((pile) => pile.id === id);
  if (action?.type === 'remove' && has(action.from)) return { do: 'remove', from: action.from };
  if (action?.type !== 'move' || !has(action.from) || !has(action.to)) return null;
  const { from, count, to, exception } = action;
  return { do: 'move', from, count, to, exception };
}

/** Parse a move, such as `3 5`. @param {string} text @param {TableView} table @returns {Typed | null} */
function typedMove(text, table) {
  const parts = /^(x +)?([a-z]?\d+)(?: *x *(\d+))?(?: +| *[-,>] *)([a-z]?\d+)(!)?$/.exec(text);
  if (!parts) return null;
  const [, xBefore, source = '', count, target = '', signAfter] = parts;
  const from = pileNamed(table, source);
  const to = pileNamed(table, target);
  if (!from) return wrongLine('column', source);
  if (!to) return wrongLine('column', target);
  const exception = Boolean(xBefore ?? signAfter); // either asks for an exception
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

  /** Do what a line says, or announce its mistake. @param {string} line @returns {boolean} false if it has a mistake */
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
