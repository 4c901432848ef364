import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makeLocator, placesOf } from '../../../web_client/src/board/locator.js';
import { located } from '../../../web_client/src/strings/en/board.js';

const TABLE = {
  piles: [
    { id: 't0', role: 'tableau', down: 2, up: ['9S', '8S', '7S'] },
    { id: 't1', role: 'tableau', down: 0, up: ['9S'] },
    { id: 'f0', role: 'foundation', down: 0, up: ['TS', '9S'] },
    { id: 'stock', role: 'stock', down: 10, up: [] },
  ],
};

test('a card is found wherever it lies face up, with the number of cards on it', () => {
  const places = placesOf(TABLE, '9S');
  assert.equal(
    located('9S', places),
    '9♠: column 1 under 2 cards, column 2 at its end and on a foundation.',
  );
  assert.equal(located('KD', placesOf(TABLE, 'KD')), 'K♦ isn’t face up.');
});

function asking() {
  const said = [];
  const found = [];
  const locator = makeLocator({
    announce: (text) => said.push(text),
    found: (card) => found.push(card),
  });
  return { locator, said, found };
}

test('a card is named by two keys, its rank and its suit', () => {
  const { locator, said, found } = asking();
  assert.equal(locator.receive('9'), false, 'no card is asked for yet');
  locator.ask();
  assert.deepEqual(
    [locator.receive('9'), locator.receive('Shift'), locator.receive('S')],
    [true, false, true],
  );
  locator.ask();
  for (const key of ['0', 'h']) locator.receive(key);
  assert.deepEqual(found, ['9S', 'TH']);
  assert.equal(locator.receive('s'), false, 'the search is over');
  assert.equal(said.length, 4);
});

test('any other key cancels the search and does nothing else', () => {
  const { locator, said, found } = asking();
  locator.ask();
  assert.equal(locator.receive('Escape'), true);
  assert.equal(locator.receive('s'), false);
  assert.deepEqual(found, []);
  assert.equal(said.at(-1), 'Cancelled.');
});
