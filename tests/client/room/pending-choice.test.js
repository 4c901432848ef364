import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { makePendingChoice } from '../../../web_client/src/room/pending-choice.js';

/** @param {any} settings */
const some = (settings) => ({ game: 'spider-4', public: false, locked: false, ...settings });

let overdue = 0;

beforeEach(() => {
  overdue = 0;
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

const made = () =>
  makePendingChoice(() => {
    overdue += 1;
  });

test('the settings of the room are shown if nothing was chosen', () => {
  assert.ok(made().allows(some({})));
});

test('an answer to an earlier choice is not shown, and that to the last one is', () => {
  const choice = made();
  choice.put(some({ game: 'spider-1' }));
  choice.put(some({ game: 'spider-2' }));
  assert.equal(choice.allows(some({ game: 'spider-1' })), false);
  assert.ok(choice.allows(some({ game: 'spider-2' })));
  assert.ok(choice.allows(some({ game: 'spiderette-1' })), 'another host may choose later');
  mock.timers.tick(10_000);
  assert.equal(overdue, 0);
});

test('an answer may decide what was left open, but no setting that was sent', () => {
  const choice = made();
  choice.put(/** @type {any} */ ({ game: 'spider-1', public: true, locked: true }));
  assert.equal(choice.allows(some({ game: 'spider-1', locked: true })), false, 'not public yet');
  assert.equal(choice.allows(some({ game: 'spider-1', public: true })), false, 'not locked yet');
  assert.ok(choice.allows(some({ game: 'spider-1', layout: 'a', locked: true, public: true })));
});

test('a choice without an answer is given up', () => {
  const choice = made();
  choice.put(some({ game: 'spider-1' }));
  mock.timers.tick(1_500);
  choice.put(some({ game: 'spider-2' }));
  mock.timers.tick(1_500);
  assert.equal(overdue, 0, 'every choice has its own time');
  mock.timers.tick(500);
  assert.equal(overdue, 1);
  assert.ok(choice.allows(some({})));
});

test('a refused choice is forgotten', () => {
  const choice = made();
  choice.put(some({ game: 'spider-1' }));
  choice.forget();
  assert.ok(choice.allows(some({})));
  mock.timers.tick(10_000);
  assert.equal(overdue, 0);
});
