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

function open(path, hash = '') {
  const location = { pathname: path, hash };
  const replaceState = (_state, _title, url) => {
    const [pathname = '', fragment] = url.split('#');
    Object.assign(location, { pathname, hash: fragment ? `#${fragment}` : '' });
  };
  Object.assign(globalThis, { location, history: { state: null, replaceState } });
  return location;
}

const SEAT = { seat: 2, token: 'a_B-3' };

for (const [why, storage] of [
  ['is null', null],
  ['is full', { getItem: () => null, setItem: () => assert.fail('full') }],
])
  test(`where the storage ${why}, the page remembers, and the address has the seat`, () => {
    globalThis.localStorage = storage;
    const location = open('/r/7K3QZ0A');
    keep('name', 'Ada');
    assert.equal(kept('name'), 'Ada');
    storeSeat('7K3QZ0A', SEAT);
    assert.deepEqual(storedSeat('7K3QZ0A'), SEAT);
    assert.equal(location.hash, '#seat=2.a_B-3');
    assert.equal(roomAddress('7K3QZ0A'), '/r/7K3QZ0A#seat=2.a_B-3');
    forgetSeat('7K3QZ0A');
    assert.deepEqual([location.hash, storedSeat('7K3QZ0A')], ['', null]);
  });

test('the seat of an address is that of its room, and goes where the storage works', () => {
  keep('name', 'Ada'); // the storage works again
  const location = open('/r/7K3QZ0A', '#seat=2.a_B-3');
  assert.equal(storedSeat('ABCDEFG'), null);
  assert.deepEqual(storedSeat('7K3QZ0A'), SEAT);
  storeSeat('7K3QZ0A', SEAT);
  assert.equal(location.hash, '');
  assert.deepEqual(storedSeat('7K3QZ0A'), SEAT);
});
