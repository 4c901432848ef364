// The notation, compared with tables of the engine (`tests/views/notation_examples.py`).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import {
  formatAction,
  parseAction,
  parseLegal,
  parsePile,
  readMessage,
  readReplay,
  readTable,
  writeMessage,
} from '../../../web_client/src/contract/notation.js';
import { json } from '../examples.js';

const EXAMPLES = json('examples/notation.json');
const example = (about) => EXAMPLES.find((each) => each.about.includes(about));
const plain = ({ id, down, up }) => ({ id, down, up });

for (const { about, table, piles, legal } of EXAMPLES)
  test(`a table is read as the engine means it: ${about}`, () => {
    const read = readTable(table);
    assert.deepEqual(read.piles.map(plain), piles);
    assert.deepEqual(read.legal, legal);
    assert.deepEqual({ ...read, piles: 0, legal: 0 }, { ...table, piles: 0, legal: 0 });
    assert.equal(read.legal.map(formatAction).join(','), table.legal);
  });

test('the piles of a table have their places on the board', () => {
  for (const { table } of EXAMPLES)
    for (const [i, pile] of readTable(table).piles.entries()) {
      const { down, up, ...spec } = pile;
      assert.deepEqual(spec, GAMES[table.game].piles[i]);
      assert.equal(typeof down, 'number');
      assert.ok(Array.isArray(up));
    }
});

test('a pile is a number of face-down cards and the face-up cards', () => {
  assert.deepEqual(parsePile('t0', '[2] KS QS'), { id: 't0', down: 2, up: ['KS', 'QS'] });
  assert.deepEqual(parsePile('stock', '[50]'), { id: 'stock', down: 50, up: [] });
  assert.deepEqual(parsePile('f0', ''), { id: 'f0', down: 0, up: [] });
});

test('every action has one text', () => {
  const move = { type: 'move', from: 't9', count: 12, to: 't4', exception: false };
  assert.deepEqual(parseAction('t9x12-t4'), move);
  assert.deepEqual(parseAction('t9x12-t4!'), { ...move, exception: true });
  assert.deepEqual(parseAction('remove t3'), { type: 'remove', from: 't3' });
  for (const type of ['deal', 'undo', 'redo', 'finish'])
    assert.deepEqual(parseAction(type), { type });
  for (const text of ['', 'jump', 't9x0-t4', 't9x14-t4', 't9x01-t4', 'T9x1-t4', 'remove  t3'])
    assert.equal(parseAction(text), null, text);
  for (const text of ['t9x1-t4 ', ' deal', 'deal\n', 't9-t4', 'deal!', 'remove t3!', 't10x1-t4'])
    assert.equal(parseAction(text), null, text);
});

test('an attempt need not say that it asks for no exception', () => {
  assert.equal(formatAction({ type: 'move', from: 't1', count: 2, to: 't3' }), 't1x2-t3');
});

test('no legal actions are the empty text, and unknown ones are left out', () => {
  assert.deepEqual(parseLegal(''), []);
  assert.deepEqual(parseLegal('undo,jump t3,deal'), [{ type: 'undo' }, { type: 'deal' }]);
});

test('an acknowledgement has the piles and counts that changed', () => {
  const acted = { type: 'acted', id: 1, at: 1, score: 3 };
  const counts = { moves: 1 };
  const text = { ...acted, elapsed_ms: 5, counts, piles: { t8: '[3] 4S', t0: '' }, legal: 'undo' };
  const read = readMessage(text);
  assert.deepEqual(read.piles, [
    { id: 't8', down: 3, up: ['4S'] },
    { id: 't0', down: 0, up: [] },
  ]);
  assert.deepEqual([read.counts, read.legal], [counts, [{ type: 'undo' }]]);
});

test('the table of a refusal and the action of a hint are read', () => {
  const { table, piles } = example('after 25');
  const refused = { type: 'refused', command: 'act', code: 'stale', details: {}, id: 1, at: 0 };
  const read = (message) => readMessage(message);
  assert.deepEqual(read({ ...refused, table }).table.piles.map(plain), piles);
  assert.equal(read({ ...refused, table: null }).table, null);
  const hinted = { type: 'hinted', at: 1, hints: 2, action: 'remove t3' };
  assert.deepEqual(read(hinted), { ...hinted, action: { type: 'remove', from: 't3' } });
  const pong = { type: 'pong', t: 1, now: 2, v: 3 };
  assert.equal(read(pong), pong);
});

test('an act is written as text, and other messages as they are', () => {
  const action = { type: 'move', from: 't3', count: 2, to: 't5' };
  const act = { type: 'act', id: 7, at: 6, again: false };
  assert.deepEqual(writeMessage({ ...act, action }), { ...act, action: 't3x2-t5' });
  const start = { type: 'start' };
  assert.equal(writeMessage(start), start);
});

test('a replay is read with its start and all its steps', () => {
  const { table, piles } = example('after 0');
  const step = { ms: 9, action: 'deal', score: 0, moves: 0, suits: 0, home: 0, face_down: 44 };
  const steps = [{ ...step, piles: { stock: '[40]' } }];
  const read = readReplay({ seat: 0, name: 'Ada', acts: 1, start: table, steps });
  assert.deepEqual(read.start.piles.map(plain), piles);
  assert.deepEqual(read.steps, [{ ...step, piles: [{ id: 'stock', down: 40, up: [] }] }]);
});
