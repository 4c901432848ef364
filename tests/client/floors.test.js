// The floors of the page. A module imports only modules of its own room and of rooms on lower floors,
// and no modules import each other in a circle. Imports of types and `import()` count too.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';

/** The rooms, from the ground up; rooms on one floor do not import each other. */
const FLOORS = [
  ['contract'],
  ['game'],
  ['state'],
  ['browser', 'connection'],
  ['strings'],
  ['widgets'],
  ['page'],
  ['board', 'celebration', 'chat', 'room', 'strategy', 'tab'],
  ['play', 'preferences', 'replay'],
  ['classic', 'help', 'results'],
  ['after-load.js'],
  ['landing', 'race'],
  ['race-load.js', 'old-browser.js'],
  ['main.js'],
];

const SRC = new URL('../../web_client/src/', import.meta.url);
const read = (file) => readFileSync(new URL(file, SRC), 'utf8');
const IMPORT = /(?:from\s|import\s*\(?)\s*['`](\.[^'`]+)['`]/g;

/** Return what a shape finds in a text. @param {string} text @param {RegExp} shape */
const found = (text, shape) => Array.from(text.matchAll(shape), ([, name = '']) => name);

/** Return the modules that a shape finds in a module. @param {string} file @param {RegExp} shape */
const importedBy = (file, shape) =>
  found(read(file), shape).map((name) => posix.join(posix.dirname(file), name));

const modules = readdirSync(SRC, { recursive: true })
  .map((file) => String(file).replaceAll('\\', '/'))
  .filter((file) => /\.(js|d\.ts)$/.test(file));

/** Whether a module only names another: the loads in `page/loads.js`, and sentences by an expression. */
const isNamed = (file, name) =>
  name.includes('$') || (file === 'page/loads.js' && name.endsWith('-load.js'));

/** The modules that each module imports. */
const imports = new Map(
  modules.map((file) => [file, importedBy(file, IMPORT).filter((name) => !isNamed(file, name))]),
);

const roomOf = (file) => file.split('/')[0] ?? '';

const floorOf = (file) => FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));

test('every import leads to the same room or a lower floor, and never round in a circle', () => {
  assert.deepEqual(FLOORS.flat().toSorted(), readdirSync(SRC).toSorted());
  const wrong = [...imports].flatMap(([file, names]) =>
    names
      .filter((name) => roomOf(name) !== roomOf(file) && floorOf(name) >= floorOf(file))
      .map((name) => `${file} imports ${name}`),
  );
  assert.deepEqual(wrong, []);
  const missing = [...imports.values()].flat().filter((name) => !existsSync(new URL(name, SRC)));
  assert.deepEqual(missing, []);
  const left = new Map(imports);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [file, names] of left) if (!names.some((name) => left.has(name))) left.delete(file);
  }
  assert.deepEqual([...left.keys()], []);
});

/** The load of every name in `strings`. @type {Map<string, string>} */
const loadOf = new Map();
for (const load of ['start', 'race', 'after']) {
  const { default: words } = await import(new URL(`strings/en/${load}.js`, SRC).href);
  for (const name of Object.keys(words)) {
    assert.ok(!loadOf.has(name), `${name} is in two files`);
    loadOf.set(name, load);
  }
}

/** Return a module and all that it imports statically. @param {string} file @param {Set<string>} known */
function closure(file, known = new Set()) {
  if (known.has(file)) return known;
  known.add(file);
  for (const name of importedBy(file, /^(?:import|export|\}) .*?from '(\.[^']+)';$/gm))
    closure(name, known);
  return known;
}

/** Return the loads whose names a module reads. @param {string} file */
function used(file) {
  const code = read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const direct = found(code, /\bstrings\.(\w+)/g);
  const taken = found(code, /const \{ ([\w, :]+) \} = strings;/g).flatMap((names) =>
    found(names, /(\w+)(?:: \w+)?/g),
  );
  return [...direct, ...taken].map((name) => {
    const load = loadOf.get(name);
    assert.ok(load, `${file}: strings.${name} does not exist`);
    return load;
  });
}

/** The modules that begin the loads, each with the sentences that are there with it. */
const LOADS = {
  'main.js': ['start'],
  'race-load.js': ['start', 'race'],
  'after-load.js': ['start', 'race', 'after'],
};

test('every load comes with the sentences of all its modules', () => {
  for (const [file, loads] of Object.entries(LOADS))
    for (const each of closure(file))
      for (const load of used(each))
        assert.ok(loads.includes(load), `${each}, in ${file}: ${load}`);
});

test('nothing but the loads comes late', () => {
  const late = modules.flatMap((file) => importedBy(file, /^[^*]*\bimport\('(\.[^'`]+)'\)/gm));
  assert.deepEqual(late.toSorted(), ['after-load.js', 'race-load.js']);
});

const SENTENCES = /^strings\/..\//;
const STRINGS = ['strings/en/start.js', 'strings/de/start.js'];

/** Return the modules that roots need, but no sentences: which language is spoken is known only at run time. @param {string[]} roots */
const needOf = (roots) =>
  new Set(roots.flatMap((name) => [...closure(name)]).filter((name) => !SENTENCES.test(name)));

/** What the front page waits for. */
const FIRST = needOf(['main.js', ...STRINGS]);

const page = readFileSync(new URL('../index.html', SRC), 'utf8');
const [, ofRooms = ''] =
  page.match(/<!-- Of the pages of rooms: -->(.*)<!-- Of all pages: -->/s) ?? [];
const ofAll = page.replace(ofRooms, '');

const PRELOADED = /(?:rel="modulepreload" href|async src)="\/src\/([^"]+)"/g;
/** Return the modules that a part of the page preloads or runs. @param {string} part */
const preloadedIn = (part) => found(part, PRELOADED);

test('the page preloads exactly the modules that its first screen needs, and those of a room on its page', () => {
  assert.deepEqual(preloadedIn(ofAll).toSorted(), [...FIRST].toSorted());
  const session = [...needOf(['race-load.js'])].filter((name) => !FIRST.has(name));
  assert.deepEqual(preloadedIn(ofRooms).toSorted(), session.toSorted());
  assert.deepEqual(
    [...closure('main.js')].filter((name) => SENTENCES.test(name)),
    [],
  );
});
