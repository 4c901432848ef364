import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeSeats, placeAt, roundOf } from '../../../web_client/src/room/places.js';

const room = (players, settings = {}) => ({
  seats: [
    ...Array.from({ length: players }, (_, seat) => ({ seat, role: 'player' })),
    { seat: 99, role: 'spectator' },
  ],
  settings: { max_players: 100, locked: false, ...settings },
});

test('a small room has four places, and one more for a friend until eight players are in', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 7, 8, 12].map((players) => freeSeats(room(players))),
    [3, 2, 1, 1, 1, 0, 0],
  );
});

test('no seat is free that nobody could take', () => {
  assert.equal(freeSeats(room(2, { max_players: 3 })), 1);
  assert.equal(freeSeats(room(2, { max_players: 2 })), 0);
  assert.equal(freeSeats(room(3, { max_players: 2 })), 0);
  assert.equal(freeSeats(room(2, { locked: true })), 0);
  assert.equal(freeSeats(room(1, { max_players: 1 })), 0);
});

test('the first place is below the middle, and the others follow clockwise', () => {
  const places = [0, 1, 2, 3].map((at) => placeAt(at, 4));
  assert.deepEqual(
    places.map(({ x, y }) => [Math.round(x) + 0, Math.round(y) + 0]),
    [
      [0, 1],
      [-1, 0],
      [0, -1],
      [1, 0],
    ],
  );
  assert.ok(Math.abs(placeAt(-1, 3).x - placeAt(2, 3).x) < 1e-9, 'before the first is the last');
});

test('twelve places stand round the table, and more stand across it', () => {
  assert.deepEqual([1, 8, 9, 12, 13].map(roundOf), ['few', 'few', 'many', 'many', '']);
});
