import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeBubble } from '../../../web_client/src/board/bubble-place.js';
import {
  badgeBox,
  cardAt,
  headBox,
  isCardAt,
  layOut,
  mostCovered,
} from '../../../web_client/src/board/geometry.js';
import { example } from '../examples.js';

const piles = example('table').table.piles;

/** Foundations at the side share one place. @param {import('../../../web_client/src/board/geometry.js').Box} a @param {typeof a} b */
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

for (const [name, width, height] of [
  ['desktop', 1040, 716],
  ['phone', 390, 640],
  ['the narrowest phone', 320, 380],
  ['a phone on its side', 674, 324],
  ['a wide screen', 2320, 1300],
])
  test(`all piles lie on the board and none on another: ${name}`, () => {
    const layout = layOut(piles, width, height);
    const boxes = [...layout.slots.values()];
    for (const box of boxes) {
      assert.ok(box.x >= 0 && box.x + box.width <= width, 'in the width');
      assert.ok(box.y >= 0 && box.y + box.height <= height, 'in the height');
      assert.ok(box.width >= 24, 'wide enough to hit');
      for (const other of boxes)
        if (other !== box && other.y === box.y && !isSame(box, other))
          assert.ok(other.x >= box.x + box.width || box.x >= other.x + other.width);
    }
  });

test('the count over a column lies on no pile, at every size, and can be read', () => {
  for (const [width, height] of [
    [1040, 716],
    [390, 640],
    [320, 380],
    [674, 324],
    [520, 406],
  ]) {
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

/** The boards that the page has at eight sizes of the window. @type {[string, number, number][]} */
const BOARDS = [
  ['820x1180', 820, 988],
  ['768x1024', 768, 832],
  ['844x390', 674, 324],
  ['320x568', 320, 376],
  ['390x844', 390, 652],
  ['1280x800', 1040, 716],
  ['1920x1080', 1680, 996],
  ['2560x1440', 2320, 1356],
];

/** The part of the width from the first column, or what is beside it, to the last. @param {ReturnType<typeof layOut>} layout @param {number} width */
function used(layout, width) {
  const boxes = [...layout.slots.values()];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  return (right - Math.min(...boxes.map((box) => box.x))) / width;
}

for (const [name, width, height] of BOARDS)
  test(`the cards use the width of the board: ${name}`, () => {
    const layout = layOut(piles, width, height);
    assert.ok(used(layout, width) > 0.96, String(used(layout, width)));
  });

test('a run of thirteen reaches over half of the height of every board, unless it folds', () => {
  const run = [...'KQJT98765432A'].map((rank) => `${rank}S`);
  const table = piles.map((pile) => (pile.id === 't3' ? { ...pile, down: 0, up: run } : pile));
  for (const [name, width, height] of BOARDS) {
    const layout = layOut(table, width, height);
    if (layout.folds.has('t3')) continue;
    const end = (layout.slots.get('t3')?.y ?? 0) + (layout.offsets.get('t3')?.at(-1)?.dy ?? 0);
    assert.ok(end + layout.cardHeight > height * 0.55, `${name}: ${end} of ${height}`);
  }
});

test('on a low board the stock and the foundations lie beside the columns', () => {
  for (const [width, height] of [
    [674, 324],
    [398, 254],
    [2320, 700],
  ]) {
    const layout = layOut(piles, width, height);
    const column = layout.slots.get('t9');
    const stock = layout.slots.get('stock');
    const home = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7'].map((id) => layout.slots.get(id));
    assert.ok(column && stock);
    assert.ok(column.height > height * 0.85, 'the columns have the height');
    for (const box of home) {
      assert.ok(box && box.x >= column.x + column.width, 'at the right');
      assert.ok(box.height >= 24 && box.y + box.height <= stock.y, 'one place that can be hit');
    }
    const last = layout.offsets.get('stock')?.at(-1);
    assert.ok(stock.y + (last?.dy ?? 0) + layout.cardHeight <= height);
    assert.equal(cardAt(layout, (home[0]?.x ?? 0) + 2, 20)?.pile, 'f0');
  }
});

test('suits that are home overlap at the side, and each is seen', () => {
  const full = piles.map((pile) =>
    pile.role === 'foundation' ? { ...pile, up: ['KS', 'AS'] } : pile,
  );
  for (const [width, height] of [
    [674, 324],
    [398, 254],
  ]) {
    const { slots, offsets, cardHeight } = layOut(full, width, height);
    const tops = full
      .filter(({ role }) => role === 'foundation')
      .map(({ id }) => (slots.get(id)?.y ?? 0) + (offsets.get(id)?.at(-1)?.dy ?? 0));
    for (const [i, top] of tops.entries())
      assert.ok(top - (tops[i - 1] ?? -99) >= 7, `${top} after ${tops[i - 1]}`);
    assert.ok((tops.at(-1) ?? 0) + cardHeight <= (slots.get('stock')?.y ?? 0));
  }
});

test('a board upright keeps them above', () => {
  for (const [width, height] of [
    [820, 988],
    [320, 330],
  ]) {
    const { slots } = layOut(piles, width, height);
    assert.ok((slots.get('stock')?.y ?? 0) < (slots.get('t0')?.y ?? 0));
    assert.equal(slots.get('stock')?.x, slots.get('t0')?.x);
  }
});

test('no rank of a row is cut, at every size', () => {
  const odd = [500, 560, 640, 700].map((w) => [`${w}`, w, 340]);
  for (const [name, width, height] of [...BOARDS, ...odd]) {
    const { offsets, cardHeight, small } = layOut(piles, width, height);
    const index = (small ? 48 : 27) / 140; // the lower edge of the index, as art/faces.js draws it
    const long = [...offsets].filter(([id]) => id.startsWith('t'));
    for (const [id, spots] of long) {
      const { down = 0 } = piles.find((pile) => pile.id === id) ?? {};
      for (let i = down + 1; i < spots.length; i += 1) {
        const row = (spots[i]?.dy ?? 0) - (spots[i - 1]?.dy ?? 0);
        assert.ok(row >= Math.floor(cardHeight * index), `${name} ${id}: ${row}`);
      }
    }
  }
});

test('the rows of a game without columns share the height', () => {
  const rows = [0, 1, 2].flatMap((y) =>
    [0, 1, 2, 3].map((x) => ({ ...piles[0], id: `p${y}${x}`, x: 1.75 + x, y, fan: 'none' })),
  );
  for (const [width, height] of [
    [390, 652],
    [1040, 716],
    [674, 324],
  ]) {
    const { slots, cardHeight } = layOut(rows, width, height);
    const top = slots.get('p00')?.y ?? 0;
    const bottom = (slots.get('p20')?.y ?? 0) + cardHeight;
    assert.ok(Math.abs(top - (height - bottom)) <= 2, 'in the middle');
    assert.ok(top >= 2 && (slots.get('p10')?.y ?? 0) >= top + cardHeight + 2);
  }
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

const at = (pile, index) => ({ pile, index, fold: null });

test('a point belongs to the card on top, at rest', () => {
  const layout = layOut(piles, 1040, 716);
  const slot = layout.slots.get('t0');
  assert.ok(slot);
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 3), at('t0', 0));
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 74), at('t0', 5));
  assert.deepEqual(cardAt(layout, slot.x + 8, slot.y + 400), at('t0', 5));
  assert.deepEqual(
    [3, 74, 400].map((y) => isCardAt(layout, slot.x + 8, slot.y + y)),
    [true, true, false],
  );
  const stock = layout.slots.get('stock');
  assert.ok(stock);
  assert.deepEqual(cardAt(layout, stock.x + 2, stock.y + 2), at('stock', 9));
  assert.deepEqual(cardAt(layout, stock.x + 120, stock.y + 2), at('stock', 49));
  const foundation = layout.slots.get('f0');
  assert.ok(foundation);
  assert.deepEqual(cardAt(layout, foundation.x, foundation.y), at('f0', -1));
  assert.equal(cardAt(layout, 1, 1), null);
});

test('a folded run is taken by its first card and unfolded by its badge', () => {
  const long = ['KH', '9D', ...[...'KQJT98765432A'].map((rank) => `${rank}S`)];
  const table = piles.map((pile) => (pile.id === 't3' ? { ...pile, down: 0, up: long } : pile));
  const layout = layOut(table, 1040, 420);
  const slot = layout.slots.get('t3');
  const [fold] = layout.folds.get('t3') ?? [];
  assert.ok(slot && fold);
  assert.deepEqual([fold.kind, fold.from, fold.count], ['run', 2, 13]);
  assert.deepEqual(cardAt(layout, slot.x + 4, slot.y + fold.dy + 4), at('t3', 2));
  const badge = badgeBox(layout, 't3', fold);
  assert.ok(badge.width >= 20 && badge.height >= 24, 'it can be hit');
  assert.equal(cardAt(layout, badge.x + 2, badge.y + 2)?.fold, fold);
  const open = layOut(table, 1040, 420, new Set(['t3']));
  assert.deepEqual(
    open.folds.get('t3')?.map(({ kind }) => kind),
    ['top'],
  );
});

const BUBBLE = { width: 200, height: 44 };

function board(width, height, change = {}) {
  const table = piles.map((pile) => (pile.id === change.id ? { ...pile, ...change } : pile));
  return { layout: layOut(table, width, height), size: { width, height } };
}

/** Return the piles whose cards are under a box. @param {ReturnType<typeof layOut>} layout @param {{x: number, y: number}} at */
function covered({ slots, offsets, cardWidth, cardHeight }, { x, y }) {
  return [...slots].flatMap(([id, slot]) =>
    (offsets.get(id) ?? []).some(
      ({ dx, dy }) =>
        slot.x + dx < x + BUBBLE.width &&
        slot.x + dx + cardWidth > x &&
        slot.y + dy < y + BUBBLE.height &&
        slot.y + dy + cardHeight > y,
    )
      ? [id]
      : [],
  );
}

test('it lies below the column, on no card, and inside the board', () => {
  for (const [width, height] of [
    [1040, 716],
    [390, 652],
    [820, 988],
  ]) {
    const { layout, size } = board(width, height);
    for (const id of ['t0', 't4', 't9']) {
      const place = placeBubble(layout, size, id, BUBBLE);
      assert.deepEqual(covered(layout, place), [], `${id} at ${width}`);
      assert.ok(place.x >= 0 && place.x + BUBBLE.width <= width && !place.above);
      const slot = layout.slots.get(id);
      const middle = (slot?.x ?? 0) + layout.cardWidth / 2;
      assert.ok(Math.abs(place.x + place.tip - middle) <= 10, 'its tip is at the column');
    }
  }
});

test('without room below it lies at the upper edge, where no cards are taken', () => {
  const up = Array.from({ length: 30 }, (_, i) => (i % 2 ? '3H' : '8S'));
  const { layout, size } = board(1040, 716, { id: 't4', down: 0, up });
  const place = placeBubble(layout, size, 't4', BUBBLE);
  assert.ok(place.above && place.y < 10);
  const column = layout.slots.get('t4');
  assert.ok(place.y + BUBBLE.height < (column?.y ?? 0), 'not on the column');
});
