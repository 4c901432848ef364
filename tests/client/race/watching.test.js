import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as grid from '../../../web_client/src/race/board-grid.js';
import * as watching from '../../../web_client/src/race/board-grid.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';

const { makeSubscription, placed, playingFirst } = grid;
const { canWatchLater, firstMovesIn, isDelayed, isWatching, watchable } = watching;
const { standings } = example('standings');

const state = (seat, room) => ({
  ...NOTHING,
  connection: 'on',
  me: { seat, role: 'player' },
  standings,
  room: {
    ...{ code: 'A', state: 'RUNNING', seats: [], round: { n: 1 } },
    ...{ settings: { spectate: 'boards' }, ...room },
  },
});
const DON = 99;
const ADA = standings[0].seat;

const [, ...others] = standings;
const at = (is) => ({ seats: [{ seat: ADA, state: is, connection: 'on' }] });

test('boards can be watched outside of the race, if the room shows them, and afterwards by all', () => {
  const hidden = { settings: { spectate: 'standings' } };
  for (const [seat, room, boards] of [
    [DON, {}, standings],
    [DON, hidden, []],
    [DON, { state: 'COUNTDOWN' }, []],
    [ADA, at('RACING'), []],
    [ADA, at('CHASING'), []],
    [ADA, at('FINISHED'), others],
    [ADA, at('FORFEIT'), others],
    [ADA, { ...at('FORFEIT'), ...hidden }, []],
    [ADA, { ...hidden, state: 'FINISHED' }, standings],
  ])
    assert.deepEqual(watchable(state(seat, room)), boards);
  // After the own end they are not late.
  const chased = { ...state(ADA, at('FORFEIT')), standings: [{ ...standings[0], late_ms: 9 }] };
  const late = [state(ADA, at('FINISHED')), state(DON, {}), chased].map(isDelayed);
  assert.deepEqual(late, [false, true, true]);
});

test('a latecomer reads when boards that are shown late have their first moves', () => {
  const settings = { spectate: 'boards', board_delay_s: 60 };
  const late = state(DON, { round: { n: 1, t0: 1_000 }, settings });
  assert.deepEqual([firstMovesIn(late, 21_000), firstMovesIn(late, 61_000)], [40_000, 0]);
  assert.equal(firstMovesIn({ ...late, room: { ...late.room, state: 'FINISHED' } }, 21_000), 0);
  const done = state(ADA, { ...at('FINISHED'), round: { n: 1, t0: 1_000 }, settings });
  assert.equal(firstMovesIn(done, 21_000), 0, 'the boards are live after the own end');
});

test('to watch the others is offered only where boards are shown and somebody still plays', () => {
  const [ada, don] = [ADA, DON].map((seat) => ({ seat, state: 'RACING' }));
  // The standings come a moment after the room.
  for (const [room, isOffered] of [
    [{ seats: [ada, don] }, true],
    [{ seats: [ada, don], settings: { spectate: 'standings' } }, false],
    [{ seats: [ada] }, false],
    [{ seats: [ada, { ...don, state: 'FINISHED' }] }, false],
  ])
    assert.equal(canWatchLater({ ...state(ADA, room), standings: [] }), isOffered);
});

test('the subscription is sent once for each connection and round, and ended', () => {
  const sent = [];
  const subscribe = makeSubscription((message) => sent.push(message));
  subscribe(state(DON, {}), []);
  assert.deepEqual(sent, [], 'there is no subscription to end');
  subscribe(state(DON, {}), [2, 0]);
  subscribe(state(DON, {}), [0, 2]);
  assert.deepEqual(sent, [{ type: 'watch', boards: [0, 2] }]);
  subscribe({ ...state(DON, {}), connection: 'waiting' }, [0, 2]);
  subscribe(state(DON, {}), [0, 2]);
  subscribe(state(DON, { round: { n: 2 } }), [0, 2]);
  assert.equal(sent.length, 3, 'a new connection and a new round know nothing of it');
  subscribe(state(DON, {}), []);
  subscribe(state(DON, {}), []);
  assert.deepEqual(sent.slice(3), [{ type: 'watch', boards: [] }]);
});

test('a player without a game in a running race is watching', () => {
  for (const [seat, room, is] of [
    [DON, at('RACING'), true],
    [ADA, at('FORFEIT'), true],
    [ADA, at('FINISHED'), true],
    [ADA, at('RACING'), false],
    [ADA, at('CHASING'), false],
    [DON, { state: 'FINISHED' }, false],
  ])
    assert.equal(isWatching(state(seat, room)), is);
});

/** Return standings of these seats, best first. @param {...(number | string)} seats */
const of = (...seats) => seats.map((seat) => ({ seat: Number(seat), state: 'RACING' }));

test('boards keep their places, but a new leader changes with the one that it replaces', () => {
  for (const [order, standing, places] of [
    ['', '3102', '3102'],
    ['', '', ''],
    ['01234', '10234', '10234'], // the better one is first
    ['01234', '03124', '03214'],
    ['01234', '43012', '43210'],
    // The board of a newcomer takes the place of one that is gone.
    ['0123', '0135', '0153'],
    ['012', '02', '02'],
  ])
    assert.equal(placed([...order].map(Number), of(...standing)).join(''), places);
  // Those who still play come before the others.
  const [ada, bob, cleo] = of(0, 1, 2);
  const all = [{ ...ada, state: 'FINISHED' }, bob, { ...cleo, state: 'CHASING' }];
  const seats = playingFirst(all).map(({ seat }) => seat);
  assert.deepEqual(seats, [1, 2, 0]);
});
