// The spider and the wordmark are the same wherever they are shown.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FILES, SPIDER, wordmarkLetters } from '../../../web_client/art/identity.js';

for (const [name, draw] of Object.entries(FILES))
  test(`${name} has the drawings of art/identity.js`, () => {
    const file = readFileSync(new URL(`../../../web_client/${name}`, import.meta.url), 'utf8');
    assert.ok(file.includes(SPIDER.body) && file.includes(SPIDER.legs));
    assert.equal(draw(file), file, 'run `npm run generate` in web_client');
  });

test('the wordmark has the letters of the name from left to right', () => {
  const { letters, width } = wordmarkLetters();
  assert.equal(letters.length, 'SPIDERRACE'.length);
  for (const [i, { x }] of letters.entries()) assert.ok(x > (letters[i - 1]?.x ?? -1) && x < width);
});

test('a file without a place for the drawing is an error', () => {
  assert.throws(() => FILES['offline.html']?.('<img alt="">'), /no place/);
});
