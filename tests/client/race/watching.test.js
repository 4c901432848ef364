import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING } from '../../../web_client/src/core/reducer.js';
import { looksOn, makeAsking, watchable } from '../../../web_client/src/race/watching.js';
import { example } from '../examples.js';

const { standings } = example('standings');

/** @param {number} seat @param {any} room @returns {any} */
const state = (seat, room) => ({
  ...NOTHING,
  line: 'on',
  me: { seat, role: 'player' },
  standings,
  room: { code: 'A', state: 'RUNNING', round: { n: 1 }, settings: { spectate: 'boards' }, ...room },
});
const DON = 99;
const ADA = standings[0].seat;

test('boards are for those with no seat in the race, where the room shows them', () => {
  assert.deepEqual(watchable(state(DON, {})), standings);
  assert.deepEqual(watchable(state(ADA, {})), []);
  assert.deepEqual(watchable(state(DON, { settings: { spectate: 'standings' } })), []);
  assert.deepEqual(watchable(state(DON, { state: 'COUNTDOWN' })), []);
});

test('when the round is over all boards are for all', () => {
  const over = { state: 'FINISHED', settings: { spectate: 'standings' } };
  assert.deepEqual(watchable(state(ADA, over)), standings);
});

test('boards are asked for once a connection and a round, and no more at the end', () => {
  /** @type {any[]} */
  const said = [];
  const asking = makeAsking((message) => said.push(message));
  asking.update(state(DON, {}), []);
  assert.deepEqual(said, [], 'nothing was asked for, so nothing is taken back');
  asking.update(state(DON, {}), [2, 0]);
  asking.update(state(DON, {}), [0, 2]);
  assert.deepEqual(said, [{ type: 'watch', boards: [0, 2] }]);
  asking.update({ ...state(DON, {}), line: 'waiting' }, [0, 2]);
  asking.update(state(DON, {}), [0, 2]);
  asking.update(state(DON, { round: { n: 2 } }), [0, 2]);
  assert.equal(said.length, 3, 'a new connection and a new round know nothing of it');
  asking.end(state(DON, {}));
  asking.end(state(DON, {}));
  assert.deepEqual(said.slice(3), [{ type: 'watch', boards: [] }]);
});

test('who has no game in a race that is on looks on', () => {
  const seats = (/** @type {string} */ is) => [{ seat: ADA, state: is, connection: 'on' }];
  assert.ok(looksOn(state(DON, { seats: seats('RACING') })));
  assert.ok(looksOn(state(ADA, { seats: seats('FORFEIT') })));
  for (const is of ['RACING', 'CHASING', 'FINISHED'])
    assert.ok(!looksOn(state(ADA, { seats: seats(is) })), is);
  assert.ok(!looksOn(state(DON, { seats: [], state: 'FINISHED' })));
});
