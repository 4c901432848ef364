// The floors of the page. A module imports only modules of its own room and of rooms on lower floors, and no imports
// run in a circle. Imports of types and `import()` count too.

import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { filesIn, read } from './examples.js';

/** The rooms, from the ground up; rooms on one floor do not import each other. */
const FLOORS = [
  ['contract'],
  ['game'],
  ['state'],
  ['browser', 'connection'],
  ['strings'],
  ['widgets'],
  ['page'],
  ['board', 'celebration', 'chat', 'room', 'strategy', 'tab', 'yours'],
  ['play', 'preferences', 'replay'],
  ['classic', 'help', 'results'],
  ['after-load.js'],
  ['landing', 'race'],
  ['race-load.js', 'old-browser.js'],
  ['main.js'],
];

const IMPORT = /(?:from\s|import\s*\(?)\s*'(\.[^']+)'/g;

/** Return the first group of each match in a text. @param {string} text @param {RegExp} shape */
const found = (text, shape) => Array.from(text.matchAll(shape), ([, name = '']) => name);

/** Return the modules that a shape finds in a module. @param {string} file @param {RegExp} shape */
const importedBy = (file, shape) =>
  found(read(`src/${file}`), shape).map((name) => posix.join(posix.dirname(file), name));

const modules = [...filesIn('src', '.js'), ...filesIn('src', '.d.ts')];

const imports = new Map(modules.map((file) => [file, importedBy(file, IMPORT)]));

const roomOf = (file) => file.split('/')[0];
const floorOf = (file) => FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));

test('every import leads to the same room or a lower floor, and never round in a circle', () => {
  assert.deepEqual(FLOORS.flat().toSorted(), [...new Set(modules.map(roomOf))].toSorted());
  for (const [file, names] of imports)
    for (const name of names)
      assert.ok(roomOf(name) === roomOf(file) || floorOf(name) < floorOf(file), `${file}: ${name}`);
  const left = new Map(imports);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [file, names] of left) if (!names.some((name) => left.has(name))) left.delete(file);
  }
  assert.deepEqual([...left.keys()], []);
});

/** The loads of sentences. Each comes with all loads before it. */
const LOADS = ['start', 'race', 'after'];
/** The load of every name in `strings`; a later load may add to a name, but loses nothing of it. @type {Map<string, string>} */
const loadOf = new Map();
/** @type {Record<string, any>} */
const earlier = {};
for (const load of LOADS) {
  const { default: words } = await import(`../../web_client/src/strings/en/${load}.js`);
  for (const [name, value] of Object.entries(words)) {
    if (loadOf.has(name)) assert.deepEqual({ ...value, ...earlier[name] }, value, name);
    else loadOf.set(name, load);
    earlier[name] = value;
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
  const code = read(`src/${file}`).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const direct = found(code, /\bstrings\.(\w+)/g);
  const taken = found(code, /const \{ ([\w, :]+) \} = strings;/g).join();
  return [...direct, ...found(taken, /(\w+)(?:: \w+)?/g)].map((name) => {
    const load = loadOf.get(name);
    assert.ok(load, `${file}: strings.${name} does not exist`);
    return load;
  });
}

test('every load comes with the sentences of all its modules', () => {
  const roots = [['main.js', 'landing/join.js'], ['race-load.js'], ['after-load.js']];
  for (const [i, files] of roots.entries())
    for (const each of files.flatMap((file) => [...closure(file)]))
      for (const load of used(each)) assert.ok(LOADS.indexOf(load) <= i, each);
});

test('nothing but the loads comes late', () => {
  const late = modules.flatMap((file) => importedBy(file, /^[^*]*\bimport\('(\.[^'`]+)'\)/gm));
  assert.deepEqual(late.toSorted(), ['after-load.js', 'landing/join.js', 'race-load.js']);
});

const SENTENCES = /^strings\/..\//;
const STRINGS = ['strings/en/start.js', 'strings/de/start.js'];

/** Return the modules that roots need, but no sentences: which language is spoken is known only at run time. @param {string[]} roots */
const needOf = (roots) =>
  new Set(roots.flatMap((name) => [...closure(name)]).filter((name) => !SENTENCES.test(name)));

/** The modules that the front page waits for. */
const FIRST = needOf(['main.js', ...STRINGS]);

const page = read('index.html');
const [ofRooms = ''] = found(page, /<!-- Of the pages of rooms: -->(.*)<!-- Of all pages: -->/gs);
const ofAll = page.replace(ofRooms, '');

const PRELOADED = /(?:rel="modulepreload" href|async src)="\/src\/([^"]+)"/g;
/** Return the modules that a part of the page preloads or runs. @param {string} part */
const preloadedIn = (part) => found(part, PRELOADED);

test('the page preloads exactly the modules of its first screen, and a room’s page also those of the room', () => {
  assert.deepEqual(preloadedIn(ofAll).toSorted(), [...FIRST].toSorted());
  const session = [...needOf(['landing/join.js', 'race-load.js'])].filter(
    (name) => !FIRST.has(name),
  );
  assert.deepEqual(preloadedIn(ofRooms).toSorted(), session.toSorted());
  for (const name of closure('main.js')) assert.doesNotMatch(name, SENTENCES);
});
