import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { configure, forgetSent } from '../../../web_client/src/room/configure.js';

/** Return a room whose answers the test sends, and what was sent to it. */
function made() {
  const sent = [];
  const room = { code: '7777777', settings: { hints: false, undo: 'any', score: 'woods' } };
  const app = { state: () => ({ room }), send: ({ settings }) => sent.push(settings) };
  const change = (changes) => configure(app, (base) => ({ ...base, ...changes }));
  const answer = (settings) => {
    room.settings = settings;
  };
  return { sent, change, answer };
}

beforeEach(() => {
  forgetSent();
  mock.timers.reset();
});

test('a change that follows an answer to an earlier one keeps those that are still open', () => {
  const { sent, change, answer } = made();
  change({ hints: true });
  change({ undo: 'none' });
  answer(sent[0]);
  change({ score: 'moves' });
  assert.deepEqual(sent[2], { hints: true, undo: 'none', score: 'moves' });
});

test('a change about people is kept like all others', () => {
  const { sent, change, answer } = made();
  answer({ one_seat: false, undo: 'any' });
  change({ one_seat: true });
  change({ undo: 'none' });
  assert.equal(sent[1].one_seat, true);
});

test('a change is made on what the room answered', () => {
  const { sent, change, answer } = made();
  change({ hints: true });
  answer({ ...sent[0], layout: 'left4' }); // what was left open
  change({ score: 'moves' });
  assert.deepEqual(sent[1], { hints: true, undo: 'any', score: 'moves', layout: 'left4' });
});

test('a refused change is no base for the next one', () => {
  const { sent, change } = made();
  change({ hints: true });
  forgetSent();
  change({ score: 'moves' });
  assert.deepEqual(sent[1], { hints: false, undo: 'any', score: 'moves' });
});
