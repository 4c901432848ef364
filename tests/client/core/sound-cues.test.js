import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toneOf } from '../../../web_client/src/core/sound-cues.js';

const counts = (suits, face_down) => ({ suits, face_down, moves: 0 });
const playing = (type) => ({
  play: { base: { counts: counts(1, 20) }, flying: [{ id: 7, action: { type } }] },
});
const acted = (suits, face_down, outcome = null) => ({
  type: 'acted',
  id: 7,
  outcome,
  counts: counts(suits, face_down),
});
const race = (...states) => ({
  me: { seat: 0 },
  room: { code: 'A', state: 'RUNNING' },
  standings: states.map((state, seat) => ({ seat, state })),
});

test('one tone tells the greatest of what an act has done', () => {
  const tone = (type, message) => toneOf(playing(type), playing(type), message);
  assert.equal(tone('move', acted(1, 20)), 'put');
  assert.equal(tone('move', acted(1, 19)), 'turn');
  assert.equal(tone('move', acted(2, 19)), 'home');
  assert.equal(tone('remove', acted(2, 20)), 'home');
  assert.equal(tone('deal', acted(1, 20)), 'deal');
  assert.equal(tone('move', acted(8, 0, 'won')), 'won');
});

test('who comes home is heard by the others, once, and one’s own coming is not', () => {
  const tone = (before, after) => toneOf(before, after, { type: 'standings' });
  assert.equal(tone(race('RACING', 'RACING'), race('RACING', 'FINISHED')), 'other');
  assert.equal(tone(race('RACING', 'FINISHED'), race('RACING', 'FINISHED')), null);
  assert.equal(tone(race('RACING', 'RACING'), race('FINISHED', 'RACING')), null);
  assert.equal(tone(race('RACING', 'RACING'), race('RACING', 'FORFEIT')), null);
  assert.equal(tone(race(), race('RACING', 'FINISHED')), null, 'a page that was just opened');
});
