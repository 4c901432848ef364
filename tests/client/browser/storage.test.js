import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { isMuted, mutedIn, storeMuted } from '../../../web_client/src/browser/storage.js';

/** @type {Map<string, string>} */
const stored = new Map();
beforeEach(() => {
  stored.clear();
  globalThis.localStorage = /** @type {any} */ ({
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
  });
});

test('the next owner of the number of a muted player is not muted', () => {
  storeMuted('7K3QZ0A', new Map([[3, 'Eve']]));
  const muted = mutedIn('7K3QZ0A');
  assert.equal(isMuted(muted, 3, 'Eve'), true);
  assert.equal(isMuted(muted, 3, 'Finn'), false);
  assert.equal(isMuted(muted, 4, 'Eve'), false);
  assert.equal(mutedIn('another').size, 0);
});

test('players who were muted by their seats alone stay muted', () => {
  stored.set('spider-race.silenced', JSON.stringify({ '7K3QZ0A': [3] }));
  const muted = mutedIn('7K3QZ0A');
  assert.equal(isMuted(muted, 3, 'Eve'), true);
});
