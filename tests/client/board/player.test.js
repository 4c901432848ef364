import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makePlayer } from '../../../web_client/src/board/player.js';
import { strings } from '../../../web_client/src/core/language.js';
import { NOTHING, reduce } from '../../../web_client/src/core/reducer.js';
import { example } from '../examples.js';

function sitting() {
  const opening = [
    example('joined', 'first player'),
    example('room', 'race is on'),
    example('table'),
  ];
  let state = opening.reduce(reduce, NOTHING);
  /** @type {any[]} */
  const acts = [];
  const app = {
    state: () => state,
    act: (/** @type {any} */ action) => acts.push(action),
    announce() {},
  };
  /** @type {string[]} */
  const refused = [];
  const refuse = (/** @type {string} */ why) => refused.push(why);
  const player = makePlayer(/** @type {any} */ (app), { changed() {}, refuse });
  /** The table comes again, with a pile that may be another. @param {any} [change] */
  function redraw(change = {}) {
    const table = structuredClone(state.play?.base);
    for (const pile of table?.piles ?? []) if (pile.id === change.id) Object.assign(pile, change);
    state = reduce(state, /** @type {any} */ ({ type: 'table', table }));
    player.follow(/** @type {any} */ (state.play).shown);
  }
  return { player, acts, refused, redraw };
}

test('an answer that comes between two keys does not take the cards out of the hand', () => {
  const { player, acts, redraw } = sitting();
  assert.ok(player.pick('t8', 1));
  redraw();
  assert.deepEqual(player.hand(), { pile: 't8', count: 1 });
  player.pick('t0', 1);
  assert.deepEqual(acts, [{ type: 'move', from: 't8', count: 1, to: 't0', exception: false }]);
});

test('cards whose column has become another are no longer in the hand', () => {
  const { player, redraw } = sitting();
  player.pick('t8', 1);
  redraw({ id: 't3', down: 0, up: ['KS'] });
  assert.notEqual(player.hand(), null);
  redraw({ id: 't8', down: 3, up: ['4S'] });
  assert.equal(player.hand(), null);
});

test('cards that go nowhere by themselves are told of a space only where there is one', () => {
  const { player, refused, redraw } = sitting();
  player.auto({ pile: 't2', count: 1 });
  redraw({ id: 't2', down: 0, up: [] });
  player.auto({ pile: 't5', count: 1 });
  assert.deepEqual(refused, [strings.RACE.noPlace, strings.RACE.onlySpace]);
});
