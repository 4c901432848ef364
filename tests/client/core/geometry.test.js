import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  badgeBox,
  cardAt,
  headBox,
  layOut,
  mostCovered,
} from '../../../web_client/src/core/geometry.js';
import { example } from '../examples.js';

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

test('the count over a column lies on no pile, at every size, and can be read', () => {
  for (const [width, height] of /** @type {[number, number][]} */ ([
    [1040, 716],
    [390, 640],
    [320, 380],
    [674, 324],
    [520, 406],
  ])) {
    const layout = layOut(piles, width, height);
    const cards = [...layout.slots].map(([id, slot]) => {
      const last = layout.offsets.get(id)?.at(-1);
      return { ...slot, width: slot.width + (last?.dx ?? 0) };
    });
    for (const { id } of piles.filter(({ fan }) => fan === 'down')) {
      const { left, top, width: wide, height: high } = headBox(layout, id);
      assert.ok(wide >= 16 && high >= 11, `${width}: ${wide} by ${high}`);
      for (const box of cards)
        assert.ok(
          left + wide <= box.x ||
            left >= box.x + box.width ||
            top + high <= box.y ||
            top >= box.y + box.height,
          `${id} at ${width}`,
        );
    }
  }
});

test('cards are about 92 by 129 on a desktop and 37 by 52 on a phone', () => {
  const desktop = layOut(piles, 1040, 716);
  assert.deepEqual([desktop.cardWidth, desktop.cardHeight, desktop.small], [92, 129, false]);
  const phone = layOut(piles, 390, 640);
  assert.deepEqual([phone.cardWidth, phone.cardHeight, phone.small], [37, 52, true]);
});

test('dropped cards go to the column that they cover most', () => {
  const layout = layOut(piles, 1040, 716);
  const slot = layout.slots.get('t3');
  assert.ok(slot);
  const box = { x: slot.x + 30, y: slot.y + 40, width: 92, height: 129 };
  assert.equal(mostCovered(layout, ['t3', 't4'], box), 't3');
  assert.equal(mostCovered(layout, ['t4'], box), 't4');
  assert.equal(mostCovered(layout, ['t8'], box), null);
});

test('a point belongs to the card on top, at rest', () => {
  const layout = layOut(piles, 1040, 716);
  const slot = layout.slots.get('t0');
  assert.ok(slot);
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 3), { pile: 't0', index: 0, fold: null });
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 74), { pile: 't0', index: 5, fold: null });
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 400), { pile: 't0', index: 5, fold: null });
  const stock = layout.slots.get('stock');
  assert.ok(stock);
  assert.deepEqual(cardAt(layout, stock.x + 2, stock.y + 2), {
    pile: 'stock',
    index: 9,
    fold: null,
  });
  assert.deepEqual(cardAt(layout, stock.x + 120, stock.y + 2), {
    pile: 'stock',
    index: 49,
    fold: null,
  });
  const foundation = layout.slots.get('f0');
  assert.ok(foundation);
  assert.deepEqual(cardAt(layout, foundation.x, foundation.y), {
    pile: 'f0',
    index: -1,
    fold: null,
  });
  assert.equal(cardAt(layout, 1, 1), null);
});

test('a folded run is taken by its first card and unfolded by its badge', () => {
  const long = ['KH', '9D', ...[...'KQJT98765432A'].map((rank) => `${rank}S`)];
  const table = piles.map((/** @type {any} */ pile) =>
    pile.id === 't3' ? { ...pile, down: 0, up: long } : pile,
  );
  const layout = layOut(table, 1040, 420);
  const slot = layout.slots.get('t3');
  const [fold] = layout.folds.get('t3') ?? [];
  assert.ok(slot && fold);
  assert.deepEqual([fold.kind, fold.from, fold.count], ['run', 2, 13]);
  assert.deepEqual(cardAt(layout, slot.x + 4, slot.y + fold.dy + 4), {
    pile: 't3',
    index: 2,
    fold: null,
  });
  const badge = badgeBox(layout, 't3', fold);
  assert.ok(badge.width >= 20 && badge.height >= 24, 'it can be hit');
  assert.equal(cardAt(layout, badge.x + 2, badge.y + 2)?.fold, fold);
  const open = layOut(table, 1040, 420, new Set(['t3']));
  assert.deepEqual(
    open.folds.get('t3')?.map(({ kind }) => kind),
    ['top'],
  );
});
