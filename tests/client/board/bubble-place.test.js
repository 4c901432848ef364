import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeBubble } from '../../../web_client/src/board/bubble-place.js';
import { layOut } from '../../../web_client/src/board/geometry.js';
import { example } from '../examples.js';

const piles = example('table').table.piles;
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
