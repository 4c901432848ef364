import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsFaceDown } from '../../../web_client/src/board/face-down.js';
import { prefer } from '../../../web_client/src/core/preferences.js';

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
