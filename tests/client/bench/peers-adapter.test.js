// The load generator's adapter, fed with the golden messages of the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { action, choices, Receiver, row } from '../../../bench/peers_adapter.js';
import { json } from '../examples.js';

const TO_CLIENT = json('examples/to_client.json');
const example = (type, about = '') =>
  TO_CLIENT.find((each) => each.message.type === type && each.about.includes(about))?.message;

/** Return a receiver, and what its bot and its server get from it. */
function receiver() {
  const calls = [];
  const bot = Object.fromEntries(
    ['onAck', 'onState', 'onBoard', 'onClose'].map((name) => [
      name,
      (given) => calls.push([name, given]),
    ]),
  );
  return { calls, by: new Receiver(bot, (message) => calls.push(['say', message])) };
}

test('a legal list becomes moves and a deal', () => {
  assert.deepEqual(choices('t9x1-t4,t0x12-t6,deal,undo'), {
    legal: [
      [9, 4, 1],
      [0, 6, 12],
    ],
    deal: 1,
  });
  assert.deepEqual(choices('undo,finish'), { legal: [], deal: 0 });
  assert.deepEqual(choices(''), { legal: [], deal: 0 });
});

test('commands become actions of the notation', () => {
  assert.equal(action({ t: 'move', src: 3, dst: 5, count: 2 }), 't3x2-t5');
  assert.equal(action({ t: 'deal' }), 'deal');
  assert.equal(action({ t: 'restart' }), 'undo');
});

test('a table and the replies to acts reach the bot', () => {
  const { calls, by } = receiver();
  by.receive(example('table', 'at t0'));
  by.receive(example('acted'));
  by.receive(example('refused', 'an illegal move'));
  assert.deepEqual(
    calls.map(([name, { id, ok, n, err, legal, deal }]) => [
      name,
      { id, ok, n, err, moves: legal?.length, deal },
    ]),
    [
      ['onState', { id: 0, ok: 1, n: 0, err: undefined, moves: 7, deal: 1 }],
      ['onAck', { id: 1, ok: 1, n: 1, err: undefined, moves: 2, deal: 1 }],
      [
        'onAck',
        { id: 2, ok: 0, n: undefined, err: 'wrong_rank', moves: undefined, deal: undefined },
      ],
    ],
  );
});

test('a row counts the entries of the log: moves, deals and undos', () => {
  assert.deepEqual(row({ score: 488, suits: 0, moves: 10, face_down: 40 }), [12, 488, 0, 40]);
  assert.deepEqual(row({ score: 571, suits: 1, moves: 27, face_down: 31 }), [29, 571, 1, 31]);
  assert.deepEqual(row({ score: 0, suits: 0, moves: 700, face_down: 3 }), [700, 0, 0, 3]);
});

test('changes of the standings make whole rows', () => {
  const { calls, by } = receiver();
  by.receive(example('standings'));
  by.receive(example('standings_changes', 'goes ahead'));
  by.receive(example('standings_changes', 'one more move'));
  const shown = calls.map(([name, rows]) => [name, rows.map((each) => each?.[1])]);
  assert.deepEqual(shown, [
    ['onBoard', [52, 52, undefined, undefined]],
    ['onBoard', [52, 61, undefined, undefined]],
    ['onBoard', [52, 61, undefined, undefined]],
  ]);
});

test('the whole standings are requested once when a change is missing', () => {
  const { calls, by } = receiver();
  by.receive(example('standings'));
  by.receive(example('standings_changes', 'one more move'));
  by.receive({ ...example('standings_changes', 'one more move'), number: 10 });
  assert.deepEqual(calls.slice(1), [['say', { type: 'watch' }]]);
  by.receive({ ...example('standings'), number: 10 });
  assert.equal(calls.at(-1)?.[0], 'onBoard');
});

test('an error counts as a lost connection', () => {
  const { calls, by } = receiver();
  by.receive(example('error'));
  assert.deepEqual(calls, [['onClose', 'error bad_message at action.move.count']]);
});
