import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reduce } from '../../../web_client/src/state/reducer.js';
import {
  hasComputer,
  NOTHING,
  programSeats,
  screenOf,
} from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';

test('each room state has its screen', () => {
  assert.equal(screenOf(NOTHING), 'landing');
  const seated = reduce(NOTHING, example('joined', 'first player'));
  assert.equal(screenOf(seated), 'room');
  assert.equal(screenOf(reduce(seated, example('room', 'countdown'))), 'countdown');
  assert.equal(screenOf(reduce(seated, example('room', 'race is on'))), 'race');
});

test('programs are those in the room, and players of its round who have left', () => {
  const { room } = example('joined');
  const [ada, grace] = room.seats;
  const seats = [ada, { ...grace, kind: 'program' }];
  assert.deepEqual([...programSeats({ ...room, seats })], [[1, null]]);
  const round = { programs: [1, 7] };
  assert.deepEqual([...programSeats({ ...room, seats, round }).keys()].sort(), [1, 7]);
  assert.equal(programSeats(null).size, 0);
});

test('a computer player is a program with a level', () => {
  const { room } = example('joined');
  const [ada, grace] = room.seats;
  assert.equal(hasComputer(room), false);
  const seats = [ada, { ...grace, kind: 'program', level: 'club' }];
  const programs = programSeats({ ...room, seats, round: { programs: [1] } });
  assert.deepEqual([...programs], [[1, 'club']]);
  assert.equal(hasComputer({ ...room, seats }), true);
});
