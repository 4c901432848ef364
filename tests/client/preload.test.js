import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import './english.js';

const CLIENT = new URL('../../web_client/', import.meta.url);

/** A module and all that it needs before it runs. @param {string} file @param {Set<string>} known */
function withNeeds(file, known = new Set()) {
  if (known.has(file)) return known;
  known.add(file);
  const code = readFileSync(new URL(`src/${file}`, CLIENT), 'utf8');
  for (const [, name] of code.matchAll(/^(?:import|export|\}) .*?from '\.\/([^']+)';$/gm))
    if (name) withNeeds(name, known);
  return known;
}

const CATALOGUES = ['strings.js', 'strings.de.js'];

test('the front page asks at once for just the modules that it needs', () => {
  const page = readFileSync(new URL('index.html', CLIENT), 'utf8');
  const asked = Array.from(
    page.matchAll(/(?:rel="modulepreload" href|async src)="\/src\/([^"]+)"/g),
    ([, name]) => name,
  );
  const needed = ['main.js', 'landing.js', ...CATALOGUES].flatMap((name) => [...withNeeds(name)]);
  // Of the catalogues only one is needed; which one it is, the page finds out.
  const known = new Set(needed.filter((name) => !CATALOGUES.includes(name)));
  assert.deepEqual(asked.toSorted(), [...known].toSorted());
});

test('no catalogue comes unasked', () => {
  const needed = withNeeds('main.js');
  for (const name of CATALOGUES) assert.equal(needed.has(name), false, name);
});
