import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePartLoader } from '../../../web_client/src/page/part-loader.js';

const MINUTE_MS = 60_000;
const STEP_MS = 100;

function made({ mock }) {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(Math, 'random', () => 1);
  const parts = {
    isThere: false,
    tries: 0,
    /** The parts that were used. @type {string[]} */
    used: [],
    loader: makePartLoader(() => {}),
    /** Return how a part is loaded. @param {'needed' | 'wanted' | 'asked-for'} need @param {string} name */
    how: (need, name = 'part') => ({
      need,
      load: async () => {
        parts.tries += 1;
        if (!parts.isThere) throw new TypeError('Failed to fetch');
        return name;
      },
      use: (part) => parts.used.push(part),
    }),
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        mock.timers.tick(STEP_MS);
        await settle();
      }
    },
  };
  const { loader, how, pass } = parts;
  return { parts, loader, how, pass };
}

const settle = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

test('a needed part is tried less and less often, however often it is wanted', async (t) => {
  const { parts, loader, how, pass } = made(t);
  for (let passed = 0; passed < MINUTE_MS; passed += STEP_MS) {
    loader.load('race', how('needed')); // every message of the server draws the page
    await pass(STEP_MS);
  }
  assert.equal(parts.tries, 10); // after 1, 3, 7, 15 s, and then each 8 s
});

test('a part that is only wanted is tried seldom, and used once', async (t) => {
  const { parts, loader, how, pass } = made(t);
  loader.load('chat', how('wanted'));
  await pass(20_000);
  assert.deepEqual([parts.tries, loader.isOffering()], [1, true]);
  parts.isThere = true;
  await pass(MINUTE_MS);
  assert.deepEqual([parts.used, loader.isOffering()], [['part'], false]);
  const before = parts.tries;
  await pass(MINUTE_MS);
  assert.equal(parts.tries, before);
});

test('a network that is back is used at once, but for what the player asked for', async (t) => {
  const { parts, loader, how } = made(t);
  loader.load('chat', how('wanted', 'chat'));
  loader.load('help', how('asked-for', 'help'));
  await settle();
  parts.isThere = true;
  loader.resume();
  await settle();
  assert.deepEqual(parts.used, ['chat']);
});

test('a part that the player asked for is tried again only by the player', async (t) => {
  const { parts, loader, how, pass } = made(t);
  loader.load('help', how('asked-for'));
  await pass(MINUTE_MS);
  assert.deepEqual([parts.tries, loader.isOffering()], [1, true]);
  loader.retry();
  assert.equal(loader.isOffering(), false);
  await settle();
  assert.deepEqual([parts.tries, loader.isOffering()], [2, true]);
  parts.isThere = true;
  loader.load('help', how('asked-for'));
  await settle();
  assert.deepEqual([parts.used, loader.isOffering()], [['part'], false]);
});

test('an offer that was closed stays closed while the page tries on', async (t) => {
  const { parts, loader, how, pass } = made(t);
  loader.load('chat', how('wanted'));
  await settle();
  loader.dismiss();
  await pass(2 * MINUTE_MS);
  assert.ok(parts.tries > 1);
  assert.equal(loader.isOffering(), false);
  parts.isThere = true;
  await pass(MINUTE_MS);
  assert.deepEqual(parts.used, ['part']);
});

test('a part that is not needed any more is neither tried nor used', async (t) => {
  const { parts, loader, how, pass } = made(t);
  loader.load('results', how('wanted'));
  await settle();
  loader.forget('results');
  await pass(MINUTE_MS);
  assert.deepEqual([parts.tries, loader.isOffering()], [1, false]);
  parts.isThere = true;
  loader.load('results', how('wanted'));
  loader.forget('results');
  await settle();
  assert.deepEqual(parts.used, []);
});

test('each failure is reported with its error', async (t) => {
  const { parts, loader, how, pass } = made(t);
  const errors = [];
  loader.load('race', { ...how('needed'), failed: (error) => errors.push(error) });
  await pass(MINUTE_MS);
  assert.equal(errors.length, parts.tries);
  assert.ok(errors[0] instanceof TypeError);
});

test('an offer to call a function calls it once for each agreement', async (t) => {
  const { loader } = made(t);
  let calls = 0;
  loader.offer('classic', () => (calls += 1));
  assert.ok(loader.isOffering());
  loader.retry();
  loader.retry();
  await settle();
  assert.deepEqual([calls, loader.isOffering()], [1, false]);
});
