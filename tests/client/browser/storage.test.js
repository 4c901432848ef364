import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import * as storageModule from '../../../web_client/src/browser/storage.js';

const { forgetSeat, isMuted, keep, kept, mutedIn, preference, roomAddress } = storageModule;
const { storedSeat, storeMuted, storeSeat } = storageModule;
const stored = new Map();
beforeEach(() => {
  stored.clear();
  globalThis.localStorage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, value),
  };
});

test('the next owner of the number of a muted player is not muted', () => {
  storeMuted('7K3QZ0A', new Map([[3, 'Eve']]));
  const muted = mutedIn('7K3QZ0A');
  assert.deepEqual([isMuted(muted, 3, 'Eve'), isMuted(muted, 3, 'Finn')], [true, false]);
  assert.deepEqual([isMuted(muted, 4, 'Eve'), mutedIn('another').size], [false, 0]);
});

test('a table of an earlier version is replaced by the one that is nearest', () => {
  stored.set('spider-race.table', '"olive"');
  stored.set('spider-race.cards', '"olive"');
  assert.deepEqual([preference('table'), preference('cards')], ['walnut', 'two']);
});

test('where nothing can be stored, the page remembers, and the address has the seat of its room', () => {
  const location = { pathname: '/r/7K3QZ0A', hash: '' };
  const replaceState = (_state, _title, url) => {
    location.hash = url.slice(location.pathname.length);
  };
  Object.assign(globalThis, { location, history: { state: null, replaceState } });
  const { localStorage: works } = globalThis;
  const own = { seat: 2, token: 'a_B-3' };
  for (const storage of [null, { getItem: () => null, setItem: () => assert.fail('full') }]) {
    globalThis.localStorage = storage;
    keep('name', 'Ada');
    storeSeat('7K3QZ0A', own);
    assert.deepEqual([kept('name'), storedSeat('7K3QZ0A'), storedSeat('X')], ['Ada', own, null]);
    assert.equal(location.hash, '#seat=2.a_B-3');
    assert.equal(roomAddress('7K3QZ0A'), '/r/7K3QZ0A#seat=2.a_B-3');
    forgetSeat('7K3QZ0A');
    assert.deepEqual([location.hash, storedSeat('7K3QZ0A')], ['', null]);
  }
  location.hash = '#seat=2.a_B-3';
  globalThis.localStorage = works;
  keep('name', 'Ada');
  assert.deepEqual([storedSeat('7K3QZ0A'), storedSeat('ABCDEFG')], [own, null]);
  storeSeat('7K3QZ0A', own); // which is stored again
  assert.deepEqual([location.hash, storedSeat('7K3QZ0A')], ['', own]);
});
