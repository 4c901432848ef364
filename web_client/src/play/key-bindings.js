// The command of each key, in two presets: modern, and that of the manual of 1987 (`seeds/` 3, III).

/**
 * @typedef {keyof typeof import('../strings/en/after.js').KEYS} Command
 * @typedef {typeof CLASSIC_COMMANDS[number]} ClassicCommand
 * @typedef {'modern' | 'classic'} Preset
 * @typedef {readonly [keys: readonly string[], command: Command]} Binding
 * @typedef {Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>
 *   & Partial<Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>>} Pressed
 */

/** The elements that use the keys themselves. */
export const TYPING = 'input, select, textarea';

/** The bindings of both presets. @type {readonly Binding[]} */
const COMMON = [
  [['←'], 'left'],
  [['→'], 'right'],
  [['↑'], 'more'],
  [['↓'], 'fewer'],
  [['PageUp'], 'above'],
  [['PageDown'], 'below'],
  [['Home'], 'first'],
  [['End'], 'last'],
  [['Enter'], 'pick'],
  [['Shift+Enter'], 'auto'],
  [['Escape'], 'cancel'],
  [['Z', 'Ctrl+Z', '⌘Z'], 'undo'],
  [['Shift+Z', 'Y', 'Ctrl+Y', 'Ctrl+Shift+Z', '⇧⌘Z'], 'redo'],
  [['X'], 'exception'],
  [['M'], 'mark'],
  [['L'], 'locate'],
  [['P'], 'peek'],
  [['T'], 'standings'],
  [['C'], 'colours'],
  [['/'], 'type'],
];

/** @type {Readonly<Record<Preset, readonly Binding[]>>} */
export const PRESETS = {
  modern: [
    [['D', 'Space'], 'deal'],
    [['R'], 'remove'],
    [['H'], 'hint'],
    [['U'], 'unfold'],
    [['?'], 'help'],
    [['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'], 'column'],
    ...COMMON,
  ],
  classic: [
    [['F1', '1'], 'pick'],
    [['F2', '2', '?'], 'help'],
    [['F3', '3'], 'remove'],
    [['F4', '4', 'U'], 'unfold'],
    [['F5', '5'], 'why'],
    [['F6', '6'], 'level'],
    [['F7', '7'], 'restart'],
    [['F8', '8'], 'restartSure'],
    [['F9', '9', 'Space'], 'deal'],
    [['F10', '0'], 'dealSure'],
    [['S'], 'score'],
    [['Q'], 'quit'],
    [['Num 4'], 'left'],
    [['Num 6'], 'right'],
    [['Num 8'], 'more'],
    [['Num 2'], 'fewer'],
    ...COMMON,
  ],
};

/** The commands whose actions are in `classic/`, which only the classic keys load. */
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

/** @type {Readonly<Record<string, string>>} */
const WRITTEN_NAMES = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
};

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
export function keyFor(command, preset, letters) {
  const bound = PRESETS[preset].find(([, each]) => each === command)?.[0] ?? [];
  return keysHere(bound).find((key) => letters || !/^(Shift\+)?.$/u.test(key));
}

/** Return the commands of a preset by the names of their keys. @param {Preset} preset */
const commandsByKey = (preset) =>
  new Map(PRESETS[preset].flatMap(([keys, command]) => keys.map((key) => [key, command])));
const COMMANDS = { modern: commandsByKey('modern'), classic: commandsByKey('classic') };

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
 * Return the name of a key as the presets write it; on the number pad digits are `Num 4` and the
 * like.
 * @param {Pressed} event
 */
export function keyName(event) {
  const { code, shiftKey, ctrlKey = false, metaKey = false } = event;
  const key = keyOf(event);
  if (/^Numpad\d$/.test(code) && /^\d$/.test(key)) return `Num ${key}`;
  const name = WRITTEN_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  if (metaKey) return `${shiftKey ? '⇧' : ''}⌘${name}`;
  if (ctrlKey) return `Ctrl+${shiftKey ? 'Shift+' : ''}${name}`;
  return shiftKey && (name === 'Enter' || /^\p{L}$/u.test(name)) ? `Shift+${name}` : name;
}

/**
 * Return the command of a key.
 * @param {Pressed} event
 * @param {Preset} preset
 * @param {boolean} letters whether keys that write a character have commands; those with Ctrl or ⌘
 *   always do
 * @returns {{command: Command, key: string} | null} `key` is what the key writes
 */
export function commandOf(event, preset, letters) {
  const key = keyOf(event);
  const isChord = Boolean(event.ctrlKey || event.metaKey);
  if (event.altKey || (!letters && !isChord && key.length === 1 && key !== ' ')) return null;
  const name = keyName(event);
  // Without a binding of its own a key means what it means without Shift, or off the number pad.
  const plain = name.replace(preset === 'modern' ? /^(Num |Shift\+)/ : /^Shift\+/, '');
  const command = COMMANDS[preset].get(name) ?? COMMANDS[preset].get(plain);
  return command ? { command: /** @type {Command} */ (command), key } : null;
}
