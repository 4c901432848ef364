import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOver, makeLocator, placesOf } from '../../../web_client/src/board/marks.js';
import { faces, rematch } from '../../../web_client/src/board/motion.js';
import { prefer, showsFaceDown } from '../../../web_client/src/browser/storage.js';
import { located } from '../../../web_client/src/strings/en/race.js';

let made = 0;
const make = () => ({ face: '-', name: `new ${made++}` });

const pile = (id, down, ...up) => ({ id, down, up });

/** Match, and turn the cards as the board does. @param {Map<string, any[]>} held @param {any[]} piles */
function next(held, piles) {
  const match = rematch(held, piles, make);
  for (const each of piles)
    faces(each).forEach((face, i) => {
      const sprite = match.held.get(each.id)?.[i];
      if (sprite) sprite.face = face;
    });
  return match;
}
const names = (row) => row?.map((sprite) => sprite.name);

test('moved cards keep their elements, in order, and so does the card that turns up', () => {
  const before = next(new Map(), [pile('t0', 2, '9S', '8S'), pile('t1', 0, 'TS')]);
  const was = names(before.held.get('t0')) ?? [];
  const after = next(before.held, [pile('t0', 1, '4H'), pile('t1', 0, 'TS', '9S', '8S')]);
  assert.deepEqual(names(after.held.get('t0')), was.slice(0, 2));
  assert.deepEqual(names(after.held.get('t1'))?.slice(1), was.slice(2));
  assert.deepEqual(after.spare, []);
});

test('a deal comes from the top of the stock, and undo takes it back', () => {
  const before = next(new Map(), [pile('t0', 0, 'KS'), pile('t1', 0, 'QS'), pile('stock', 4)]);
  const stock = names(before.held.get('stock')) ?? [];
  const columns = [pile('t0', 0, 'KS', '2H'), pile('t1', 0, 'QS', '3H')];
  const dealt = next(before.held, [...columns, pile('stock', 2)]);
  const on = [names(dealt.held.get('t0'))?.[1], names(dealt.held.get('t1'))?.[1]];
  assert.deepEqual(on.toSorted(), stock.slice(2).toSorted());
  const undone = next(dealt.held, [pile('t0', 0, 'KS'), pile('t1', 0, 'QS'), pile('stock', 4)]);
  assert.deepEqual(names(undone.held.get('stock'))?.toSorted(), stock.toSorted());
});

test('another game reuses elements and returns the others', () => {
  const before = next(new Map(), [pile('t0', 5, 'KS'), pile('t9', 3)]);
  const after = next(before.held, [pile('t0', 0, '2D')]);
  assert.deepEqual([after.held.get('t0')?.length, after.held.has('t9')], [1, false]);
  assert.equal(after.spare.length, 8);
});

test('counts are shown as the player chooses, and always for a pile that is not spread', () => {
  assert.equal(showsFaceDown(), false);
  prefer('keys', 'classic');
  assert.equal(showsFaceDown(), true);
  prefer('faceDown', 'off');
  assert.equal(showsFaceDown(), false);
  prefer('keys', 'modern');
  prefer('faceDown', 'on');
  assert.equal(showsFaceDown(), true);
  const heap = { role: 'tableau', fan: 'none', down: 0, up: ['9S', '8S'] };
  assert.deepEqual([countOver(heap), countOver({ ...heap, up: [] })], [2, 0]);
  assert.equal(countOver({ ...heap, role: 'foundation' }), 0);
  prefer('faceDown', 'off');
  assert.equal(countOver({ ...heap, fan: 'down', down: 3 }), 0);
  prefer('faceDown', 'on');
  assert.equal(countOver({ ...heap, fan: 'down', down: 3 }), 3);
});

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
  const words = '9♠: column 1 under 2 cards, column 2 at its end and on a foundation.';
  assert.equal(located('9S', places), words);
  assert.equal(located('KD', placesOf(TABLE, 'KD')), 'K♦ isn’t face up.');
});

test('a card is named by two keys, and any other key cancels the search', () => {
  const [said, found] = [[], []];
  const announce = (text) => said.push(text);
  const locator = makeLocator({ announce, found: (card) => found.push(card) });
  assert.equal(locator.receive('9'), false, 'no card is asked for yet');
  locator.ask();
  const taken = ['9', 'Shift', 'S'].map(locator.receive);
  assert.deepEqual(taken, [true, false, true]);
  locator.ask();
  for (const key of ['0', 'h']) locator.receive(key);
  assert.deepEqual(found, ['9S', 'TH']);
  assert.equal(locator.receive('s'), false, 'the search is over');
  assert.equal(said.length, 4);
  // Any other key cancels, and does nothing else.
  locator.ask();
  assert.deepEqual([locator.receive('Escape'), locator.receive('s')], [true, false]);
  assert.deepEqual([found.length, said.at(-1)], [2, 'Cancelled.']);
});
