import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SHEETS } from '../../../web_client/art/faces.js';

for (const [name, draw] of Object.entries(SHEETS))
  test(`css/${name} is what art/faces.js draws`, () => {
    const target = new URL(`../../../web_client/css/${name}`, import.meta.url);
    assert.ok(readFileSync(target, 'utf8') === draw(), 'run `node art/faces.js` in web_client');
  });
