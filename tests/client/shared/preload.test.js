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

const STRINGS = ['strings/en/start.js', 'strings/de/start.js'];

test('the front page preloads exactly the modules that it needs', () => {
  const page = readFileSync(new URL('index.html', CLIENT), 'utf8');
  const preloaded = Array.from(
    page.matchAll(/(?:rel="modulepreload" href|async src)="\/src\/([^"]+)"/g),
    ([, name]) => name,
  );
  const roots = ['main.js', 'landing/landing.js', ...STRINGS];
  const needed = roots.flatMap((name) => [...closure(name)]);
  // The page needs the strings of one language, and only finds out at run time which one.
  const known = new Set(needed.filter((name) => !name.startsWith('strings/')));
  assert.deepEqual(preloaded.toSorted(), [...known].toSorted());
});

test('no strings are imported statically by the front page', () => {
  const needed = [...closure('main.js'), ...closure('landing/landing.js')];
  assert.deepEqual(
    needed.filter((name) => name.startsWith('strings/')),
    [],
  );
});
