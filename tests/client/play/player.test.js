import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefer } from '../../../web_client/src/browser/storage.js';
import * as playerModule from '../../../web_client/src/play/player.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { example } from '../examples.js';

const { autoMove, deal, dropChangedHand, fittingPiles } = playerModule;
const { grab, makePlayer, pick, undo } = playerModule;

function sitting() {
  const joined = reduce(NOTHING, example('joined', 'first player'));
  let state = [example('room', 'race is on'), example('table')].reduce(reduce, joined);
  const acts = [];
  const app = { state: () => state, act: (action) => acts.push(action), announce() {} };
  const refused = [];
  const refuse = (why) => refused.push(why);
  const clock = { ms: 0 };
  const player = makePlayer(app, { changed() {}, refuse }, () => clock.ms);
  /** Receive the table again, with one pile changed. @param {any} [change] */
  function redraw(change = {}) {
    const table = structuredClone(state.play?.base);
    for (const pile of table?.piles ?? []) if (pile.id === change.id) Object.assign(pile, change);
    state = reduce(state, { type: 'table', table });
    dropChangedHand(player, state.play.shown);
  }
  return { player, acts, refused, redraw, clock };
}

test('an answer between two keys leaves the cards in hand', () => {
  const { player, acts, redraw } = sitting();
  assert.ok(pick(player, 't8', 1));
  redraw();
  assert.deepEqual(player.hand, { pile: 't8', count: 1 });
  pick(player, 't0', 1);
  assert.deepEqual(acts, [{ type: 'move', from: 't8', count: 1, to: 't0', exception: false }]);
});

test('a change of their column takes the cards out of the hand', () => {
  const { player, redraw } = sitting();
  pick(player, 't8', 1);
  redraw({ id: 't3', down: 0, up: ['KS'] });
  assert.notEqual(player.hand, null);
  redraw({ id: 't8', down: 3, up: ['4S'] });
  assert.equal(player.hand, null);
});

test('the refusal of an automatic move names a space only where there is one', () => {
  const { player, refused, redraw } = sitting();
  autoMove(player, { pile: 't2', count: 1 });
  redraw({ id: 't2', down: 0, up: [] });
  autoMove(player, { pile: 't5', count: 1 });
  assert.deepEqual(refused, [strings.PLAY.noPlace, strings.PLAY.onlySpace]);
});

test('cards that fit nowhere have the piles whose cards fit on theirs, unless they are dragged', () => {
  const { player } = sitting();
  pick(player, 't8', 1);
  assert.deepEqual([...fittingPiles(player)], ['t0']);
  pick(player, 't8', 1);
  pick(player, 't2', 1);
  assert.deepEqual([...fittingPiles(player)], ['t5']);
  grab(player, { pile: 't2', count: 1 });
  assert.deepEqual([...fittingPiles(player)], []);
});

test('a deal within half a second of the one before is a repeat, and so is the next that soon', () => {
  const { player, acts, clock } = sitting();
  for (const ms of [0, 300, 520, 1019]) {
    clock.ms = ms;
    deal(player);
  }
  assert.deepEqual(acts, [{ type: 'deal' }]);
  clock.ms = 1519;
  deal(player);
  assert.equal(acts.length, 2);
  deal(player, true); // by F9 and F10, which ask
  assert.equal(acts.length, 3);
});

test('a deal after another act is meant, however soon it comes', () => {
  const { player, acts } = sitting();
  deal(player);
  undo(player);
  deal(player);
  assert.equal(acts.map(({ type }) => type).join(), 'deal,undo,deal');
});

test('a double click deals once where each deal is to be confirmed', () => {
  const { player, acts, clock } = sitting();
  prefer('confirmDeal', true);
  deal(player);
  deal(player);
  clock.ms = 400;
  deal(player);
  assert.equal(player.awaited, null);
  prefer('confirmDeal', false);
  assert.deepEqual(acts, [{ type: 'deal' }]);
});
