import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPodium } from '../../../web_client/src/results/podium.js';

const placed = (...places) => places.map((place, seat) => ({ seat, name: `P${seat}`, place }));
const seats = (...places) => onPodium(placed(...places), true).map(({ seat }) => seat);

test('the first three of a ranking stand on the podium', () => {
  assert.deepEqual(seats(1, 2), [0, 1]);
  assert.deepEqual(seats(1, 2, 3, 4), [0, 1, 2]);
});

test('tied players stand on it together or not at all', () => {
  assert.deepEqual(seats(1, 2, 3, 3), [0, 1]);
  assert.deepEqual(seats(1, 2, 2, 4), [0, 1, 2]);
});

test('players off the ranking have no place on it', () => {
  assert.deepEqual(seats(1, 2, null), [0, 1]);
});

test('there is no podium without rivals or without a winner', () => {
  assert.deepEqual(seats(1), []);
  assert.deepEqual(onPodium(placed(1, 2), false), []);
});

test('players without an act, or who gave up, do not stand on it', () => {
  const [ada, bob, cy, dee] = placed(1, 1, 3, 4);
  const players = [
    { ...ada, has_acted: false },
    { ...bob, has_acted: true },
    { ...cy, state: 'FORFEIT', won: true },
    { ...dee, state: 'FORFEIT', won: false },
  ];
  const shown = onPodium(players, true);
  assert.deepEqual(
    shown.map(({ name }) => name),
    ['P1', 'P2'],
  );
});

test('a card of a match stands on it with a round that was played to its end', () => {
  const line = { place: 1, score: 0, moves: 0, exceptions: 0, hints: 0, cheats: 0, time_ms: 0 };
  const played = { ...line, won: false, given_up: false, is_win: false, has_acted: true };
  const [ada, bob, cy] = placed(1, 2, 3);
  const cards = [
    {
      ...ada,
      lines: [
        { ...played, given_up: true },
        { ...played, has_acted: false },
      ],
    },
    { ...bob, lines: [null, played] },
    { ...cy, lines: [{ ...played, has_acted: false }] },
  ];
  assert.deepEqual(
    onPodium(cards, true).map(({ name }) => name),
    ['P1'],
  );
});
