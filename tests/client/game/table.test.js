import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAction, parseLegal, parsePile } from '../../../web_client/src/contract/notation.js';
import * as table from '../../../web_client/src/game/table.js';

const view = (...legal) => ({
  at: 7,
  last_id: 3,
  piles: ['9S 8S', 'TS', '5H', '6H', ''].map((up, i) => parsePile(`t${i}`, `[1] ${up}`.trim())),
  legal: parseLegal([...legal, 'deal'].join()),
});

/** Return the play after acts at a table with these legal moves. @param {string[]} legal @param {...string} acts */
const after = (legal, ...acts) =>
  acts.reduce((play, act) => table.attempt(play, parseAction(act)), table.start(view(...legal)));

/** Return the acts in flight in words. @param {any} play */
const offered = ({ inFlight }) =>
  inFlight.map(({ id, at, isShown, again }) => {
    const how = again ? 'again' : isShown ? 'shown' : 'waits';
    return `${id} at ${at} ${how}`;
  });

const TWO = ['t0x2-t1', 't2x1-t3'];

test('legal moves on different piles are in flight together', () => {
  const play = after(TWO, ...TWO);
  assert.deepEqual(offered(play), ['4 at 7 shown', '5 at 8 shown']);
  const [turning, target] = play.shown.piles;
  assert.deepEqual([turning.up, target.up], [[], ['TS', '9S', '8S']]); // it still shows its back
});

test('after an unanswered move, the table offers no earlier action on its piles', () => {
  const legal = ['t0x1-t1', 't0x2-t1', 't1x1-t2', 't2x1-t3', 't4x1-t0'];
  const { shown, base } = after(legal, 't0x1-t1');
  assert.deepEqual(shown.legal, parseLegal('t2x1-t3,deal'));
  assert.deepEqual(base.legal, view(...legal).legal);
  const unlisted = shown.piles.filter((pile) => pile.unlisted);
  assert.equal(unlisted.map(({ id }) => id).join(), 't0,t1');
});

test('a move on the piles of another one is queued, and so is an act behind a deal', () => {
  const onTop = after(['t2x1-t3', 't3x1-t4'], 't2x1-t3', 't3x2-t4');
  assert.deepEqual([onTop.inFlight.length, onTop.queued.length], [1, 1]);
  const dealt = after(['t2x1-t3'], 'deal', 't2x1-t3');
  assert.deepEqual(offered(dealt), ['4 at 7 waits']);
  assert.equal(dealt.shown, dealt.base);
});

test('the queue behind an attempt survives its refusal, the queue behind a shown move does not', () => {
  const attempted = after(['t2x1-t3'], 't2x1-t0', 't2x1-t3');
  assert.deepEqual(offered(table.refused(attempted, { id: 4, table: null })), ['5 at 7 shown']);
  let play = after(TWO, ...TWO, 't3x2-t4');
  assert.deepEqual([play.inFlight.length, play.queued.length], [2, 1]);
  play = table.refused(play, { id: 4, table: null });
  assert.deepEqual([play.inFlight, play.queued, play.withdrawn.map(({ id }) => id)], [[], [], [5]]);
  assert.equal(play.shown, play.base);
  assert.deepEqual(table.refused(play, { id: 5, table: null }).withdrawn, []);
});

test('a lost connection loses no act, and acts that the server has lost are sent again', () => {
  const known = { ...view('t2x1-t3'), at: 8, last_id: 4 };
  const play = table.snapshot(after(TWO, ...TWO), known, true);
  assert.deepEqual([offered(play), play.nextId], [['5 at 8 shown'], 6]);
  const acted = table.acted(after(TWO, ...TWO), { ...known, id: 4, piles: [] });
  const again = table.snapshot(acted, view(...TWO), false);
  assert.deepEqual(offered(again), ['6 at 7 again', '7 at 8 waits'], 'before those in flight');
  assert.equal(again.withdrawn.map(({ id }) => id).join(), '5');
});

test('an act that is sent again and refused is sent once more, unless another has its place', () => {
  let play = after(TWO, ...TWO);
  for (const id of [4, 5]) play = table.acted(play, { ...view(), id, at: id + 4, piles: [] });
  play = table.snapshot(play, view(), true);
  assert.deepEqual(offered(play), ['6 at 7 again', '7 at 8 again']);
  play = table.refused(play, { id: 7, code: 'stale', table: view() });
  assert.deepEqual(offered(play), ['8 at 7 again', '9 at 8 again']);
  play = table.refused(play, { id: 8, code: 'stale', table: { ...view(), at: 8 } });
  assert.deepEqual(offered(play), []);
});
