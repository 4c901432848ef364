import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entry } from '../examples.js';

const KEY = 'spider-race.history';
const stored = new Map();
const works = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
  removeItem: (key) => stored.delete(key),
};
/** The page's listener for changes by other tabs. */
let heard = () => {};

/** Start with an empty storage, and restore the globals for the other tests of this process. */
function prepare(context) {
  const { localStorage, window } = globalThis;
  stored.clear();
  globalThis.localStorage = works;
  globalThis.window = { addEventListener: (_type, listener) => (heard = listener) };
  context.after(() => Object.assign(globalThis, { localStorage, window }));
}

let pages = 0;
/** Open a page: a copy of the module with its own memory and the same storage. */
function openPage() {
  pages += 1;
  return import(`../../../web_client/src/browser/history.js?page=${pages}`);
}

const ids = ({ keptEntries }) => keptEntries().map(({ id }) => id);

test('a race that comes again is kept once, and a deleted one does not come back', async (context) => {
  prepare(context);
  const page = await openPage();
  for (const at of [1, 1, 2]) page.keepEntry(entry('A/1', at));
  page.keepEntry(entry('B/1', 5));
  assert.deepEqual(ids(page), ['B/1', 'A/1']);
  page.forgetEntries();
  page.forgetEntries();
  page.keepEntry(entry('B/1', 5)); // its results are opened again
  assert.deepEqual(ids(page), []);
  page.keepEntry(entry('B/2', 6));
  assert.deepEqual(ids(page), ['B/2']);
});

test('tabs that write at the same moment lose no race, and a deletion holds in all of them', async (context) => {
  prepare(context);
  const [one, other] = [await openPage(), await openPage()];
  one.keepEntry(entry('A/1', 1));
  const restore = heard;
  const before = stored.get(KEY);
  stored.delete(KEY); // the other tab has overwritten it
  other.keepEntry(entry('B/1', 2));
  restore({ key: 'spider-race.name' });
  assert.deepEqual(ids(one), ['B/1']);
  restore({ key: KEY });
  assert.deepEqual(ids(one), ['B/1', 'A/1']);
  assert.notEqual(stored.get(KEY), before);
  other.forgetEntries();
  restore({ key: KEY });
  assert.deepEqual(ids(one), []);
  one.keepEntry(entry('C/1', 9));
  assert.deepEqual(ids(other), ['C/1'], 'nothing older comes along');
});

test('damaged text and a full storage stop nothing', async (context) => {
  prepare(context);
  for (const text of ['{', '[[1]]', '"x"', 'null', '']) {
    stored.set(KEY, text);
    const page = await openPage();
    assert.deepEqual(ids(page), []);
    page.keepEntry(entry('A/1', 1));
    assert.deepEqual(ids(page), ['A/1']);
  }
  const { canStore } = await openPage();
  assert.ok(canStore());
  assert.ok(![...stored.keys()].some((key) => key.endsWith('probe')));
  for (const [at, store] of [
    [8, null],
    [9, { getItem: () => null, setItem: () => assert.fail('full') }],
  ]) {
    globalThis.localStorage = store;
    assert.equal(canStore(), false);
    const page = await openPage();
    page.keepEntry(entry('Z/1', at));
    assert.deepEqual(ids(page)[0], 'Z/1', 'as long as the page');
    globalThis.localStorage = works;
    page.forgetEntries();
  }
});

test('a saved file adds missing races, also after a deletion', async (context) => {
  prepare(context);
  const asked = [];
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: { persist: async () => asked.push('persist') },
  });
  context.after(() => Reflect.deleteProperty(navigator, 'storage'));
  const page = await openPage();
  assert.equal(asked.length, 0, 'nothing can be lost yet');
  for (const id of ['A/1', 'B/1']) page.keepEntry(entry(id, 9, { place: 1 }));
  assert.equal(asked.length, 1);
  const saved = JSON.stringify(['A/1', 'C/1', 'C/1'].map((id) => entry(id, 5, { place: 3 })));
  assert.equal(page.readEntries('rubbish'), null);
  assert.equal(page.readEntries(saved), 1);
  assert.equal(page.readEntries(saved), 0);
  const kept = () => page.keptEntries().map(({ id, place }) => `${id} ${place}`);
  assert.deepEqual(kept(), ['B/1 1', 'A/1 1', 'C/1 3']);
  page.forgetEntries();
  assert.equal(page.readEntries(saved), 2);
  assert.deepEqual(ids(await openPage()), ['C/1', 'A/1']);
});
