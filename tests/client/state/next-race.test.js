import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { HOST_WAIT_S } from '../../../web_client/src/contract/protocol.js';
import { tallyOf } from '../../../web_client/src/room/tally.js';
import { mayStart, nextRace } from '../../../web_client/src/state/next-race.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';

const ENDED = 1_000_000;
/** The page's clock may be early by a second. */
const LATE = ENDED + HOST_WAIT_S * 1_000 + 1_000;

/** Return a seat from words like `Bob READY gone`. @param {string} words @param {number} seat */
function seatOf(words, seat) {
  const [name, state, connection = 'on', role = 'player'] = words.split(' ');
  return { seat, name, state, connection, role, wins: 0 };
}

/** A finished room, seen from its first seat, which is the host. @param {string[]} seats */
const room = (...seats) => ({
  ...NOTHING,
  me: { seat: 0, role: 'player' },
  room: {
    ...{ state: 'FINISHED', host: 0, round: { n: 1, ended: ENDED }, match: null },
    seats: seats.map(seatOf),
  },
});

const line = (...seats) => strings.nextRaceLine(nextRace(room(...seats)));

test('the line above the buttons tells who wants a rematch, and who is awaited', () => {
  assert.equal(line('Ada FINISHED', 'Bob FINISHED', 'Cy FORFEIT'), '');
  assert.equal(line('Ada FINISHED', 'Bob READY', 'Cy FORFEIT'), 'Bob wants a rematch.');
  assert.equal(line('Ada FINISHED', 'Bob READY', 'Cy READY'), 'Bob and Cy want a rematch.');
  assert.equal(line('Ada READY', 'Bob READY', 'Cy FORFEIT'), 'Waiting for Cy…');
  assert.equal(line('Ada READY', 'Bob FINISHED gone'), 'Waiting for Bob…');
  assert.equal(line('Ada READY', 'Don WATCHING on spectator'), '');
});

test('nobody asks computer players for the next race, or waits for them', () => {
  const state = room('Ada READY', 'Pip FINISHED', 'Bob FINISHED');
  state.room.seats[1].level = 'beginner';
  assert.equal(strings.nextRaceLine(nextRace(state)), 'Waiting for Bob…');
  state.room.seats[1].state = 'READY';
  assert.equal(strings.nextRaceLine(nextRace(state)), 'Waiting for Bob…');
  state.room.seats[0].state = 'FINISHED';
  assert.equal(strings.nextRaceLine(nextRace(state)), '');
  assert.equal(mayStart(state, LATE), false);
  assert.equal(nextRace(state).hasOthers, true);
});

test('the host begins without the others once they have had time to answer', () => {
  const state = room('Ada READY', 'Bob FINISHED', 'Cy READY');
  assert.equal(mayStart(state, LATE - 1), false);
  assert.equal(mayStart(state, LATE), true);
  assert.equal(mayStart({ ...state, me: { seat: 1, role: 'player' } }, LATE), false);
  assert.equal(mayStart(room('Ada FINISHED', 'Bob FINISHED'), LATE), false);
  assert.equal(mayStart(room('Ada READY', 'Bob FINISHED gone'), ENDED), true);
  assert.equal(mayStart(room('Ada READY'), LATE), false);
  assert.equal(strings.startWithout(nextRace(state).missing), 'Start without Bob');
});

test('the tally lists the players by their wins, once somebody has won', () => {
  const [ada, bob, don] = ['Ada FINISHED', 'Bob FINISHED', 'Don WATCHING on spectator'].map(seatOf);
  assert.deepEqual(tallyOf([ada, bob, don]), []);
  const ben = { ...bob, wins: 2 };
  assert.deepEqual(tallyOf([ada, ben, don]), [ben, ada]);
  assert.deepEqual(tallyOf([ben]), []);
});

test('of many players only the winners are in the line', () => {
  const all = Array.from({ length: 9 }, (_, seat) => seatOf('Ada SEATED', seat));
  const [first, ...rest] = all;
  const best = { ...rest.pop(), wins: 1 };
  assert.deepEqual(tallyOf([first, ...rest, best]), [best]);
  assert.equal(tallyOf([...rest.slice(0, 5), best]).length, 6);
});
