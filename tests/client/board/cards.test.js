import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOver, faces, rematch } from '../../../web_client/src/board/cards.js';
import { prefer } from '../../../web_client/src/browser/storage.js';
import { parsePile } from '../../../web_client/src/contract/notation.js';

/** Show tables after each other, and return the names of the cards on each, and how many were left. @param {...any} tables */
function shown(...tables) {
  let made = 0;
  let held = new Map();
  return tables.map((piles) => {
    const views = Object.entries(piles).map(([id, text]) => parsePile(id, text));
    const match = rematch(held, views, () => ({ face: '-', name: `${++made}` }));
    held = match.held;
    for (const view of views)
      for (const [i, face] of faces(view).entries()) held.get(view.id)[i].face = face;
    const names = [...held].map(([id, row]) => [id, row.map(({ name }) => name).join(' ')]);
    return { ...Object.fromEntries(names), spare: match.spare.length };
  });
}

test('moved cards keep their elements, in order, and so does the card that turns up', () => {
  const [, after] = shown({ t0: '[2] 9S 8S', t1: 'TS' }, { t0: '[1] 4H', t1: 'TS 9S 8S' });
  assert.deepEqual(after, { t0: '1 2', t1: '5 3 4', spare: 0 });
});

test('a deal comes from the top of the stock, and undo takes it back', () => {
  const before = { t0: 'KS', t1: 'QS', stock: '[4]' };
  const [, dealt, back] = shown(before, { t0: 'KS 2H', t1: 'QS 3H', stock: '[2]' }, before);
  assert.deepEqual(dealt, { t0: '1 6', t1: '2 5', stock: '3 4', spare: 0 });
  assert.equal(back.stock.split(' ').toSorted().join(), '3,4,5,6');
});

test('another game reuses elements and returns the others', () => {
  const [, { t0, ...rest }] = shown({ t0: '[5] KS', t9: '[3]' }, { t0: '2D' });
  assert.deepEqual([t0.length, rest], [1, { spare: 8 }]);
});

test('counts are shown as the player chooses, and always for a pile that is not spread', () => {
  const column = { role: 'tableau', fan: 'down', down: 3, up: ['9S'] };
  const heap = { role: 'tableau', fan: 'none', down: 0, up: ['9S', '8S'] };
  for (const [keys, choice, count] of [
    ['modern', 'auto', 0],
    ['classic', 'auto', 3],
    ['classic', 'off', 0],
    ['modern', 'on', 3],
  ]) {
    prefer('keys', keys);
    prefer('faceDown', choice);
    const counts = [column, heap, { ...heap, up: [] }, { ...heap, role: 'foundation' }];
    assert.deepEqual(counts.map(countOver), [count, 2, 0, 0], `${keys} ${choice}`);
  }
});
