import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as table from '../../../web_client/src/core/table.js';

/** @param {string} text e.g. `t0x1-t1` @returns {any} */
function move(text) {
  const [, from, count, to] = /(\w+)x(\d+)-(\w+)/.exec(text) ?? [];
  return { type: 'move', from, count: Number(count), to, exception: false };
}

/** @param {...string} legal @returns {any} */
const view = (...legal) => ({
  at: 7,
  last_id: 3,
  piles: ['9S 8S', 'TS', '5H', '6H', ''].map((cards, i) => ({
    id: `t${i}`,
    down: 1,
    up: cards ? cards.split(' ') : [],
  })),
  legal: [...legal.map(move), { type: 'deal' }],
});

test('legal moves on piles of their own fly together', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  assert.deepEqual(
    play.flying.map(({ id, at, shown }) => ({ id, at, shown })),
    [
      { id: 4, at: 7, shown: true },
      { id: 5, at: 8, shown: true },
    ],
  );
  assert.deepEqual(play.shown.piles[1]?.up, ['TS', '9S', '8S']);
  assert.deepEqual(play.shown.piles[0]?.up, [], 'a card that will turn stays a back');
});

test('a move on top of a move waits for its turn', () => {
  let play = table.start(view('t2x1-t3', 't3x1-t4'));
  play = table.attempt(table.attempt(play, move('t2x1-t3')), move('t3x2-t4'));
  assert.equal(play.flying.length, 1);
  assert.equal(play.waiting.length, 1);
});

test('a deal is not guessed at, and nothing passes it', () => {
  let play = table.start(view('t2x1-t3'));
  play = table.attempt(table.attempt(play, { type: 'deal' }), move('t2x1-t3'));
  assert.deepEqual(
    play.flying.map((act) => act.shown),
    [false],
  );
  assert.equal(play.shown, play.base);
});

test('what waited behind an attempt survives its refusal', () => {
  let play = table.start(view('t2x1-t3'));
  play = table.attempt(table.attempt(play, move('t2x1-t0')), move('t2x1-t3'));
  const id = play.flying[0]?.id ?? 0;
  play = table.refused(play, /** @type {any} */ ({ id, table: null }));
  assert.deepEqual(
    play.flying.map((act) => act.shown),
    [true],
  );
});

test('a lost connection loses no act: what the server has is done, the rest goes again', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  const known = { ...view('t2x1-t3'), at: 8, last_id: 4 };
  play = table.snapshot(play, known, true);
  assert.deepEqual(
    play.flying.map((act) => act.id),
    [5],
  );
  assert.equal(play.nextId, 6);
});

test('more than can wait is dropped', () => {
  let play = table.start(view());
  for (let i = 0; i < 40; i += 1) play = table.attempt(play, { type: 'deal' });
  assert.equal(play.waiting.length, table.MOST_WAITING);
});

test('what waited behind a move that was shown goes with it', () => {
  let play = table.start(view('t2x1-t3', 't0x2-t1'));
  for (const act of [move('t2x1-t3'), move('t0x2-t1')]) play = table.attempt(play, act);
  play = table.attempt(play, move('t3x2-t4'));
  assert.deepEqual([play.flying.length, play.waiting.length], [2, 1]);
  play = table.refused(play, /** @type {any} */ ({ id: 4, table: null }));
  assert.deepEqual([play.flying, play.waiting, play.lost.map(({ id }) => id)], [[], [], [5]]);
  assert.equal(play.shown, play.base);
  play = table.refused(play, /** @type {any} */ ({ id: 5, table: null }));
  assert.deepEqual(play.lost, []);
});

test('acts that the server has lost go again, marked, before what was in flight', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  const acted = { ...view('t2x1-t3'), id: 4, at: 8, piles: [] };
  play = table.acted(play, /** @type {any} */ (acted));
  play = table.snapshot(play, view('t0x2-t1', 't2x1-t3'), false);
  assert.deepEqual(
    play.flying.map(({ id, at, again }) => ({ id, at, again })),
    [
      { id: 6, at: 7, again: true },
      { id: 7, at: 8, again: false },
    ],
  );
  assert.deepEqual(
    play.lost.map(({ id }) => id),
    [5],
  );
});
