import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAction, parseLegal, parsePile } from '../../../web_client/src/contract/notation.js';
import { runs } from '../../../web_client/src/game/cards.js';
import * as hand from '../../../web_client/src/game/hand.js';
import { movableCards } from '../../../web_client/src/play/aids.js';
import { cursorLimit } from '../../../web_client/src/play/keyboard.js';

/** Return a pile of a text, such as `t0:9S,8S`. @param {string} text */
const pileOf = (text) => parsePile(text.slice(0, 2), text.slice(3).replaceAll(',', ' '));
/** Return a table of piles and legal moves, such as `t0x2-t1`; `!` marks an exception. @param {string} piles @param {string} legal */
const table = (piles, legal) => ({
  piles: piles.split(' ').map(pileOf),
  legal: parseLegal(legal.replaceAll(' ', ',')),
});
const says = (move) => move && formatAction(move);

const TABLE = table('t0:9S,8S t1:TH t2:TS t3: t4:KD', 't0x1-t3 t0x2-t3 t0x2-t1 t0x2-t2 t4x1-t3');

/** Cards that a player holds, as `t0x2`. @param {string} text */
const held = (text) => ({ pile: text.slice(0, 2), count: Number(text.slice(3)) });
const pick = (view, first, second, isException = false) =>
  says(hand.secondPick(view, held(first), held(second), isException));
const auto = (view, from) => says(hand.autoMove(view, held(from)));

test('cards may go where the server says, and the longest run that can move is held at first', () => {
  assert.deepEqual([...hand.targets(TABLE, held('t0x2'))], ['t3', 't1', 't2']);
  assert.deepEqual([...hand.targets(TABLE, held('t0x1'))], ['t3']);
  assert.deepEqual([...hand.sources(TABLE, 't3')], ['t0', 't4']);
  const most = ['t0', 't1', 't3'].map((pile) => hand.mostMovable(TABLE, pile));
  assert.deepEqual(most, [2, 1, 0]);
  // Before the server has listed the moves of new cards, their run of one suit is held.
  const { piles } = table('t0:TH,9S,8S,7S t1:', 't0x1-t1');
  const moved = { legal: [], piles: piles.map((pile) => ({ ...pile, unlisted: true })) };
  assert.deepEqual([hand.mostMovable(moved, 't0'), hand.mostMovable(moved, 't1')], [3, 0]);
});

test('the automatic move goes in suit first and into no space, and a click means the count that fits', () => {
  assert.deepEqual([auto(TABLE, 't0x2'), auto(TABLE, 't4x1')], ['t0x2-t2', undefined]);
  const onto = (target) => says(hand.moveBetween(TABLE, held('t0x1'), target));
  assert.deepEqual([onto('t1'), onto('t3')], ['t0x2-t1', 't0x1-t3']);
});

test('source and target can be picked in either order, and an illegal move is tried', () => {
  for (const [first, second, move] of [
    ['t0x2', 't1x1', 't0x2-t1'],
    ['t1x1', 't0x2', 't0x2-t1'],
    ['t3x0', 't4x1', 't4x1-t3'],
    ['t4x1', 't1x1', 't4x1-t1'], // so that the server gives the reason
    ['t3x0', 't1x1', null],
  ])
    assert.equal(pick(TABLE, first, second), move);
});

const MIXED = 't0:TS,9H,8H t1:JC t2: t3:9C';
const HARD = table(MIXED, 't0x2-t2 t0x1-t2 t0x1-t3 t0x3-t1! t0x3-t2!');
const EASY = table(MIXED, 't0x2-t2 t0x1-t2 t0x1-t3 t0x3-t1 t0x3-t1! t0x3-t2 t0x3-t2!');

test('an exception is possible only when it was asked for', () => {
  const before = hand.playable(HARD, false);
  assert.deepEqual([...hand.sources(before, 't1')], []);
  assert.equal(pick(before, 't0x3', 't1x1'), 't0x3-t1', 'without the mark, for the right reason');
  const after = hand.playable(HARD, true);
  assert.deepEqual([hand.mostMovable(before, 't0'), hand.mostMovable(after, 't0')], [2, 3]);
  assert.equal(pick(after, 't0x3', 't1x1', true), 't0x3-t1!');
  assert.equal(says(hand.putDown(after, held('t0x2'), 't2', true)), 't0x2-t2');
});

test('free exceptions are made as listed, and impossible ones tried as such', () => {
  const free = hand.playable(EASY, true);
  assert.ok(free.legal.every((move) => move.type !== 'move' || !move.exception));
  assert.deepEqual([hand.mostMovable(free, 't0'), pick(free, 't0x3', 't1x1')], [2, 't0x3-t1']);
  assert.deepEqual([auto(free, 't0x1'), auto(free, 't0x3')], ['t0x1-t3', 't0x3-t1']);
  const after = hand.playable(HARD, true);
  assert.equal(says(hand.putDown(after, held('t0x3'), 't3', true)), 't0x3-t3!');
  assert.equal(says(hand.putDown(after, held('t0x1'), 't1', true)), 't0x1-t1');
});

test('the automatic move of a card goes home first, on an empty foundation too', () => {
  const little = table('u0:AH u1:2H u2: f0:', 'u0x1-u1 u0x1-f0');
  little.piles[3].role = 'foundation';
  assert.equal(auto(little, 'u0x1'), 'u0x1-f0');
});

test('a tap moves cards in suit, their whole run rather than a part, and into no space', () => {
  const part = table('t0:9S,8S t1:9H t2:TD', 't0x1-t1 t0x2-t2');
  const alone = table('t0:9S,8S t1:9S', 't0x1-t1');
  const longest = table('t0:9S t1:TS t2:JS,TS t3:TS', 't0x1-t1 t0x1-t2 t0x1-t3');
  for (const [view, cards, move, what] of [
    [TABLE, 't0x2', 't0x2-t2', 'in suit'],
    [TABLE, 't0x1', 't0x2-t2', 'the run, of which the card is the last'],
    [TABLE, 't4x1', undefined, 'only a space'],
    [part, 't0x1', 't0x2-t2', 'no run is broken up'],
    [alone, 't0x1', 't0x1-t1', 'unless it goes in suit'],
    [longest, 't0x1', 't0x1-t2', 'to the longest run of several in suit'],
  ])
    assert.equal(says(hand.tapMove(view, held(cards))), move, what);
});

test('complete suits, runs and movable cards are found', () => {
  const view = { piles: [], legal: [{ type: 'remove', from: 't0' }] };
  const complete = (pile, count) => hand.isComplete(view, { pile, count });
  assert.ok(complete('t0', 1) && complete('t0', 13));
  assert.ok(!complete('t0', 0) && !complete('t0', 14) && !complete('t1', 1));
  const lengths = runs(['9S', '8S', '7S', '3H', '2S', 'AS']).map((run) => run.length);
  assert.deepEqual(lengths, [3, 1, 2]);
  const laid = table('t0:9S,8S,7S t1:KD t2:4H t3:', 't0x1-t3 t0x3-t3 t2x1-t3');
  laid.legal.push({ type: 'deal' });
  assert.deepEqual(Object.fromEntries(movableCards(laid)), { t0: 3, t2: 1 });
});

/** Return a table with a column of cards. @param {string} up @param {number} [down] @param {any[]} [legal] */
const column = (up, down = 2, legal = []) => ({
  legal,
  piles: [{ id: 't3', down, up: up.split(' ') }],
});
function why(laid, count, level = 'off', free = false) {
  const reason = cursorLimit(laid, { pile: 't3', count }, level, free);
  return reason && [reason.code, ...reason.details.cards].join(' ');
}

test('the cursor surrounds a run of one suit, a mixed one that can be moved, and no more', () => {
  const legal = [{ type: 'move', from: 't3', count: 2, to: 't0' }];
  const [run, mixed] = [column('KH 9S 8S 7S'), column('QD 9H 8S 7S')];
  for (const count of [1, 2, 3]) assert.equal(why(run, count), null);
  assert.deepEqual([why(run, 4), why(column('9S 8S'), 3)], ['not_a_run KH 9S', 'face_down']);
  assert.equal(why(column('9S 8S', 0), 3), 'not_enough_cards');
  assert.equal(why(mixed, 3), 'mixed_suits 9H 8S');
  assert.equal(why(mixed, 3, 'hard'), 'exception_not_asked 9H 8S');
  for (const level of ['hard', 'easy']) assert.equal(why(mixed, 3, level, true), null);
  assert.equal(why(mixed, 4, 'easy', true), 'not_a_run QD 9H', 'not even as an exception');
  assert.equal(why(mixed, 4, 'hard'), 'not_a_run QD 9H', 'an exception would not help');
  // Every legal move is surrounded.
  assert.equal(why(column('9S 4H', 2, legal), 2), null);
  assert.equal(why(column('9S 4H', 2, [{ ...legal[0], from: 't4' }]), 2), 'not_a_run 9S 4H');
});
