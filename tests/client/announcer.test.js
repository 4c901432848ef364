import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAnnouncer } from '../../web_client/src/announcer.js';
import { NOTHING, reduce } from '../../web_client/src/reducer.js';
import { example } from './examples.js';

const ADA = { ...example('standings').standings[0], seat: 0, name: 'Ada', state: 'RACING' };

/** @param {boolean} [tells] */
function listening(tells = true) {
  const opening = ['joined', 'room', 'table'].map((type) =>
    example(type, type === 'room' ? 'race is on' : ''),
  );
  let state = opening.reduce(reduce, NOTHING);
  let now = 100_000;
  const announce = makeAnnouncer(
    () => now,
    () => now,
    () => tells,
  );
  return {
    /** @param {any} message @param {number} [later] in seconds */
    says(message, later = 0) {
      now += later * 1_000;
      const before = state;
      state = reduce(before, message);
      return announce(before, state, message);
    },
    /** @param {...[string, string]} order names and states, best first */
    standings(...order) {
      const standings = order.map(([name, is], i) => {
        const seat = ['Ada', 'Bob', 'Cy'].indexOf(name);
        return { ...ADA, seat, name, state: is, place: i + 1, finished_ms: 61_000 };
      });
      return { type: 'standings', now, standings };
    },
  };
}

test('opponents are heard of only on a change of lead, at most every ten seconds', () => {
  const { says, standings } = listening();
  says(standings(['Ada', 'RACING'], ['Bob', 'RACING']));
  assert.equal(says(standings(['Ada', 'RACING'], ['Bob', 'RACING']), 1), '');
  assert.equal(says(standings(['Bob', 'RACING'], ['Ada', 'RACING']), 1), 'Bob takes the lead.');
  assert.equal(says(standings(['Ada', 'RACING'], ['Bob', 'RACING']), 5), '');
  assert.equal(says(standings(['Bob', 'RACING'], ['Ada', 'RACING']), 9), '', 'as was told');
  assert.equal(says(standings(['Ada', 'RACING'], ['Bob', 'RACING']), 1), 'You take the lead.');
});

test('who finishes is told of, together with others and when ten seconds are over', () => {
  const { says, standings } = listening();
  says(standings(['Ada', 'RACING'], ['Bob', 'RACING'], ['Cy', 'RACING']));
  says(standings(['Bob', 'RACING'], ['Ada', 'RACING'], ['Cy', 'RACING']), 1);
  const bob = standings(['Bob', 'FINISHED'], ['Ada', 'RACING'], ['Cy', 'RACING']);
  assert.equal(says(bob, 1), '', 'the lead was told of a second ago');
  const both = standings(['Bob', 'FINISHED'], ['Ada', 'RACING'], ['Cy', 'FORFEIT']);
  assert.equal(says(both, 1), '');
  const pong = { type: 'pong', t: 0, now: 0, v: 0 };
  assert.equal(says(pong, 1), '');
  assert.match(says(pong, 10), /^Bob: .+ Cy: .+\.$/);
  assert.equal(says(pong, 20), '', 'once');
});

test('the reason of an illegal move is said at once, or only that there is one', () => {
  const action = /** @type {const} */ ({ type: 'move', from: 't2', count: 1, to: 't3' });
  const act = { type: '@act', action };
  for (const [tells, words] of /** @type {const} */ ([
    [true, '9♠ needs a 10; column 4 ends in Q♦.'],
    [false, 'Not possible. The ? key says why.'],
  ])) {
    const { says } = listening(tells);
    says(act);
    assert.equal(says({ ...example('refused', 'illegal'), id: 1 }), words);
  }
  const { says } = listening(false);
  says(act);
  const away = { ...example('refused', 'illegal'), id: 1, code: 'try_again' };
  assert.match(says(away), /Try again/, 'what has nothing to do with the rules is always said');
});
