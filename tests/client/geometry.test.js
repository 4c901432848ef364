import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardAt, fanDown, layOut, mostCovered, ROW } from '../../web_client/src/geometry.js';
import { example } from './examples.js';

const piles = example('table').table.piles;

for (const [name, width, height] of /** @type {[string, number, number][]} */ ([
  ['desktop', 1040, 716],
  ['phone', 390, 640],
  ['the narrowest phone', 320, 380],
  ['a phone on its side', 674, 324],
  ['a wide screen', 2320, 1300],
]))
  test(`all piles lie on the board and none on another: ${name}`, () => {
    const layout = layOut(piles, width, height);
    const boxes = [...layout.slots.values()];
    for (const box of boxes) {
      assert.ok(box.x >= 0 && box.x + box.width <= width, 'in the width');
      assert.ok(box.y >= 0 && box.y + box.height <= height, 'in the height');
      assert.ok(box.width >= 24, 'wide enough to hit');
      for (const other of boxes)
        if (other !== box && other.y === box.y)
          assert.ok(other.x >= box.x + box.width || box.x >= other.x + other.width);
    }
  });

test('cards are about 92 by 129 on a desktop and 37 by 52 on a phone', () => {
  const desktop = layOut(piles, 1040, 716);
  assert.deepEqual([desktop.cardWidth, desktop.cardHeight, desktop.small], [92, 129, false]);
  const phone = layOut(piles, 390, 640);
  assert.deepEqual([phone.cardWidth, phone.cardHeight, phone.small], [37, 52, true]);
});

const RANKS = 'KQJT98765432A';
const run = (/** @type {number} */ n) => [...RANKS.slice(0, n)].map((rank) => `${rank}S`);
const mixed = (/** @type {number} */ n) =>
  Array.from({ length: n }, (_, i) => (i % 2 ? '3H' : '8S'));

/** @param {{dy: number}[]} offsets */
const steps = (offsets) => offsets.slice(1).map(({ dy }, i) => dy - (offsets[i]?.dy ?? 0));

test('a short column is spread at ease', () => {
  const offsets = fanDown({ down: 5, up: ['9S', '8S'] }, 129, 560);
  assert.deepEqual(steps(offsets), [14, 14, 14, 14, 14, 35]);
});

test('a long column first closes up, but its rows stay 24 px apart', () => {
  const offsets = fanDown({ down: 5, up: mixed(17) }, 129, 560);
  assert.ok(Math.min(...steps(offsets).slice(5)) >= ROW - 1);
  assert.ok((offsets.at(-1)?.dy ?? 0) + 129 <= 560);
});

test('then its runs fold, with their ends in view', () => {
  const offsets = fanDown({ down: 5, up: [...mixed(9), ...run(13)] }, 129, 560);
  const of = steps(offsets).slice(5 + 9);
  assert.ok((of[0] ?? 0) >= ROW, 'the king is in view');
  assert.ok(
    of.slice(1, 11).some((step) => step < ROW),
    'what lies between is folded',
  );
  assert.ok((offsets.at(-1)?.dy ?? 0) + 129 <= 560);
});

test('no column is too long for the board', () => {
  for (let down = 0; down <= 5; down += 1)
    for (let up = 0; up <= 60; up += 1)
      for (const tall of [160, 300, 560]) {
        const offsets = fanDown({ down, up: mixed(up) }, 129, tall);
        assert.equal(offsets.length, down + up);
        assert.ok((offsets.at(-1)?.dy ?? 0) + 129 <= tall + 1, `${down} and ${up} in ${tall}`);
        assert.ok(steps(offsets).every((step) => step >= 0));
      }
});

test('a drop goes to the column that is covered most', () => {
  const layout = layOut(piles, 1040, 716);
  const slot = layout.slots.get('t3');
  assert.ok(slot);
  const box = { x: slot.x + 30, y: slot.y + 40, width: 92, height: 129 };
  assert.equal(mostCovered(layout, ['t3', 't4'], box), 't3');
  assert.equal(mostCovered(layout, ['t4'], box), 't4');
  assert.equal(mostCovered(layout, ['t8'], box), null);
});

test('a point is the card that lies on top there, at rest', () => {
  const layout = layOut(piles, 1040, 716);
  const slot = layout.slots.get('t0');
  assert.ok(slot);
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 3), { pile: 't0', index: 0 });
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 74), { pile: 't0', index: 5 });
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 400), { pile: 't0', index: 5 });
  const stock = layout.slots.get('stock');
  assert.ok(stock);
  assert.deepEqual(cardAt(layout, stock.x + 2, stock.y + 2), { pile: 'stock', index: 9 });
  assert.deepEqual(cardAt(layout, stock.x + 120, stock.y + 2), { pile: 'stock', index: 49 });
  const foundation = layout.slots.get('f0');
  assert.ok(foundation);
  assert.deepEqual(cardAt(layout, foundation.x, foundation.y), { pile: 'f0', index: -1 });
  assert.equal(cardAt(layout, 1, 1), null);
});
