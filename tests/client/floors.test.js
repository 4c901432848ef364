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
  ['landing', 'race'],
  ['late-parts.js', 'screens.js', 'old-browser.js'],
  ['main.js'],
];

const SRC = new URL('../../web_client/src/', import.meta.url);
const IMPORT = /(?:from\s|import\s*\(?)\s*['`](\.[^'`]+)['`]/g;

const modules = readdirSync(SRC, { recursive: true })
  .map((file) => String(file).replaceAll('\\', '/'))
  .filter((file) => /\.(js|d\.ts)$/.test(file));

/** The modules that each module imports. The files of sentences are named by an expression. */
const imports = new Map(
  modules.map((file) => [
    file,
    Array.from(readFileSync(new URL(file, SRC), 'utf8').matchAll(IMPORT), ([, name = '']) =>
      posix.join(posix.dirname(file), name),
    ).filter((name) => !name.includes('$')),
  ]),
);

/** Return the room of a module. @param {string} file */
const roomOf = (file) => file.split('/')[0] ?? '';

/** Return the floor of a module. @param {string} file */
const floorOf = (file) => FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));

test('every room has one floor', () => {
  assert.deepEqual(FLOORS.flat().toSorted(), readdirSync(SRC).toSorted());
});

test('every import leads to a module of the same room or of a lower floor', () => {
  const wrong = [...imports].flatMap(([file, names]) =>
    names
      .filter((name) => roomOf(name) !== roomOf(file) && floorOf(name) >= floorOf(file))
      .map((name) => `${file} imports ${name}`),
  );
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    [...imports.values()].flat().filter((name) => !existsSync(new URL(name, SRC))),
    [],
  );
});

test('no modules import each other in a circle', () => {
  const left = new Map(imports);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [file, names] of left) if (!names.some((name) => left.has(name))) left.delete(file);
  }
  assert.deepEqual([...left.keys()], []);
});
