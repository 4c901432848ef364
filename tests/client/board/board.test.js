import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as geometry from '../../../web_client/src/board/geometry.js';
import { assignSprites, countOver, faces } from '../../../web_client/src/board/sprites.js';
import { prefer } from '../../../web_client/src/browser/storage.js';
import { parsePile } from '../../../web_client/src/contract/notation.js';
import { example } from '../examples.js';

const { badgeBox, cardAt, layOutColumn, headBox, layOut, mostCovered, placeBubble } = geometry;
const ROW = geometry.LEAST_ROW_PX;
const { piles } = example('table').table;

const sizes = (text) => text.split(' ').map((size) => size.split('x').map(Number));
const BOARDS = sizes('820x988 768x832 674x324 320x376 390x652 1040x716 1680x996 2320x1356');
const right = ({ x, width }) => x + width;
const lower = ({ y, height }) => y + height;
const areApart = (a, b) => right(a) <= b.x || right(b) <= a.x || lower(a) <= b.y || lower(b) <= a.y;
/** Foundations at the side share one place. */
const isSame = (a, b) => a.x === b.x && a.height === b.height;
/** Return the golden piles with another column 4. @param {string[]} up */
const withColumn = (up) =>
  piles.map((pile) => (pile.id === 't3' ? { ...pile, down: 0, up } : pile));
const run = (n) => [...'KQJT98765432A'.slice(0, n)].map((rank) => `${rank}S`);
const mixed = (n) => Array.from({ length: n }, (_, i) => (i % 2 ? '3H' : '8S'));
const steps = (spots) => spots.slice(1).map(({ dy }, i) => dy - (spots[i]?.dy ?? 0));
const lay = (down, up, tall, open = false) => layOutColumn({ down, up }, 129, tall, open);
const DESK = layOut(piles, 1040, 716);
/** Return how far a pile reaches, by its last card. @param {any} layout @param {string} id */
const reach = ({ areas }, id) => areas.get(id).y + (areas.get(id).spots.at(-1)?.dy ?? 0);

/** Return the boxes of all cards. @param {any} layout */
const cardsOf = ({ areas, cardWidth: width, cardHeight: height }) =>
  [...areas.values()].flatMap(({ x, y, spots }) =>
    spots.map(({ dx, dy }) => ({ x: x + dx, y: y + dy, width, height })),
  );

for (const [width, height] of [...BOARDS, ...sizes('320x380 2320x1300 520x406 500x340 640x340')])
  test(`at ${width} by ${height} no piles or counts overlap, and every rank is readable`, () => {
    const layout = layOut(piles, width, height);
    const { areas, cardHeight, small } = layout;
    const boxes = [...areas.values()];
    for (const box of boxes) {
      assert.ok(box.x >= 0 && right(box) <= width && box.y >= 0 && lower(box) <= height);
      assert.ok(box.width >= 24, 'wide enough to hit');
      for (const other of boxes)
        if (other.y === box.y && !isSame(box, other)) assert.ok(areApart(box, other));
    }
    const used = Math.max(...boxes.map(right)) - Math.min(...boxes.map(({ x }) => x));
    if (BOARDS.some(([wide]) => wide === width && height !== 1300))
      assert.ok(used / width > 0.96, `${used}`);
    const index = (small ? 48 : 27) / 140; // the lower edge of the index, as its sheet has it
    for (const { id, down } of piles.filter(({ fan }) => fan === 'down')) {
      const head = headBox(layout, areas.get(id));
      assert.ok(head.width >= 16 && head.height >= 11, JSON.stringify(head));
      for (const box of [...boxes, ...cardsOf(layout)]) assert.ok(areApart(head, box), id);
      for (const row of steps(areas.get(id).spots).slice(down))
        assert.ok(row >= Math.floor(cardHeight * index), `${id}: ${row}`);
    }
    const full = layOut(withColumn(run(13)), width, height);
    const end = reach(full, 't3') + full.cardHeight;
    assert.ok(full.areas.get('t3').folds.length > 0 || end > height * 0.55, `a run ends at ${end}`);
  });

test('cards are about 92 by 129 on a desktop and 37 by 52 on a phone', () => {
  const [desk, phone] = [DESK, layOut(piles, 390, 640)];
  assert.deepEqual([desk.cardWidth, desk.cardHeight, desk.isSmall], [92, 129, false]);
  assert.deepEqual([phone.cardWidth, phone.cardHeight, phone.isSmall], [37, 52, true]);
});

test('on a low board the stock and the foundations lie beside the columns', () => {
  const isHome = ({ role }) => role === 'foundation';
  const full = piles.map((pile) => (isHome(pile) ? { ...pile, up: ['KS', 'AS'] } : pile));
  const ids = full.filter(isHome).map(({ id }) => id);
  for (const [width, height] of sizes('674x324 398x254 2320x700')) {
    const layout = layOut(full, width, height);
    const { areas, cardHeight } = layout;
    const [last, stock, home] = ['t9', 'stock', 'f0'].map((id) => areas.get(id));
    assert.ok(last.height > height * 0.85, 'the columns have the height');
    for (const box of ids.map((id) => areas.get(id))) {
      assert.ok(box.x >= right(last), 'at the right');
      assert.ok(box.height >= 24 && lower(box) <= stock.y, 'one place that can be hit');
    }
    assert.ok(reach(layout, 'stock') + cardHeight <= height);
    assert.equal(cardAt(layout, home.x + 2, 20)?.pile, 'f0');
    // Suits that are home overlap, but each is visible.
    const tops = ids.map((id) => reach(layout, id));
    for (const [i, top] of tops.entries()) assert.ok(top - (tops[i - 1] ?? -99) >= 7, `${tops}`);
    assert.ok(tops.at(-1) + cardHeight <= stock.y);
  }
  // An upright board keeps them above.
  for (const [width, height] of sizes('820x988 320x330')) {
    const [stock, first] = ['stock', 't0'].map((id) => layOut(piles, width, height).areas.get(id));
    assert.ok(stock.y < first.y && stock.x === first.x);
  }
});

test('the rows of a game without columns share the height', () => {
  const rows = [0, 1, 2].flatMap((y) =>
    [0, 1, 2, 3].map((x) => ({ ...piles[0], id: `p${y}${x}`, x: 1.75 + x, y, fan: 'none' })),
  );
  for (const [width, height] of sizes('390x652 1040x716 674x324')) {
    const { areas, cardHeight } = layOut(rows, width, height);
    const [top, middle, last] = ['p00', 'p10', 'p20'].map((id) => areas.get(id).y);
    assert.ok(Math.abs(top - (height - last - cardHeight)) <= 2, 'in the middle');
    assert.ok(top >= 2 && middle >= top + cardHeight + 2);
  }
});

/** Return the pile and the card at a point of a pile. @param {string} id @param {number} dx @param {number} dy @param {any} [layout] */
function hitIn(id, dx, dy, layout = DESK) {
  const { x, y } = layout.areas.get(id);
  const { pile, index, onCards } = cardAt(layout, x + dx, y + dy);
  return `${pile} ${index}${onCards ? '' : ' below'}`;
}

test('a point belongs to the card on top, and dropped cards to the column that they cover most', () => {
  const inColumn = [3, 74, 400].map((dy) => hitIn('t0', 8, dy));
  assert.deepEqual(inColumn, ['t0 0', 't0 5', 't0 5 below']);
  assert.deepEqual([hitIn('stock', 2, 2), hitIn('stock', 120, 2)], ['stock 9', 'stock 49']);
  assert.deepEqual([hitIn('f0', 0, 0), cardAt(DESK, 1, 1)], ['f0 -1 below', null]);
  const { x, y } = DESK.areas.get('t3');
  const box = { x: x + 30, y: y + 40, width: 92, height: 129 };
  const covered = [['t3', 't4'], ['t4'], ['t8']].map((ids) => mostCovered(DESK, ids, box));
  assert.deepEqual(covered, ['t3', 't4', null]);
});

test('the first card of a folded run takes it in hand, and its badge unfolds it', () => {
  const table = withColumn(['KH', '9D', ...run(13)]);
  const layout = layOut(table, 1040, 420);
  const area = layout.areas.get('t3');
  const [fold] = area.folds;
  assert.deepEqual([fold.kind, fold.from, fold.count], ['run', 2, 13]);
  assert.equal(hitIn('t3', 4, fold.dy + 4, layout), 't3 2');
  const badge = badgeBox(layout, area, fold);
  assert.ok(badge.width >= 20 && badge.height >= 24, 'it can be hit');
  assert.equal(cardAt(layout, badge.x + 2, badge.y + 2)?.fold, fold);
  const open = layOut(table, 1040, 420, new Set(['t3'])).areas.get('t3');
  assert.equal(open.folds.map(({ kind }) => kind).join(), 'top');
});

test('with the keys of 1987 an unfolded column shows thirteen cards, closer together', () => {
  for (const [width, height] of sizes('674x324 1040x460 820x988 390x652')) {
    for (const up of [mixed(20), ['KH', '9D', ...run(13), ...run(6)]]) {
      const layout = layOut(withColumn(up), width, height, new Set(['t3']), true);
      const { spots, y } = layout.areas.get('t3');
      const seen = spots.filter(({ hidden }) => !hidden);
      assert.ok(seen.length >= 13, `${seen.length} at ${width} by ${height}`);
      const rank = (layout.isSmall ? 48 : 27) / 140;
      for (const row of steps(seen)) assert.ok(row >= Math.floor(layout.cardHeight * rank), row);
      assert.ok(y + seen.at(-1).dy + layout.cardHeight <= height);
    }
  }
});

test('a bubble lies below its column, on no card, and inside the board', () => {
  const size = { width: 200, height: 44 };
  for (const [width, height] of sizes('1040x716 390x652 820x988')) {
    const layout = layOut(piles, width, height);
    for (const id of ['t0', 't4', 't9']) {
      const place = placeBubble(layout, id, size);
      assert.ok(place.x >= 0 && place.x + size.width <= width && !place.above);
      for (const card of cardsOf(layout))
        assert.ok(areApart({ ...place, ...size }, card), `${id} at ${width}`);
      const middle = layout.areas.get(id).x + layout.cardWidth / 2;
      assert.ok(Math.abs(place.x + place.tip - middle) <= 10, 'its tip is at the column');
    }
  }
  // Without room below, it lies at the upper edge, where nobody takes cards.
  const layout = layOut(withColumn(mixed(30)), 1040, 716);
  const place = placeBubble(layout, 't3', size);
  assert.ok(place.above && place.y < 10);
  assert.ok(place.y + size.height < layout.areas.get('t3').y, 'not on the column');
});

test('a column is spread as widely as the others, and closes up to 24 px a row if it is long', () => {
  const { spots, folds } = lay(5, ['9S', '8S'], 560);
  assert.deepEqual([steps(spots), folds], [[14, 14, 14, 14, 14, 35], []]);
  assert.deepEqual(steps(lay(0, mixed(3), 900).spots), [50, 50]);
  assert.deepEqual(steps(lay(0, mixed(3), 2000).spots), [65, 65]);
  assert.equal(steps(lay(5, mixed(9), 900).spots).at(-1), 50);
  const long = lay(5, mixed(17), 560);
  assert.ok(Math.min(...steps(long.spots).slice(5)) >= ROW && long.spots.at(-1).dy + 129 <= 560);
  assert.deepEqual(long.folds, []);
});

test('a longer column folds its longest run, and the longest its top; an unfolded column folds no run', () => {
  const { spots, folds } = lay(5, [...run(4), ...mixed(8), ...run(13)], 560);
  assert.deepEqual(folds, [{ kind: 'run', from: 17, count: 13, dy: spots[17]?.dy }]);
  assert.ok(spots[18].dy - spots[17].dy >= ROW, 'the king is in view');
  const hidden = spots.flatMap((spot, i) => (spot.hidden ? [i] : []));
  assert.deepEqual([hidden.at(0), hidden.at(-1), hidden.length], [18, 28, 11]);
  assert.equal(spots[18].dy, spots[29].dy, 'what lies between is under the ace');
  const whole = lay(5, mixed(24), 560);
  const [{ kind, count }] = whole.folds;
  assert.ok(kind === 'top' && count > 5);
  const dys = whole.spots.map((spot) => (spot.hidden ? `hidden ${spot.dy}` : spot.dy));
  assert.deepEqual(dys.slice(0, count + 1), [...Array(count).fill('hidden 0'), ROW]);
  const open = lay(5, [...mixed(9), ...run(13)], 500, true);
  assert.equal(open.folds.map((fold) => fold.kind).join(), 'top');
  assert.ok(Math.min(...steps(open.spots.slice(-13))) >= ROW, 'each card of the run can be taken');
});

test('no column is too long, and no visible card is covered', () => {
  for (const open of [false, true])
    for (let down = 0; down <= 5; down += 1)
      for (let up = 0; up <= 60; up += 1)
        for (const cards of [mixed(up), [...mixed(up >> 1), ...run(Math.min(13, up))]])
          for (const tall of [129, 160, 300, 560]) {
            const { spots, folds } = lay(down, cards, tall, open);
            const about = `${down} and ${cards.length} in ${tall}`;
            assert.equal(spots.length, down + cards.length);
            assert.ok((spots.at(-1)?.dy ?? 0) + 129 <= tall + 1, about);
            assert.ok(!spots.at(-1)?.hidden, about);
            const seen = spots.flatMap((spot, i) => (spot.hidden || i < down ? [] : [spot]));
            assert.ok(Math.min(...steps(seen)) >= ROW - 1, about);
            const ofFold = ({ kind, count }) => (kind === 'top' ? count : count - 2);
            const counted = folds.reduce((sum, fold) => sum + ofFold(fold), 0);
            assert.equal(spots.filter((spot) => spot.hidden).length, counted, about);
          }
});

/** Show tables one after another; return the names of the cards on each, and how many are spare. @param {...any} tables */
function shown(...tables) {
  let made = 0;
  let held = new Map();
  return tables.map((texts) => {
    const views = Object.entries(texts).map(([id, text]) => parsePile(id, text));
    const match = assignSprites(held, views, () => ({ face: '-', name: `${++made}` }));
    held = match.sprites;
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

test('the player chooses whether counts are shown; a pile that is not spread always has one', () => {
  const spread = { role: 'tableau', fan: 'down', down: 3, up: ['9S'] };
  const heap = { role: 'tableau', fan: 'none', down: 0, up: ['9S', '8S'] };
  for (const [keys, choice, count] of [
    ['modern', 'auto', 0],
    ['classic', 'auto', 3],
    ['classic', 'off', 0],
    ['modern', 'on', 3],
  ]) {
    prefer('keys', keys);
    prefer('faceDown', choice);
    const counts = [spread, heap, { ...heap, up: [] }, { ...heap, role: 'foundation' }];
    assert.deepEqual(counts.map(countOver), [count, 2, 0, 0], `${keys} ${choice}`);
  }
});
