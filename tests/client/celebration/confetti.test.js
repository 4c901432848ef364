import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confetti, DURATION_S } from '../../../web_client/src/celebration/confetti.js';

const pieces = confetti(1_000, 800, () => 0.5);

test('pips rise from below the edge, fall, and are gone at the end', () => {
  for (const piece of pieces) {
    const begin = piece.at(0);
    assert.ok(begin.y > 800 && begin.fade === 1);
    const heights = [0.4, 0.8, 1.2, 2.5].map((seconds) => piece.at(seconds).y);
    assert.ok(Math.min(...heights) < 700, 'the piece is visible');
    assert.ok(Math.min(...heights) > -100, 'the piece stays near the window');
    assert.equal(piece.at(DURATION_S).fade, 0);
  }
});

test('pips come from both sides, in all four suits', () => {
  assert.deepEqual(new Set(pieces.map((piece) => piece.pip)), new Set('♠♥♣♦'));
  assert.deepEqual(new Set(pieces.map((piece) => piece.at(0).x)), new Set([0, 1_000]));
});
