// The commands of a player: their keys in both presets, and their words in the box for moves. The modern
// keys are ours; the classic ones are those of the manual of 1987 (`seeds/` 3, III).

/**
 * @typedef {keyof typeof import('../strings/en/after.js').KEYS} KeyCommand
 * @typedef {KeyCommand | 'finish'} Command
 * @typedef {typeof CLASSIC_COMMANDS[number]} ClassicCommand
 * @typedef {'modern' | 'classic'} Preset
 * @typedef {Partial<Record<Preset | 'both' | 'typed', readonly string[]>>} Binding the names of keys by
 *   preset, as `keyName` returns them, and the words of a typed line
 * @typedef {Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>
 *   & Partial<Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>>} Pressed
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
export const CLASSIC_COMMANDS = /** @type {const} */ ([
  'deal',
  'dealSure',
  'restart',
  'restartSure',
  'remove',
  'level',
  'colours',
  'quit',
]);

/** All commands with their bindings; `finish` has no key and is in no list of keys. */
const ALL = /** @type {[KeyCommand, Binding][]} */ (Object.entries(COMMANDS));

/** Return the keys of a binding. @param {Binding} binding @param {Preset} preset */
const keysOf = (binding, preset) => [...(binding[preset] ?? []), ...(binding.both ?? [])];

/** Return the commands of a preset with their keys. @param {Preset} preset */
export const commandsOf = (preset) =>
  ALL.map(([command, binding]) => ({ command, keys: keysOf(binding, preset) })).filter(
    ({ keys }) => keys.length > 0,
  );

/** Return the commands of a preset by their keys. @param {Preset} preset @returns {Map<string, KeyCommand>} */
const byKey = (preset) =>
  new Map(commandsOf(preset).flatMap(({ command, keys }) => keys.map((key) => [key, command])));
const BY_KEY = { modern: byKey('modern'), classic: byKey('classic') };

/** The commands by their typed words. @type {ReadonlyMap<string, Command>} */
export const BY_WORD = new Map(
  ALL.flatMap(([command, { typed = [] }]) => typed.map((word) => [word, command])),
);

/** Whether this is a computer of Apple, whose shortcuts have ⌘ instead of Ctrl. */
const IS_MAC = /Mac|iP/.test(globalThis.navigator?.platform ?? '');

/** Return those of these keys that are on this computer's keyboard. @param {readonly string[]} keys */
export const keysHere = (keys) =>
  keys.filter((key) => !(IS_MAC ? key.includes('Ctrl') : key.includes('⌘')));

/**
 * Return the first key of a command that acts; undefined if the preset has none.
 * @param {Command} command
 * @param {Preset} preset
 * @param {boolean} letters whether keys that write a character act
 */
export const keyFor = (command, preset, letters) =>
  keysHere(keysOf(COMMANDS[command], preset)).find((key) => letters || !/^(Shift\+)?.$/u.test(key));

// Keys as a keyboard sends them.

/** @type {Readonly<Record<string, string>>} */
const WRITTEN_NAMES = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
};

/**
 * Return what a key writes, on every layout: where it is no Latin letter, the place of the key decides.
 * Signs that have a command keep it (Hebrew writes `/` in the place of Q).
 * @param {Pressed} event
 */
export function keyOf({ key, code, shiftKey }) {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (!letter || /^[\p{Script=Latin}\d/?]$/u.test(key)) return key;
  return shiftKey ? letter : letter.toLowerCase();
}

/**
 * Return the name of a key as the commands have it; on the number pad digits are `Num 4` and the like.
 * @param {Pressed} event
 */
export function keyName(event) {
  const { code, shiftKey, ctrlKey, metaKey } = event;
  const key = keyOf(event);
  if (/^Numpad\d$/.test(code) && /^\d$/.test(key)) return `Num ${key}`;
  const name = WRITTEN_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  if (metaKey) return `${shiftKey ? '⇧' : ''}⌘${name}`;
  if (ctrlKey) return `Ctrl+${shiftKey ? 'Shift+' : ''}${name}`;
  return shiftKey && (name === 'Enter' || /^\p{L}$/u.test(name)) ? `Shift+${name}` : name;
}

/** Return the name of a key, the same on the number pad and with Shift. @param {Pressed} event */
export const plainName = (event) => keyName(event).replace(/^(Num |Shift\+)/, '');

/** Return whether a key is pressed together with Ctrl, ⌘ or Alt. @param {Pressed} event */
export const isChord = ({ ctrlKey, metaKey, altKey }) => Boolean(ctrlKey || metaKey || altKey);

/** Return whether a key is meant for a field, which uses it itself. @param {Event} event */
export const isTyping = ({ target }) =>
  target instanceof Element && target.closest('input, select, textarea') !== null;

/**
 * Return the command of a key.
 * @param {Pressed} event
 * @param {Preset} preset
 * @param {boolean} letters whether keys that write a character have commands; those with Ctrl or ⌘
 *   always do
 * @returns {KeyCommand | undefined}
 */
export function commandOf(event, preset, letters) {
  const key = keyOf(event);
  if (event.altKey || (!letters && !isChord(event) && key.length === 1 && key !== ' ')) return;
  const name = keyName(event);
  // Without a binding of its own a key means what it means without Shift, or off the number pad.
  const plain = name.replace(preset === 'modern' ? /^(Num |Shift\+)/ : /^Shift\+/, '');
  return BY_KEY[preset].get(name) ?? BY_KEY[preset].get(plain);
}
