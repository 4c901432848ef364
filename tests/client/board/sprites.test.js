import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faces, rematch } from '../../../web_client/src/board/sprites.js';

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
  const dealt = next(before.held, [
    pile('t0', 0, 'KS', '2H'),
    pile('t1', 0, 'QS', '3H'),
    pile('stock', 2),
  ]);
  const on = [names(dealt.held.get('t0'))?.[1], names(dealt.held.get('t1'))?.[1]];
  assert.deepEqual(on.toSorted(), stock.slice(2).toSorted());
  const undone = next(dealt.held, [pile('t0', 0, 'KS'), pile('t1', 0, 'QS'), pile('stock', 4)]);
  assert.deepEqual(names(undone.held.get('stock'))?.toSorted(), stock.toSorted());
});

test('another game reuses elements and returns the others', () => {
  const before = next(new Map(), [pile('t0', 5, 'KS'), pile('t9', 3)]);
  const after = next(before.held, [pile('t0', 0, '2D')]);
  assert.equal(after.held.get('t0')?.length, 1);
  assert.equal(after.held.has('t9'), false);
  assert.equal(after.spare.length, 8);
});
