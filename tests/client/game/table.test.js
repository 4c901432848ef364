import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as table from '../../../web_client/src/game/table.js';

/** @param {string} text e.g. `t0x1-t1` */
function move(text) {
  const [, from, count, to] = /(\w+)x(\d+)-(\w+)/.exec(text) ?? [];
  return { type: 'move', from, count: Number(count), to, exception: false };
}

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

test('legal moves on different piles are in flight together', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  const acts = play.inFlight.map(({ id, at, shown }) => `${id} at ${at} ${shown}`);
  assert.deepEqual(acts, ['4 at 7 true', '5 at 8 true']);
  assert.deepEqual(play.shown.piles[1]?.up, ['TS', '9S', '8S']);
  assert.deepEqual(play.shown.piles[0]?.up, [], 'a card that will turn stays a back');
});

test('after a move that is not answered, no earlier action on its piles is offered', () => {
  const before = view('t0x1-t1', 't0x2-t1', 't1x1-t2', 't2x1-t3', 't4x1-t0');
  const play = table.attempt(table.start(before), move('t0x1-t1'));
  assert.deepEqual(play.shown.legal, [move('t2x1-t3'), { type: 'deal' }]);
  assert.deepEqual(play.base.legal, before.legal);
  const unlisted = play.shown.piles.filter((pile) => pile.unlisted);
  assert.equal(unlisted.map(({ id }) => id).join(), 't0,t1');
});

test('a move on the piles of another one is queued', () => {
  let play = table.start(view('t2x1-t3', 't3x1-t4'));
  play = table.attempt(table.attempt(play, move('t2x1-t3')), move('t3x2-t4'));
  assert.deepEqual([play.inFlight.length, play.queued.length], [1, 1]);
});

test('a deal is not shown before its answer, and no act overtakes it', () => {
  let play = table.start(view('t2x1-t3'));
  play = table.attempt(table.attempt(play, { type: 'deal' }), move('t2x1-t3'));
  assert.equal(play.inFlight.map((act) => act.shown).join(), 'false');
  assert.equal(play.shown, play.base);
});

test('the queue behind an attempt survives its refusal', () => {
  let play = table.start(view('t2x1-t3'));
  play = table.attempt(table.attempt(play, move('t2x1-t0')), move('t2x1-t3'));
  const id = play.inFlight[0]?.id ?? 0;
  play = table.refused(play, { id, table: null });
  assert.equal(play.inFlight.map((act) => act.shown).join(), 'true');
});

test('a lost connection loses no act: those that the server does not have are sent again', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  const known = { ...view('t2x1-t3'), at: 8, last_id: 4 };
  play = table.snapshot(play, known, true);
  assert.deepEqual([play.inFlight.map((act) => act.id).join(), play.nextId], ['5', 6]);
});

test('acts beyond the length of the queue are dropped', () => {
  let play = table.start(view());
  for (let i = 0; i < 40; i += 1) play = table.attempt(play, { type: 'deal' });
  assert.equal(play.queued.length, table.MAX_QUEUED);
});

test('the queue behind a shown move is dropped with it', () => {
  let play = table.start(view('t2x1-t3', 't0x2-t1'));
  for (const act of [move('t2x1-t3'), move('t0x2-t1')]) play = table.attempt(play, act);
  play = table.attempt(play, move('t3x2-t4'));
  assert.deepEqual([play.inFlight.length, play.queued.length], [2, 1]);
  play = table.refused(play, { id: 4, table: null });
  assert.deepEqual([play.inFlight, play.queued, play.withdrawn.map(({ id }) => id)], [[], [], [5]]);
  assert.equal(play.shown, play.base);
  play = table.refused(play, { id: 5, table: null });
  assert.deepEqual(play.withdrawn, []);
});

test('an act that is offered again and refused is offered once more, unless another has its place', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  for (const [id, at] of [
    [4, 8],
    [5, 9],
  ])
    play = table.acted(play, { ...view(), id, at, piles: [] });
  play = table.snapshot(play, view(), true);
  const offered = () => play.inFlight.map(({ id, at, again }) => `${id} at ${at} ${again}`);
  assert.deepEqual(offered(), ['6 at 7 true', '7 at 8 true']);
  play = table.refused(play, { id: 7, code: 'stale', table: view() });
  assert.deepEqual(offered(), ['8 at 7 true', '9 at 8 true']);
  play = table.refused(play, { id: 8, code: 'stale', table: { ...view(), at: 8 } });
  assert.deepEqual(offered(), []);
});

test('acts that the server has lost are sent again, marked, before those in flight', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  const acted = { ...view('t2x1-t3'), id: 4, at: 8, piles: [] };
  play = table.acted(play, acted);
  play = table.snapshot(play, view('t0x2-t1', 't2x1-t3'), false);
  const acts = play.inFlight.map(({ id, at, again }) => `${id} at ${at} ${again}`);
  assert.deepEqual(acts, ['6 at 7 true', '7 at 8 false']);
  assert.equal(play.withdrawn.map(({ id }) => id).join(), '5');
});
