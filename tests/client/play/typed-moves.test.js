import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTyped } from '../../../web_client/src/play/typed-moves.js';
import { example } from '../examples.js';

const SPIDER = example('table').table;
const LITTLE = example('table', 'Little Spider').table;
const says = (line, table = SPIDER) => {
  const meant = parseTyped(line, table);
  if (meant.do !== 'move') return Object.values(meant).join(' ');
  return `${meant.from}x${meant.count}-${meant.to}${meant.exception ? '!' : ''}`;
};

test('moves and other acts are typed, by columns, letters, words, or a line of a round’s file', () => {
  for (const line of ['3 5', ' 3  5 ', '3-5', '3 > 5', '3,5']) assert.equal(says(line), 't2x0-t4');
  for (const line of ['3x2 5', '3X2 5', '3 x 2 5', '3x2-5']) assert.equal(says(line), 't2x2-t4');
  assert.equal(says('10 1'), 't9x0-t0');
  assert.deepEqual([says('x 3x2 5'), says('3x2 5!')], ['t2x2-t4!', 't2x2-t4!']);
  assert.deepEqual([says('u1 f2', LITTLE), says('l3 u2', LITTLE)], ['u0x0-f1', 'l2x0-u1']);
  assert.equal(says('3 f1', SPIDER), 't2x0-f0');
  assert.deepEqual([says('t3x2-t5'), says(' T3x12-t5! ')], ['t3x2-t5', 't3x12-t5!']);
  assert.deepEqual([says('remove t3'), says('u2x1-f3', LITTLE)], ['remove t3', 'u2x1-f3']);
  assert.equal(says('u2x1-f3'), 'wrong column u2', 'a pile of another game');
  assert.equal(says('remove u0'), 'wrong words remove u0');
  const words = ['d', 'Deal', 'u', 'z', 'y', 'x', 't', 'm', 'f', 'h', '?'];
  const acts = 'deal deal undo undo redo exception standings mark finish help why';
  assert.equal(words.map((word) => says(word)).join(' '), acts);
  assert.deepEqual([says('r'), says('r 3')], ['remove ', 'remove t2']);
  assert.deepEqual([says('find 10h'), says('l q s')], ['locate TH', 'locate QS']);
});

test('a line that is not understood is returned with the reason', () => {
  assert.deepEqual([says('12 3'), says('3 0')], ['wrong column 12', 'wrong column 0']);
  assert.deepEqual([says('r 99'), says('Help me')], ['wrong column 99', 'wrong words Help me']);
  assert.deepEqual([says('find 11s'), says('  ')], ['wrong words find 11s', 'wrong nothing ']);
});
