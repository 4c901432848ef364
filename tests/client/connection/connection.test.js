import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as retries from '../../../web_client/src/connection/backoff.js';
import * as connections from '../../../web_client/src/connection/socket.js';
import { json, TO_CLIENT } from '../examples.js';

const { backoff, failuresAfter, reconnects } = retries;
const { addSample, carriedOver, firstGuess, NO_CLOCK, serverTime } = connections;
const { close, connect, REFUSED, serverNow } = connections;

test('the exchange with the smallest round trip counts', () => {
  let clock = addSample(NO_CLOCK, 0, 400, 10_300); // 400 ms there and back: somewhere near 10,100
  clock = addSample(clock, 1_000, 1_020, 11_010); // 20 ms: at 1,020 it was 11,020
  clock = addSample(clock, 2_000, 2_300, 12_290);
  assert.equal(serverTime(clock, 1_020), 11_020);
});

test('the first answered ping replaces a first guess', () => {
  const guess = firstGuess(NO_CLOCK, 100, 10_000);
  assert.equal(serverTime(guess, 100), 10_000);
  assert.equal(serverTime(addSample(guess, 200, 300, 10_170), 300), 10_220);
  assert.equal(firstGuess(guess, 500, 99_999), guess);
});

test('only the latest samples are kept', () => {
  let clock = addSample(NO_CLOCK, 0, 2, 1_000_001);
  for (let i = 1; i <= 8; i += 1) clock = addSample(clock, i * 100, i * 100 + 50, i * 100 + 25);
  assert.equal(serverTime(clock, 1_000), 1_000);
});

test('a new connection uses the old clock until its first ping is answered', () => {
  const old = addSample(NO_CLOCK, 0, 20, 10_010);
  assert.equal(serverTime(carriedOver(old), 500), 10_500);
  assert.equal(firstGuess(carriedOver(old), 600, 10_900).length, 1, 'which is better than a guess');
  const replaced = addSample(carriedOver(old), 700, 800, 20_000);
  assert.equal(serverTime(replaced, 800), 20_050);
  assert.equal(carriedOver(NO_CLOCK), NO_CLOCK);
});

test('the wait before the next try is jittered and grows, but another server is asked at once', () => {
  assert.deepEqual([backoff(0, 0), backoff(0, 1)], [500, 1_000]);
  for (let failures = 0; failures < 100; failures += 1)
    for (const chance of [0, 0.3, 1]) {
      const wait = backoff(failures, chance);
      assert.ok(wait >= 500 && wait <= 8_000);
    }
  assert.deepEqual([backoff(50, 1), backoff(0, 0, 4_001), backoff(0, 1, 4_001)], [8_000, 0, 250]);
  assert.deepEqual([backoff(1, 0, 4_001), backoff(0, 0, 1_006)], [500, 500]);
});

test('a server that closes at once is asked less often, and never after a final close code', () => {
  let failures = 0;
  const waits = [];
  for (let times = 0; times < 12; times += 1) {
    failures = failuresAfter(failures, 40);
    waits.push(backoff(failures, 1, 4_001));
    failures += 1;
  }
  assert.deepEqual([waits.slice(0, 5), waits.at(-1)], [[250, 2_000, 4_000, 8_000, 8_000], 8_000]);
  assert.equal(failuresAfter(failures, 60_000), 0);
  for (const code of Object.keys(json('generated/asyncapi.json')['x-close-codes']).map(Number))
    assert.equal(reconnects(code), code < 4_500, String(code));
  assert.deepEqual([reconnects(1_006), reconnects(1_000)], [true, false]);
});

/** Open a connection by a clock and a socket of the test. @param {any} t @param {any} [app] */
function opened({ mock }, app = {}) {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const line = { now: 1_000, page, socket: null };
  mock.method(performance, 'now', () => line.now);
  class FakeSocket {
    static OPEN = 1;
    readyState = 0;
    constructor() {
      line.socket = this;
    }
    send() {}
    close() {}
  }
  Object.assign(globalThis, { window: new EventTarget(), document: page, WebSocket: FakeSocket });
  const firstMessage = () => json('examples/from_client.json')[0].message;
  const usual = { firstMessage, received() {}, changed() {}, racing: () => true, version: () => 0 };
  return { line, connection: connect('ws://race.example', { ...usual, ...app }) };
}

test('the first pong after a sleep sets the clock, however quick earlier ones were', (t) => {
  const { line, connection } = opened(t);
  line.socket.readyState = 1;
  const receive = (message, afterMs) => {
    line.now += afterMs;
    line.socket.onmessage({ data: JSON.stringify(message) });
  };
  receive({ ...TO_CLIENT[0]?.message, now: 10_000 }, 0);
  assert.notEqual(connection.joinedAt, 0);
  receive({ type: 'pong', t: line.now, now: 10_001, v: 0 }, 2);
  assert.equal(serverNow(connection), 10_002);

  // Ten minutes pass, in which the local clock stands still.
  line.page.dispatchEvent(new Event('visibilitychange'));
  receive({ type: 'pong', t: line.now, now: 610_042, v: 0 }, 80);
  assert.equal(serverNow(connection), 610_082);
  close(connection);
});

test('a connection that is never accepted while the server answers is named as refused', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => ({ ok: true }));
  const changes = [];
  const changed = (to, code) => changes.push(to, code);
  const { line, connection } = opened(t, { changed, racing: () => false });
  for (let tries = 0; tries < 3; tries += 1) {
    line.socket.onclose({ code: 1006 });
    if (tries < 2) {
      line.now += 60_000;
      t.mock.timers.tick(1_000);
    }
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(changes.slice(-4), ['waiting', 1006, 'waiting', REFUSED]);
  close(connection);
});
