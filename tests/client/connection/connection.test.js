import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as connections from '../../../web_client/src/connection/socket.js';
import { json, TO_CLIENT } from '../examples.js';
import { Socket } from '../scripted.js';

const { backoff, close, connect, reconnect, reconnects, REFUSED, serverNow } = connections;

/** Open a connection with the test's own clock and socket. @param {any} t @param {any} [app] */
function opened(t, app = {}) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const line = { now: 1_000, page, socket: () => Socket.made.at(-1) };
  t.mock.method(performance, 'now', () => line.now);
  Object.assign(Socket, { isSilent: true, made: [] });
  Object.assign(globalThis, { window: new EventTarget(), document: page, WebSocket: Socket });
  const firstMessage = () => json('examples/from_client.json')[0].message;
  const room = () => ({ state: 'RUNNING', v: 0 });
  const usual = { firstMessage, room, received() {}, changed() {} };
  const connection = connect('ws://race.example', { ...usual, ...app });
  t.after(() => close(connection));
  const receive = (message) => line.socket().onmessage({ data: JSON.stringify(message) });
  return {
    line,
    connection,
    /** Let the server give the seat, at a time of its clock. @param {number} now */
    join: (now) => receive({ ...TO_CLIENT[0]?.message, now }),
    /** Answer a ping at a local time, after a round trip, and return the server's time. @param {number} local @param {number} tripMs @param {number} now */
    pong(local, tripMs, now) {
      line.now = local;
      receive({ type: 'pong', t: local - tripMs, now, v: 0 });
      return serverNow(connection);
    },
  };
}

test('after a quick close the page tries again less often, and not at all after a final close code', (t) => {
  t.mock.method(Math, 'random', () => 1);
  const { line, connection, join } = opened(t);
  const waitAfter = (ms) => {
    join(10_000);
    line.now += ms;
    line.socket().onclose({ code: 4_001 });
    const wait = connection.retryAt - line.now;
    line.now += wait;
    t.mock.timers.tick(1_000);
    return wait;
  };
  const waits = Array.from({ length: 12 }, () => waitAfter(40));
  assert.deepEqual([waits.slice(0, 5), waits.at(-1)], [[250, 2_000, 4_000, 8_000, 8_000], 8_000]);
  assert.equal(waitAfter(60_000), 250);
  const least = (code) => [0, 1, 50].map((tries) => backoff(tries, 0, code));
  assert.deepEqual(least(1_006), [500, 500, 500]);
  assert.deepEqual(least(4_001), [0, 500, 500]);
  for (const code of Object.keys(json('generated/asyncapi.json')['x-close-codes']).map(Number))
    assert.equal(reconnects(code), code < 4_500, String(code));
  assert.deepEqual([reconnects(1_006), reconnects(1_000)], [true, false]);
});

test('the clock comes from the shortest of the latest round trips, on this connection, since the last sleep', (t) => {
  const { connection, line, join, pong } = opened(t);
  join(10_000);
  assert.equal(serverNow(connection), 10_000);
  assert.equal(pong(1_400, 400, 10_300), 10_500, 'any ping is better than a guess');
  assert.equal(pong(2_000, 20, 11_010), 11_020);
  assert.equal(pong(2_300, 300, 12_290), 11_320, 'a long way says less');
  for (let i = 1; i <= 7; i += 1) pong(3_000 + i, 50, 11_500 + i);
  assert.equal(pong(3_008, 50, 11_508), 11_533, 'the best one is too old');
  reconnect(connection);
  join(99_999); // another guess, no better than the old clock
  assert.equal(serverNow(connection), 11_533);
  assert.equal(pong(3_800, 100, 20_000), 20_050);
  assert.equal(pong(3_900, 2, 20_149), 20_150);
  // Ten minutes pass while the local clock stands still.
  line.page.dispatchEvent(new Event('visibilitychange'));
  assert.equal(pong(4_020, 120, 630_042), 630_102);
});

test('a sample after a sleep of the device replaces all earlier ones', (t) => {
  const { join, pong } = opened(t);
  join(10_000);
  assert.equal(pong(2_000, 2, 10_999), 11_000);
  // The lid was closed for 40 s. The local clock stood still, and the page got no event.
  assert.equal(pong(3_000, 400, 51_800), 52_000);
  assert.equal(pong(4_000, 300, 52_850), 53_000);
  assert.equal(pong(5_000, 6_000, 52_500), 54_000, 'a late answer shows nothing');
});

test('a connection that is never accepted counts as refused if the server answers', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => ({ ok: true }));
  const changes = [];
  const changed = (to, code) => changes.push(to, code);
  const { line } = opened(t, { changed });
  for (let tries = 0; tries < 3; tries += 1) {
    line.socket().onclose({ code: 1006 });
    if (tries === 2) break;
    line.now += 60_000;
    t.mock.timers.tick(1_000);
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(changes.slice(-4), ['waiting', 1006, 'waiting', REFUSED]);
});
