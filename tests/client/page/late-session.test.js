import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLateSession } from '../../../web_client/src/page/late-session.js';
import { NOTHING } from '../../../web_client/src/state/state.js';

// No part that is loaded here fails, so that no offer is drawn.
Object.assign(globalThis, { document: { getElementById: () => null } });

/** Return a late session whose code comes when the test says so, and what it was asked for. */
function waiting() {
  /** @type {string[]} */
  const asked = [];
  const { promise, resolve } = Promise.withResolvers();
  const entered = { state: { ...NOTHING, room: { code: 'ROOM' } }, connection: {}, rival: null };
  const code = {
    makeSession: () => ({ state: NOTHING, connection: null, rival: null, reason: '' }),
    enter(/** @type {any} */ it, /** @type {any} */ { name }) {
      asked.push(`enter ${name}`);
      Object.assign(it, entered);
    },
    release(/** @type {any} */ it) {
      asked.push('release');
      Object.assign(it, { state: NOTHING, connection: null });
    },
    giveUpSeat: () => asked.push('give up'),
    sendNow: (/** @type {any} */ it) => it.connection !== null,
    now: () => 42,
    retryIn: () => 7,
  };
  /** @type {any} */
  const page = { draw: () => asked.push('draw') };
  const session = makeLateSession(page, assert.fail, /** @type {any} */ (() => promise));
  const arrive = async () => {
    resolve(code);
    await new Promise((drawn) => setTimeout(drawn));
  };
  return { session, asked, arrive };
}

/** A message that opens a room. @param {string} name */
const opening = (name) => /** @type {any} */ ({ type: 'create', name });

test('before the first room there is no seat, and nothing to send, leave or close', () => {
  const { session, asked } = waiting();
  assert.equal(session.state(), NOTHING);
  assert.equal(session.isConnected(), false);
  assert.equal(session.isOnTheWay(), false);
  assert.equal(session.send(/** @type {any} */ ({ type: 'start' })), false);
  assert.equal(session.retryIn(), 0);
  session.giveUpSeat();
  session.release();
  assert.deepEqual(asked, []);
});

test('a room is on the way at once, and entered when the session is loaded', async () => {
  const { session, asked, arrive } = waiting();
  session.enter(opening('Ada'), {});
  assert.equal(session.isOnTheWay(), true);
  assert.deepEqual(asked, ['draw']);
  await arrive();
  assert.deepEqual(asked, ['draw', 'enter Ada']);
  assert.equal(session.isOnTheWay(), false);
  assert.equal(session.isConnected(), true);
  assert.equal(session.now(), 42);
  assert.equal(session.send(/** @type {any} */ ({ type: 'start' })), true);
});

test('of two wishes the later one counts', async () => {
  const { session, asked, arrive } = waiting();
  session.enter(opening('Ada'), {});
  session.enter(opening('Grace'), {});
  await arrive();
  assert.deepEqual(
    asked.filter((each) => each !== 'draw'),
    ['enter Grace'],
  );
});

test('a player who leaves while the session loads enters no room, and may enter one later', async () => {
  const { session, asked, arrive } = waiting();
  session.enter(opening('Ada'), {});
  session.release();
  assert.equal(session.isOnTheWay(), false);
  await arrive();
  assert.deepEqual(asked, ['draw']);
  session.enter(opening('Grace'), {});
  await new Promise((loaded) => setTimeout(loaded));
  session.enter(opening('Hedy'), {});
  session.release();
  assert.deepEqual(asked.slice(2), ['enter Grace', 'enter Hedy', 'release']);
});
