// The command of each key, in two presets: modern, and that of the manual of 1987 (`seeds/` 3, III).

/**
 * @typedef {keyof typeof import('../strings/en/help.js').KEYS} Command
 * @typedef {typeof CLASSIC_COMMANDS[number]} ClassicCommand
 * @typedef {'modern' | 'classic'} Preset
 * @typedef {readonly [keys: readonly string[], command: Command]} Binding
 */

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
  [['Z'], 'undo'],
  [['Shift+Z', 'Y'], 'redo'],
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

/** Return the commands of a preset by the names of their keys. @param {Preset} preset */
const commandsByKey = (preset) =>
  new Map(PRESETS[preset].flatMap(([keys, command]) => keys.map((key) => [key, command])));
const COMMANDS = { modern: commandsByKey('modern'), classic: commandsByKey('classic') };

/**
 * Return the name of a key as the presets write it; on the number pad digits are `Num 4` and the
 * like.
 * @param {{key: string, code: string, shiftKey: boolean}} event
 */
export function keyName({ key, code, shiftKey }) {
  if (/^Numpad\d$/.test(code) && /^\d$/.test(key)) return `Num ${key}`;
  const name = WRITTEN_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return shiftKey && (name === 'Enter' || /^\p{L}$/u.test(name)) ? `Shift+${name}` : name;
}

/**
 * Return the command of a key.
 * @param {{key: string, code: string, shiftKey: boolean}} event
 * @param {Preset} preset
 * @param {boolean} letters whether keys that write a character have commands
 * @returns {{command: Command, key: string} | null} `key` is what the key writes
 */
export function commandOf(event, preset, letters) {
  const { key } = event;
  if (!letters && key.length === 1 && key !== ' ') return null;
  const name = keyName(event);
  // Without a binding of its own a key means what it means without Shift, or off the number pad.
  const plain = name.replace(preset === 'modern' ? /^(Num |Shift\+)/ : /^Shift\+/, '');
  const command = COMMANDS[preset].get(name) ?? COMMANDS[preset].get(plain);
  return command ? { command: /** @type {Command} */ (command), key } : null;
}
