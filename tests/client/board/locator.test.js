import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { bindLocator, placesOf } from '../../../web_client/src/board/locator.js';
import { located } from '../../../web_client/src/strings/en/board.js';

/** @type {any} */
const TABLE = {
  piles: [
    { id: 't0', role: 'tableau', down: 2, up: ['9S', '8S', '7S'] },
    { id: 't1', role: 'tableau', down: 0, up: ['9S'] },
    { id: 'f0', role: 'foundation', down: 0, up: ['TS', '9S'] },
    { id: 'stock', role: 'stock', down: 10, up: [] },
  ],
};

test('a card is found wherever it lies face up, and told by what lies on it', () => {
  const places = placesOf(TABLE, '9S');
  assert.equal(located('9S', places), '9♠: column 1 under 2 cards, column 2 at its end and home.');
  assert.equal(located('KD', placesOf(TABLE, 'KD')), 'K♦ does not lie face up.');
});

function asking() {
  /** @type {string[]} */
  const said = [];
  /** @type {string[]} */
  const found = [];
  const locator = bindLocator({
    announce: (text) => said.push(text),
    found: (card) => found.push(card),
  });
  return { locator, said, found };
}

test('it is asked for by rank and then suit, in two keys', () => {
  const { locator, said, found } = asking();
  assert.equal(locator.hear('9'), false, 'nothing is asked yet');
  locator.ask();
  assert.deepEqual(
    [locator.hear('9'), locator.hear('Shift'), locator.hear('S')],
    [true, false, true],
  );
  locator.ask();
  for (const key of ['0', 'h']) locator.hear(key);
  assert.deepEqual(found, ['9S', 'TH']);
  assert.equal(locator.hear('s'), false, 'it is over');
  assert.equal(said.length, 4);
});

test('any other key ends the asking and does nothing else', () => {
  const { locator, said, found } = asking();
  locator.ask();
  assert.equal(locator.hear('Escape'), true);
  assert.equal(locator.hear('s'), false);
  assert.deepEqual(found, []);
  assert.equal(said.at(-1), 'Nothing is done.');
});
