import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAction, parseLegal, parsePile } from '../../../web_client/src/contract/notation.js';
import * as hand from '../../../web_client/src/game/cards.js';
import { runs } from '../../../web_client/src/game/cards.js';
import { movableCards } from '../../../web_client/src/play/aids.js';
import { cursorLimit } from '../../../web_client/src/play/keyboard.js';

/** Return the pile that a text describes, such as `t0:9S,8S`. @param {string} text */
const pileOf = (text) => parsePile(text.slice(0, 2), text.slice(3).replaceAll(',', ' '));
/** Return a table of piles and legal moves, such as `t0x2-t1`; `!` marks an exception. @param {string} piles @param {string} legal */
const table = (piles, legal) => ({
  piles: piles.split(' ').map(pileOf),
  legal: parseLegal(legal.replaceAll(' ', ',')),
});
const says = (move) => move && formatAction(move);

/** Return cards that a player holds, as `t0x2`. @param {string} text */
const held = (text) => ({ pile: text.slice(0, 2), count: Number(text.slice(3)) });
const pick = (view, first, second, isException = false) =>
  says(hand.secondPick(view, held(first), held(second), isException));
const auto = (view, from) => says(hand.autoMove(view, held(from)));

const TABLE = table('t0:9S,8S t1:TH t2:TS t3: t4:KD', 't0x1-t3 t0x2-t3 t0x2-t1 t0x2-t2 t4x1-t3');

test('cards may go where the server says, and at first the hand takes the longest run that can move', () => {
  assert.deepEqual([...hand.targets(TABLE, held('t0x2'))], ['t3', 't1', 't2']);
  assert.deepEqual([...hand.targets(TABLE, held('t0x1'))], ['t3']);
  assert.deepEqual([...hand.sources(TABLE, 't3')], ['t0', 't4']);
  const most = ['t0', 't1', 't3'].map((pile) => hand.mostMovable(TABLE, pile));
  assert.deepEqual(most, [2, 1, 0]);
  // Before the server has listed the moves of new cards, the hand takes their run of one suit.
  const { piles } = table('t0:TH,9S,8S,7S t1:', 't0x1-t1');
  const moved = { legal: [], piles: piles.map((pile) => ({ ...pile, unlisted: true })) };
  assert.deepEqual([hand.mostMovable(moved, 't0'), hand.mostMovable(moved, 't1')], [3, 0]);
});

test('the automatic move prefers the suit and no space, and a click takes the number of cards that fits', () => {
  assert.deepEqual([auto(TABLE, 't0x2'), auto(TABLE, 't4x1')], ['t0x2-t2', undefined]);
  const onto = (target) => says(hand.moveBetween(TABLE, held('t0x1'), target));
  assert.deepEqual([onto('t1'), onto('t3')], ['t0x2-t1', 't0x1-t3']);
});

test('source and target can be picked in either order, and an illegal move goes to the server', () => {
  assert.equal(pick(TABLE, 't0x2', 't1x1'), 't0x2-t1');
  assert.equal(pick(TABLE, 't1x1', 't0x2'), 't0x2-t1');
  assert.equal(pick(TABLE, 't3x0', 't4x1'), 't4x1-t3');
  assert.equal(pick(TABLE, 't4x1', 't1x1'), 't4x1-t1', 'so that the server gives the reason');
  assert.equal(pick(TABLE, 't3x0', 't1x1'), null);
});

const MIXED = 't0:TS,9H,8H t1:JC t2: t3:9C';
const HARD = table(MIXED, 't0x2-t2 t0x1-t2 t0x1-t3 t0x3-t1! t0x3-t2!');
const EASY = table(MIXED, 't0x2-t2 t0x1-t2 t0x1-t3 t0x3-t1 t0x3-t1! t0x3-t2 t0x3-t2!');

test('an exception must be asked for unless it is free, and an impossible one goes to the server', () => {
  const before = hand.playable(HARD, false);
  assert.deepEqual([[...hand.sources(before, 't1')], hand.mostMovable(before, 't0')], [[], 2]);
  assert.equal(pick(before, 't0x3', 't1x1'), 't0x3-t1', 'without the mark, for the right reason');
  const free = hand.playable(EASY, true);
  assert.ok(free.legal.every((move) => move.type !== 'move' || !move.exception));
  assert.deepEqual([hand.mostMovable(free, 't0'), pick(free, 't0x3', 't1x1')], [2, 't0x3-t1']);
  assert.deepEqual([auto(free, 't0x1'), auto(free, 't0x3')], ['t0x1-t3', 't0x3-t1']);
  const after = hand.playable(HARD, true);
  assert.deepEqual(
    [hand.mostMovable(after, 't0'), pick(after, 't0x3', 't1x1', true)],
    [3, 't0x3-t1!'],
  );
  assert.equal(says(hand.putDown(after, held('t0x2'), 't2', true)), 't0x2-t2');
  assert.equal(says(hand.putDown(after, held('t0x3'), 't3', true)), 't0x3-t3!');
  assert.equal(says(hand.putDown(after, held('t0x1'), 't1', true)), 't0x1-t1');
});

test('a tap moves cards home or in suit, their whole run rather than a part, and into no space', () => {
  const part = table('t0:9S,8S t1:9H t2:TD', 't0x1-t1 t0x2-t2');
  const alone = table('t0:9S,8S t1:9S', 't0x1-t1');
  const longest = table('t0:9S t1:TS t2:JS,TS t3:TS', 't0x1-t1 t0x1-t2 t0x1-t3');
  const little = table('u0:AH u1:2H f0:', 'u0x1-u1 u0x1-f0');
  little.piles[2].role = 'foundation';
  assert.equal(auto(little, 'u0x1'), 'u0x1-f0', 'as does the automatic move');
  for (const [view, cards, move, what] of [
    [TABLE, 't0x2', 't0x2-t2', 'in suit'],
    [TABLE, 't0x1', 't0x2-t2', 'the run, of which the card is the last'],
    [TABLE, 't4x1', undefined, 'only a space'],
    [part, 't0x1', 't0x2-t2', 'no run is broken up'],
    [alone, 't0x1', 't0x1-t1', 'unless it goes in suit'],
    [longest, 't0x1', 't0x1-t2', 'to the longest run of several in suit'],
    [little, 'u0x1', 'u0x1-f0', 'onto an empty foundation'],
  ])
    assert.equal(says(hand.tapMove(view, held(cards))), move, what);
});

test('complete suits, runs and movable cards are found', () => {
  const view = { piles: [], legal: [{ type: 'remove', from: 't0' }] };
  const complete = ['t0x0', 't0x1', 't0x13', 't0x14', 't1x1'].map((cards) =>
    hand.isComplete(view, held(cards)),
  );
  assert.deepEqual(complete, [false, true, true, false, false]);
  const lengths = runs(['9S', '8S', '7S', '3H', '2S', 'AS']).map((run) => run.length);
  assert.deepEqual(lengths, [3, 1, 2]);
  const laid = table('t0:9S,8S,7S t1:KD t2:4H t3:', 't0x1-t3 t0x3-t3 t2x1-t3');
  laid.legal.push({ type: 'deal' });
  assert.deepEqual(Object.fromEntries(movableCards(laid)), { t0: 3, t2: 1 });
});

test('the cursor surrounds a run of one suit, a mixed one that can be moved, and no more', () => {
  const [run, mixed] = ['t3:[2],KH,9S,8S,7S', 't3:[2],QD,9H,8S,7S'];
  for (const [pile, count, why, level = 'off', isAsked = false, legal = ''] of [
    [run, 1, null],
    [run, 3, null],
    [run, 4, 'not_a_run KH 9S'],
    ['t3:[2],9S,8S', 3, 'face_down'],
    ['t3:9S,8S', 3, 'not_enough_cards'],
    [mixed, 3, 'mixed_suits 9H 8S'],
    [mixed, 3, 'exception_not_asked 9H 8S', 'hard'],
    [mixed, 3, null, 'hard', true],
    [mixed, 3, null, 'easy', true],
    [mixed, 4, 'not_a_run QD 9H', 'easy', true], // not even as an exception
    [mixed, 4, 'not_a_run QD 9H', 'hard'], // an exception would not help
    ['t3:[2],9S,4H', 2, null, 'off', false, 't3x2-t0'], // every legal move is surrounded
    ['t3:[2],9S,4H', 2, 'not_a_run 9S 4H', 'off', false, 't4x2-t0'],
  ]) {
    const reason = cursorLimit(table(pile, legal), { pile: 't3', count }, level, isAsked);
    assert.equal(reason && [reason.code, ...reason.details.cards].join(' '), why);
  }
});
