import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addSample,
  carriedOver,
  firstGuess,
  NO_CLOCK,
  serverTime,
} from '../../../web_client/src/connection/clock.js';

test('the exchange with the smallest round trip counts', () => {
  let clock = addSample(NO_CLOCK, 0, 400, 10_300); // 400 ms there and back: somewhere near 10,100
  clock = addSample(clock, 1_000, 1_020, 11_010); // 20 ms: at 1,020 it was 11,020
  clock = addSample(clock, 2_000, 2_300, 12_290);
  assert.equal(serverTime(clock, 1_020), 11_020);
});

test('the first answered ping replaces a first guess', () => {
  const guess = firstGuess(NO_CLOCK, 100, 10_000);
  assert.equal(serverTime(guess, 100), 10_000);
  assert.equal(serverTime(addSample(guess, 200, 300, 10_170), 300), 10_220);
  assert.equal(firstGuess(guess, 500, 99_999), guess);
});

test('only the latest samples are kept', () => {
  let clock = addSample(NO_CLOCK, 0, 2, 1_000_001);
  for (let i = 1; i <= 8; i += 1) clock = addSample(clock, i * 100, i * 100 + 50, i * 100 + 25);
  assert.equal(serverTime(clock, 1_000), 1_000);
});

test('a new connection uses the old clock until its first ping is answered', () => {
  const old = addSample(NO_CLOCK, 0, 20, 10_010);
  assert.equal(serverTime(carriedOver(old), 500), 10_500);
  assert.equal(firstGuess(carriedOver(old), 600, 10_900).length, 1, 'which is better than a guess');
  assert.equal(
    serverTime(addSample(carriedOver(old), 700, 800, 20_000), 800),
    20_050,
    'and is replaced',
  );
  assert.equal(carriedOver(NO_CLOCK), NO_CLOCK);
});
