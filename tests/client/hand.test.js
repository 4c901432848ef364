import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as hand from '../../web_client/src/hand.js';

/**
 * A table in one line: `t0:9S,8S t1:TS`, and what is legal: `t0x2-t1`.
 *
 * @param {string} piles @param {string} legal
 * @returns {any}
 */
function table(piles, legal) {
  return {
    piles: piles.split(' ').map((text) => {
      const [id = '', cards = ''] = text.split(':');
      return { id, down: 0, up: cards ? cards.split(',') : [] };
    }),
    legal: legal.split(' ').map((text) => {
      const [, from, count, to] = /(\w+)x(\d+)-(\w+)/.exec(text) ?? [];
      return { type: 'move', from, count: Number(count), to, exception: false };
    }),
  };
}
const says = (/** @type {any} */ move) => move && `${move.from}x${move.count}-${move.to}`;

const TABLE = table('t0:9S,8S t1:TH t2:TS t3: t4:KD', 't0x1-t3 t0x2-t3 t0x2-t1 t0x2-t2 t4x1-t3');

test('cards may go where the server says', () => {
  assert.deepEqual([...hand.targets(TABLE, { pile: 't0', count: 2 })], ['t3', 't1', 't2']);
  assert.deepEqual([...hand.targets(TABLE, { pile: 't0', count: 1 })], ['t3']);
  assert.deepEqual([...hand.sources(TABLE, 't3')], ['t0', 't4']);
});

test('the longest run that can move is held at first', () => {
  assert.equal(hand.longest(TABLE, 't0'), 2);
  assert.equal(hand.longest(TABLE, 't1'), 1);
  assert.equal(hand.longest(TABLE, 't3'), 0);
});

test('by itself a run goes in suit first, and never into a space', () => {
  assert.equal(says(hand.autoMove(TABLE, { pile: 't0', count: 2 })), 't0x2-t2');
  assert.equal(hand.autoMove(TABLE, { pile: 't4', count: 1 }), undefined);
});

test('a click on one card of the run means the count that fits', () => {
  assert.equal(says(hand.between(TABLE, { pile: 't0', count: 1 }, 't1')), 't0x2-t1');
  assert.equal(says(hand.between(TABLE, { pile: 't0', count: 1 }, 't3')), 't0x1-t3');
});

test('source and target may be picked in either order', () => {
  const run = { pile: 't0', count: 2 };
  const target = { pile: 't1', count: 1 };
  assert.equal(says(hand.meant(TABLE, run, target)), 't0x2-t1');
  assert.equal(says(hand.meant(TABLE, target, run)), 't0x2-t1');
  const space = { pile: 't3', count: 0 };
  assert.equal(says(hand.meant(TABLE, space, { pile: 't4', count: 1 })), 't4x1-t3');
});

test('a move that is not legal is tried all the same, for the reason', () => {
  const tried = hand.meant(TABLE, { pile: 't4', count: 1 }, { pile: 't1', count: 1 });
  assert.equal(says(tried), 't4x1-t1');
  assert.equal(hand.meant(TABLE, { pile: 't3', count: 0 }, { pile: 't1', count: 1 }), null);
});
