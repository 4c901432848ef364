import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_LENGTH } from '../../../web_client/src/contract/protocol.js';
import * as addresses from '../../../web_client/src/page/addresses.js';
import { tabLook } from '../../../web_client/src/tab/tab.js';
import { firstGraphemes } from '../../../web_client/src/widgets/controls.js';
import { worksOnlyHere } from '../../../web_client/src/widgets/room-parts.js';

const { bindWayBack, fetchInvitation, invitationTo, storeInvitation } = addresses;
const [HERE, GONE, ELSE] = ['1', '2', '3'].map((digit) => digit.repeat(CODE_LENGTH));

const answering = (status, body) => {
  globalThis.fetch = async () => new Response(JSON.stringify(body ?? null), { status });
};

test('a room is known by the head of its page or a request, gone, or not known', async () => {
  storeInvitation(`/r/${HERE}`, '{"host":"Ada"}');
  storeInvitation(`/r/${GONE}`, 'null');
  storeInvitation(`/r/${ELSE}/1`, 'null');
  storeInvitation('/', 'null');
  assert.equal(invitationTo(HERE)?.host, 'Ada');
  assert.deepEqual([invitationTo(GONE), invitationTo(ELSE)], [null, undefined]);
  answering(200, { host: 'Bob' });
  assert.equal((await fetchInvitation(ELSE))?.host, 'Bob');
  answering(404);
  assert.equal(await fetchInvitation(ELSE), null);
  answering(429);
  assert.deepEqual([await fetchInvitation(ELSE), invitationTo(ELSE)], [undefined, undefined]);
  globalThis.fetch = async () => Promise.reject(new Error('offline'));
  assert.equal(await fetchInvitation(ELSE), undefined);
});

test('links of loopback addresses work on one computer only', () => {
  const here = 'localhost:8000 127.0.0.1 127.1.2.3:80 [::1]:8000 x.localhost 0.0.0.0:9';
  for (const host of here.split(' '))
    assert.equal(worksOnlyHere(`http://${host}/r/7K3QZ0A`), true, host);
  const there = '192.168.1.5:8000 localhost.example [2001:db8::1] 1127.0.0.1.example';
  for (const host of there.split(' '))
    assert.equal(worksOnlyHere(`http://${host}/r/7K3QZ0A`), false, host);
});

test('length is counted in characters as readers count them, joiners included', () => {
  for (const one of ['A', 'မြို့', '🧑‍🚀', '👩🏽‍❤️‍💋‍👨🏿', '🇩🇪']) {
    assert.equal(firstGraphemes(one.repeat(24), 24), one.repeat(24));
    assert.equal(firstGraphemes(one.repeat(25), 24), one.repeat(24));
  }
  assert.equal(firstGraphemes('نیم‌فاصله', 4), 'نیم‌ف');
});

test('the title and the icon count down to the start, and unread messages', () => {
  const NEVER = Number.POSITIVE_INFINITY;
  for (const [startsIn, unread, title, sign] of [
    [60_000, 0, '60… · Spider Race', '9'],
    [2_001, 0, '3… · Spider Race', '3'],
    [1, 7, '1… · Spider Race', '1'],
    [0, 0, 'Go! · Spider Race', '▶'],
    [-1_999, 1, 'Go! · Spider Race', '▶'],
    [-2_000, 0, 'Spider Race', ''],
    [NEVER, 0, 'Spider Race', ''],
    [NEVER, 2, '(2) Spider Race', '•'],
    [-60_000, 120, '(99) Spider Race', '•'],
  ]) {
    const look = tabLook(startsIn, unread);
    assert.deepEqual([look.title, look.sign], [title, sign], `${startsIn}`);
  }
});

/** The entries of the history, the last of which is shown, and the steps that are under way. */
const history = {
  entries: [],
  steps: 0,
  get state() {
    return this.entries.at(-1);
  },
  pushState: (mark) => history.entries.push(mark),
  replaceState: (mark) => history.entries.splice(-1, 1, mark),
  back: () => (history.steps += 1), // it takes its time
};

/** Bind the Back button in a race. */
function raced() {
  Object.assign(globalThis, { history });
  Object.assign(history, { entries: [{ front: true }, { room: true }], steps: 0 });
  const own = { seat: 0, state: 'RACING' };
  const way = bindWayBack({
    state: () => ({ me: { seat: 0 }, room: { code: 'ABCDEFG', seats: [own] } }),
    release: () => assert.fail('the seat was left'),
    route: () => (hand.routed += 1),
    home: () => assert.fail('the front page was shown'),
  });
  const hand = {
    routed: 0,
    /** Change the state of the seat, before more messages come. @param {string} state */
    become(state) {
      own.state = state;
      way.update();
      way.update();
    },
    /** Let the steps arrive that are under way. */
    arrive() {
      for (; history.steps > 0; history.steps -= 1) {
        history.entries.pop();
        way.handleStep();
      }
      way.update();
    },
  };
  hand.become('RACING');
  return hand;
}

test('the end of a race takes one entry away, however many messages come meanwhile', () => {
  const { become, arrive } = raced();
  assert.equal(history.entries.length, 3);
  become('FINISHED'); // the result comes before the step has been made
  assert.equal(history.steps, 1);
  arrive();
  assert.deepEqual([history.entries, history.steps], [[{ front: true }, { room: true }], 0]);
});

test('a rematch that begins at once is marked again and asks nothing', () => {
  const hand = raced();
  hand.become('FINISHED');
  hand.become('RACING');
  hand.arrive();
  assert.deepEqual([hand.routed, history.entries.at(-1)], [1, { race: true }]);
});

test('a race that was loaded again while it began ends at the entry of its room', async (t) => {
  t.after(() => delete globalThis.navigation);
  globalThis.location = { href: '/r/1' };
  for (const [before, step, left, committed] of [
    [{ url: '/r/1', key: 'room' }, ['room'], { race: true }, () => Promise.resolve()],
    [{ url: '/r/1', key: 'room' }, ['room'], null, () => Promise.reject(new Error('no step'))],
    [{ url: '/', key: 'front' }, [], null],
  ]) {
    const { become } = raced();
    const stepped = [];
    const traverseTo = (key) =>
      stepped.push(key) && { committed: committed(), finished: committed() };
    globalThis.navigation = { currentEntry: { index: 1 }, entries: () => [before, {}], traverseTo };
    become('FINISHED');
    await new Promise(setImmediate); // a step that fails says so later
    assert.deepEqual([stepped, history.steps, history.entries.at(-1)], [step, 0, left]);
  }
});
