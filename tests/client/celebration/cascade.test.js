import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cascade, DURATION_S } from '../../../web_client/src/celebration/cascade.js';

const ROOM = { width: 1_000, height: 800, cardWidth: 80, cardHeight: 112 };
const FACES = [...'KQJT98765432A'].flatMap((rank) => [`${rank}S`, `${rank}H`]);
const PILES = [
  { x: 100, y: 20 },
  { x: 900, y: 20 },
];
let seed = 7;
const chance = () => {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const flights = cascade(ROOM, PILES, FACES, chance);

test('cards leave their piles one after another', () => {
  assert.deepEqual(
    flights.map(({ face }) => face),
    FACES,
  );
  for (const [i, { start, at }] of flights.entries()) {
    assert.equal(at(start - 0.01), null);
    assert.deepEqual(at(start), PILES[i % 2]);
    assert.ok(start > (flights[i - 1]?.start ?? -1));
  }
});

test('they bounce, never below the edge, and lower each time', () => {
  for (const { start, at } of flights) {
    let [lowest, bounces, before] = [0, 0, 0];
    for (let t = 0; t < 3; t += 0.005) {
      const y = at(start + t)?.y ?? 0;
      assert.ok(y <= 800 - 112 + 0.001, String(y));
      if (y < before && lowest < before && before > 650) bounces += 1;
      lowest = y < before ? before : 0;
      before = y;
    }
    assert.ok(bounces >= 1);
  }
});

test('all have gone over an edge in the end', () => {
  for (const { at } of flights) assert.equal(at(DURATION_S + 4), null);
});
