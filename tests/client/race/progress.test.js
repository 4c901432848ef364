import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import { progress } from '../../../web_client/src/race/progress.js';

test('progress goes from the deal to all cards home, in every game', () => {
  for (const [id, { cards, face_down }] of Object.entries(GAMES)) {
    const start = { home: 0, face_down, won: false };
    assert.equal(progress(start, id), 0, id);
    assert.equal(progress({ ...start, face_down: 0 }, id), face_down ? 0.5 : 0, id);
    const half = { ...start, home: cards / 2, face_down: face_down / 2 };
    assert.equal(progress(half, id), 0.5, id);
    assert.equal(progress({ ...start, home: cards, face_down: 0 }, id), 1, id);
    assert.equal(progress({ ...start, won: true }, id), 1, id);
  }
});
