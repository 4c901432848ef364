import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cardsCss } from '../../web_client/art/faces.js';

const TARGET = new URL('../../web_client/css/cards.css', import.meta.url);

test('css/cards.css is what art/faces.js draws', () => {
  assert.ok(readFileSync(TARGET, 'utf8') === cardsCss(), 'run `node art/faces.js` in web_client');
});
