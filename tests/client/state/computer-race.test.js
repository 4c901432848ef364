import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasArrived, nextMessage } from '../../../web_client/src/state/computer-race.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';

const RIVAL = { level: 'club', attempt: 'first-press-of-club' };

const ADA = { seat: 0, name: 'Ada', role: 'player', state: 'SEATED', connection: 'on' };
const BOT = { ...ADA, seat: 1, name: 'Bot Juno', state: 'READY', kind: 'program', level: 'club' };

/** Return the message about a room, seen from its first seat. @param {string} type @param {any[]} seats @param {string} [state] */
function message(type, seats, state = 'LOBBY') {
  const { room } = example('joined');
  return { ...example('joined'), type, seat: 0, room: { ...room, seats, host: 0, state } };
}

/** Return what follows messages. @param {any[]} messages */
const after = (...messages) => messages.reduce(reduce, NOTHING);

const joined = message('joined', [ADA]);
const withBot = message('room', [ADA, BOT]);

test('in a new room a computer player is added, and then the race is started', () => {
  assert.deepEqual(nextMessage(RIVAL, after(joined)), {
    type: 'add_bot',
    level: 'club',
    attempt: 'first-press-of-club',
  });
  assert.deepEqual(nextMessage(RIVAL, after(joined, withBot)), { type: 'ready', ready: true });
  const ready = message('room', [{ ...ADA, state: 'READY' }, BOT]);
  assert.equal(nextMessage(RIVAL, after(joined, withBot, ready)), null);
});

test('the computer player has the pace that was chosen', () => {
  const added = nextMessage({ ...RIVAL, pace: 'slower' }, after(joined));
  assert.deepEqual(added, { type: 'add_bot', ...RIVAL, pace: 'slower' });
});

test('after a lost connection the race goes on from where it was', () => {
  const again = message('joined', [ADA, BOT]);
  assert.equal(nextMessage(RIVAL, after(joined, again))?.type, 'ready');
  assert.equal(nextMessage(RIVAL, after(joined, joined))?.type, 'add_bot');
});

test('a race that has started is on its way no longer', () => {
  const counting = message('room', [ADA, BOT], 'COUNTDOWN');
  assert.equal(hasArrived(after(joined), joined), false);
  assert.equal(hasArrived(after(joined, withBot), withBot), false);
  assert.equal(hasArrived(after(joined, counting), counting), true);
  assert.equal(nextMessage(RIVAL, after(joined, counting)), null);
});

test('a refusal leaves the player in the room, with its reason', () => {
  const details = { cards: [], piles: [], fields: [], reason: null };
  const refused = { type: 'refused', id: null, command: 'add_bot', code: 'no_bots', details };
  const state = after(joined, refused);
  assert.equal(hasArrived(state, refused), true);
  assert.equal(state.room?.state, 'LOBBY');
  assert.equal(state.notice?.code, 'no_bots');
});
