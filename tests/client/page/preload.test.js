import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';

const CLIENT = new URL('../../../web_client/', import.meta.url);

/** Return a module and all modules that it imports statically. @param {string} file @param {Set<string>} known */
function closure(file, known = new Set()) {
  if (known.has(file)) return known;
  known.add(file);
  const code = readFileSync(new URL(`src/${file}`, CLIENT), 'utf8');
  for (const [, name] of code.matchAll(/^(?:import|export|\}) .*?from '(\.[^']+)';$/gm))
    if (name) closure(posix.join(posix.dirname(file), name), known);
  return known;
}

/** The modules of sentences. */
const SENTENCES = /^strings\/..\//;
const STRINGS = ['strings/en/start.js', 'strings/de/start.js'];

/** Return the modules that roots need, but no sentences: which language is spoken is known only at run time. @param {string[]} roots */
const needOf = (roots) =>
  new Set(roots.flatMap((name) => [...closure(name)]).filter((name) => !SENTENCES.test(name)));

/** What the front page waits for. */
const FIRST = needOf(['main.js', 'landing/landing.js', ...STRINGS]);

const page = readFileSync(new URL('index.html', CLIENT), 'utf8');
const [, ofRooms = ''] =
  page.match(/<!-- Of the pages of rooms: -->(.*)<!-- Of all pages: -->/s) ?? [];
const ofAll = page.replace(ofRooms, '');

/** Return the modules that a part of the page preloads or runs. @param {string} part */
const preloadedIn = (part) =>
  Array.from(
    part.matchAll(/(?:rel="modulepreload" href|async src)="\/src\/([^"]+)"/g),
    ([, name = '']) => name,
  );

test('the page preloads exactly the modules that its first screen needs', () => {
  assert.deepEqual(preloadedIn(ofAll).toSorted(), [...FIRST].toSorted());
});

test('the pages of rooms preload the modules of the session too', () => {
  const session = [...needOf(['page/session.js'])].filter((name) => !FIRST.has(name));
  assert.deepEqual(preloadedIn(ofRooms).toSorted(), session.toSorted());
});

test('no strings are imported statically by the front page', () => {
  const needed = [...closure('main.js'), ...closure('landing/landing.js')];
  assert.deepEqual(
    needed.filter((name) => SENTENCES.test(name)),
    [],
  );
});
