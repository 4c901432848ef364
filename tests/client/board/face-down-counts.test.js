import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOver, showsFaceDown } from '../../../web_client/src/board/face-down-counts.js';
import { prefer } from '../../../web_client/src/browser/storage.js';

test('the classic keys show the counts until the player chooses', () => {
  assert.equal(showsFaceDown(), false);
  prefer('keys', 'classic');
  assert.equal(showsFaceDown(), true);
  prefer('faceDown', 'off');
  assert.equal(showsFaceDown(), false);
  prefer('keys', 'modern');
  prefer('faceDown', 'on');
  assert.equal(showsFaceDown(), true);
});

test('a pile that is not spread has a count of all its cards, whatever the player chose', () => {
  const pile = { role: 'tableau', fan: 'none', down: 0, up: ['9S', '8S'] };
  assert.equal(countOver(pile), 2);
  assert.equal(countOver({ ...pile, up: [] }), 0);
  assert.equal(countOver({ ...pile, role: 'foundation' }), 0);
  prefer('faceDown', 'off');
  assert.equal(countOver({ ...pile, fan: 'down', down: 3 }), 0);
  prefer('faceDown', 'on');
  assert.equal(countOver({ ...pile, fan: 'down', down: 3 }), 3);
});
