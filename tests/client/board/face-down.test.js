import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsFaceDown } from '../../../web_client/src/board/face-down.js';
import { prefer } from '../../../web_client/src/core/preferences.js';

test('the keys of the manual bring the counts, until the player says otherwise', () => {
  assert.equal(showsFaceDown(), false);
  prefer('keys', 'classic');
  assert.equal(showsFaceDown(), true);
  prefer('faceDown', 'off');
  assert.equal(showsFaceDown(), false);
  prefer('keys', 'modern');
  prefer('faceDown', 'on');
  assert.equal(showsFaceDown(), true);
});
