// Loads and documents: after a failure the page requests them once more, and after another the player has to.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Window } from '../../../web_client/node_modules/happy-dom/lib/index.js';
import { keepFetching, makeLoad, tryAgain } from '../../../web_client/src/page/loads.js';

const window = new Window();
const { document } = window;
after(() => window.happyDOM.abort());

const settle = async () => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

/** Make a load whose code can be missing. @param {any} t */
function made(t) {
  Object.assign(globalThis, { document });
  t.mock.method(performance, 'getEntriesByType', () => []);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen = { isThere: false, tries: 0, used: [] };
  const load = makeLoad(async () => {
    seen.tries += 1;
    if (!seen.isThere) throw new TypeError('Failed to fetch');
    return 'code';
  }, []);
  const pass = async () => {
    await settle();
    t.mock.timers.tick(1_000);
    await settle();
  };
  const isOffered = () => document.getElementById('not-loaded') !== null;
  return { load, seen, pass, isOffered, use: (name) => load.use(name, () => seen.used.push(name)) };
}

test('the page requests a failed load once more, and then the player does', async (t) => {
  const { load, seen, pass, isOffered, use } = made(t);
  const click = (id) => document.getElementById(id).click();
  for (const [act, tries, offered] of [
    [() => ['help', 'results'].map(use), 1, false],
    [pass, 2, true],
    [() => use('results'), 2, true], // each message of the server draws the page
    [() => click('not-loaded-again'), 3, false],
    [pass, 4, true],
    [() => click('not-loaded-close'), 4, false],
    [() => use('help'), 5, false],
    [pass, 6, true],
  ]) {
    await act();
    await settle();
    assert.deepEqual([seen.tries, isOffered(), seen.used], [tries, offered, []], String(act));
  }
  seen.isThere = true;
  tryAgain(); // the network is back
  await settle();
  assert.deepEqual([isOffered(), seen.used, load.code], [false, ['help', 'results'], 'code']);
  use('more');
  assert.deepEqual([seen.tries, seen.used.at(-1)], [7, 'more']);
});

test('a load ahead fails in silence, and a load without uses is offered no more', async (t) => {
  const { load, seen, pass, isOffered, use } = made(t);
  for (let times = 0; times < 2; times += 1) {
    load.fetchAhead();
    await pass();
  }
  assert.deepEqual([seen.tries, isOffered()], [2, false]);
  use('room');
  await pass();
  assert.deepEqual([seen.tries, isOffered()], [4, true]);
  load.drop('room');
  assert.equal(isOffered(), false);
  seen.isThere = true;
  tryAgain();
  await settle();
  assert.deepEqual([seen.tries, seen.used], [4, []]);
});

test('a hanging first request is repeated when the network is back, and its late answer is dropped', async (t) => {
  Object.assign(globalThis, { document, window });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const asked = [];
  const shown = [];
  const show = (found) => shown.push(found) && 0;
  const { stop } = keepFetching(() => new Promise((answer) => asked.push(answer)), show);
  for (const [at, requests] of [
    [500, 1], // the last request was just before
    [5_000, 2],
  ]) {
    now = at;
    window.dispatchEvent(new window.Event('online'));
    assert.equal(asked.length, requests);
  }
  asked[1]('new');
  asked[0]('old');
  await settle();
  assert.deepEqual(shown, ['new']);
  now = 10_000;
  window.dispatchEvent(new window.Event('online'));
  assert.equal(asked.length, 2, 'an answer that is final ends it');
  stop();
});

test('the page without a network may run its script, and no other one', () => {
  const [page, worker] = ['offline.html', 'service-worker.js'].map((name) =>
    readFileSync(new URL(`../../../web_client/${name}`, import.meta.url), 'utf8'),
  );
  const script = page.slice(page.indexOf('<script>') + 8, page.indexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  assert.ok(worker.includes(`'sha256-${hash}'`), hash);
});
