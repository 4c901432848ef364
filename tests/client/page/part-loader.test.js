import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { makePartLoader } from '../../../web_client/src/page/part-loader.js';

const MINUTE_MS = 60_000;
const STEP_MS = 100;

/** Whether files can be loaded. */
let isThere = false;
/** The tries so far. */
let tries = 0;
/** The parts that were used. @type {string[]} */
let used = [];

/** Return how a part is loaded. @param {'needed' | 'wanted' | 'asked-for'} need @param {string} name */
const how = (need, name = 'part') => ({
  need,
  load: async () => {
    tries += 1;
    if (!isThere) throw new TypeError('Failed to fetch');
    return name;
  },
  use: (part) => used.push(part),
});

/** Let promises settle. */
const settle = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

/** Let some time pass. @param {number} ms */
async function pass(ms) {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    mock.timers.tick(STEP_MS);
    await settle();
  }
}

beforeEach(() => {
  isThere = false;
  tries = 0;
  used = [];
  mock.timers.enable({ apis: ['setTimeout'] });
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

test('a needed part is tried less and less often, however often it is wanted', async () => {
  mock.method(Math, 'random', () => 1);
  const loader = makePartLoader(() => {});
  for (let passed = 0; passed < MINUTE_MS; passed += STEP_MS) {
    loader.load('race', how('needed')); // every message of the server draws the page
    await pass(STEP_MS);
  }
  assert.equal(tries, 10); // after 1, 3, 7, 15 s, and then each 8 s
});

test('a part that is only wanted is tried seldom, and used once', async () => {
  const loader = makePartLoader(() => {});
  loader.load('chat', how('wanted'));
  await pass(20_000);
  assert.equal(tries, 1);
  assert.ok(loader.isOffering());
  isThere = true;
  await pass(MINUTE_MS);
  assert.deepEqual(used, ['part']);
  assert.equal(loader.isOffering(), false);
  const before = tries;
  await pass(MINUTE_MS);
  assert.equal(tries, before);
});

test('a network that is back is used at once, but for what the player asked for', async () => {
  const loader = makePartLoader(() => {});
  loader.load('chat', how('wanted', 'chat'));
  loader.load('help', how('asked-for', 'help'));
  await settle();
  isThere = true;
  loader.resume();
  await settle();
  assert.deepEqual(used, ['chat']);
});

test('a part that the player asked for is tried again only by the player', async () => {
  const loader = makePartLoader(() => {});
  loader.load('help', how('asked-for'));
  await pass(MINUTE_MS);
  assert.equal(tries, 1);
  assert.ok(loader.isOffering());
  loader.retry();
  assert.equal(loader.isOffering(), false);
  await settle();
  assert.equal(tries, 2);
  assert.ok(loader.isOffering());
  isThere = true;
  loader.load('help', how('asked-for'));
  await settle();
  assert.deepEqual(used, ['part']);
  assert.equal(loader.isOffering(), false);
});

test('an offer that was closed stays closed while the page tries on', async () => {
  const loader = makePartLoader(() => {});
  loader.load('chat', how('wanted'));
  await settle();
  loader.dismiss();
  await pass(2 * MINUTE_MS);
  assert.ok(tries > 1);
  assert.equal(loader.isOffering(), false);
  isThere = true;
  await pass(MINUTE_MS);
  assert.deepEqual(used, ['part']);
});

test('a part that is not needed any more is neither tried nor used', async () => {
  const loader = makePartLoader(() => {});
  loader.load('results', how('wanted'));
  await settle();
  loader.forget('results');
  await pass(MINUTE_MS);
  assert.equal(tries, 1);
  assert.equal(loader.isOffering(), false);
  isThere = true;
  loader.load('results', how('wanted'));
  loader.forget('results');
  await settle();
  assert.deepEqual(used, []);
});

test('each failure is reported with its error', async () => {
  const loader = makePartLoader(() => {});
  const errors = [];
  loader.load('race', { ...how('needed'), failed: (error) => errors.push(error) });
  await pass(MINUTE_MS);
  assert.equal(errors.length, tries);
  assert.ok(errors[0] instanceof TypeError);
});

test('an offer to call a function calls it once for each agreement', async () => {
  const loader = makePartLoader(() => {});
  let calls = 0;
  loader.offer('classic', () => {
    calls += 1;
  });
  assert.ok(loader.isOffering());
  loader.retry();
  loader.retry();
  await settle();
  assert.equal(calls, 1);
  assert.equal(loader.isOffering(), false);
});
