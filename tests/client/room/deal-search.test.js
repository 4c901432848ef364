import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { makeDealSearch, mayAwaitDeal } from '../../../web_client/src/room/deal-search.js';

/** @param {any} starting @param {any} settings @returns {any} */
const state = (starting, settings = { winnable: true, deal: 'secret' }) => ({
  starting,
  room: { settings },
});

test('only starts with secret deals that can be won may wait', () => {
  assert.equal(mayAwaitDeal(state('ready')), true);
  assert.equal(mayAwaitDeal(state('start')), true);
  assert.equal(mayAwaitDeal(state(null)), false);
  assert.equal(mayAwaitDeal(state('start', { winnable: false, deal: 'secret' })), false);
  assert.equal(mayAwaitDeal(state('start', { winnable: true, deal: 'numbered' })), false);
  assert.equal(mayAwaitDeal({ room: null, starting: 'start' }), false);
});

test('a wait is explained once, and not if the answer comes in time', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const show = mock.fn();
  const search = makeDealSearch(show);
  search.update(state('ready'));
  mock.timers.tick(600);
  search.update(state(null));
  mock.timers.tick(5_000);
  assert.equal(show.mock.callCount(), 0);
  search.update(state('start'));
  mock.timers.tick(400);
  search.update(state('start'));
  mock.timers.tick(400);
  assert.deepEqual([show.mock.callCount(), search.isShown()], [1, true]);
  search.update(state('start'));
  mock.timers.tick(5_000);
  assert.equal(show.mock.callCount(), 1);
  search.update(state(null));
  assert.equal(search.isShown(), false);
  mock.timers.reset();
});
