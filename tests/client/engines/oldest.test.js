import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lackedOfSheet, lackedSyntax, oldestDom } from './support.js';

const client = fileURLToPath(new URL('../../../web_client/', import.meta.url));
const read = (name) => readFileSync(join(client, name), 'utf8');
const sheets = readdirSync(join(client, 'css'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.css'));
const modules = readdirSync(join(client, 'src'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.js'));

/** What a sheet may use although some lack it: nothing depends on it. */
const ORNAMENT = [
  /^accent-color/, // a checkbox in the browser's own colour
  /^cursor: /, // no pointer on a phone
  /^font-family: ui-/, // another font of the list
  /^forced-color-adjust/, // colours by the system, where it forces them
  /^hyphens/, // lines that end earlier
  /^overscroll-behavior/, // the page behind a list may scroll at the list's end
  /^paint-order/, // a thinner outline
  /^scrollbar-color/, // a bar in other colours
  /^text-wrap/, // lines of unequal length
];

/** What the page tries, and does without where it is missing. */
const TRIED = new Set([
  'Navigator.canShare', // the picture is saved instead
  'Navigator.share', // the link is copied instead
  'Navigator.userActivation',
  'Navigator.vibrate',
  'Navigator.wakeLock',
  'PerformanceResourceTiming.responseStatus',
  'UserActivation.hasBeenActive',
  'WakeLock.request',
  'WakeLockSentinel.release',
  'WakeLockSentinel.released',
]);

for (const name of sheets)
  test(`the oldest browsers that play know all of ${name}`, () => {
    const lacked = lackedOfSheet(read(`css/${name}`));
    assert.deepEqual(
      lacked.filter((each) => !ORNAMENT.some((shape) => shape.test(each))),
      [],
    );
  });

test('the oldest browsers that play know all syntax, and ES5 is enough for the script of older ones', () => {
  for (const name of modules) assert.deepEqual(lackedSyntax(read(`src/${name}`)), [], name);
  assert.deepEqual(lackedSyntax(read('src/old-browser.js'), 5), []);
  assert.notDeepEqual(lackedSyntax('const a = 1', 5), []);
});

test('the oldest browsers that play have all members of the DOM that modules use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oldest-'));
  try {
    const [platform = ''] = readdirSync(join(client, 'node_modules/@typescript'));
    const library = read(join('node_modules/@typescript', platform, 'lib/lib.dom.d.ts'));
    writeFileSync(join(folder, 'dom.d.ts'), oldestDom(library, TRIED));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(client, 'tsconfig.json'),
        compilerOptions: { lib: ['es2023'] },
        files: ['dom.d.ts'],
        include: [join(client, 'src')],
      }),
    );
    execFileSync(join(client, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(error.stdout ?? String(error));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
