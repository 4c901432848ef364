import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_LENGTH } from '../../../web_client/src/contract/protocol.js';
import * as addresses from '../../../web_client/src/page/addresses.js';
import { bindWayBack } from '../../../web_client/src/page/way-back.js';
import { tabLook } from '../../../web_client/src/tab/tab.js';
import { firstGraphemes } from '../../../web_client/src/widgets/controls.js';
import { worksOnlyHere } from '../../../web_client/src/widgets/sharing.js';

const { fetchInvitation, invitationTo, storeInvitation } = addresses;
const [HERE, GONE, ELSE] = ['1', '2', '3'].map((digit) => digit.repeat(CODE_LENGTH));

const answering = (status, body) => {
  globalThis.fetch = async () => new Response(JSON.stringify(body ?? null), { status });
};

test('a room is known from the head of its page or a request, gone, or unknown', async () => {
  storeInvitation(`/r/${HERE}`, '{"host":"Ada"}');
  for (const path of [`/r/${GONE}`, `/r/${ELSE}/1`, '/']) storeInvitation(path, 'null');
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
  for (const [hosts, isHere] of [
    ['localhost:8000 127.0.0.1 127.1.2.3:80 [::1]:8000 x.localhost 0.0.0.0:9', true],
    ['192.168.1.5:8000 localhost.example [2001:db8::1] 1127.0.0.1.example', false],
  ])
    for (const host of hosts.split(' '))
      assert.equal(worksOnlyHere(`http://${host}/r/7K3QZ0A`), isHere, host);
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
    [-1_999, 1, 'Go! · Spider Race', '▶'],
    [-2_000, 0, 'Spider Race', ''],
    [NEVER, 2, '(2) Spider Race', '•'],
    [-60_000, 120, '(99) Spider Race', '•'],
  ]) {
    const look = tabLook(startsIn, unread);
    assert.deepEqual([look.title, look.sign], [title, sign], `${startsIn}`);
  }
});

/**
 * Bind the Back button in a race, whose marked entry is the third. `become` changes the state of the seat, and
 * `arrive` makes the steps that the page has asked for; both then update the page.
 */
function raced() {
  const entries = ['front', 'room'];
  const seen = { entries, steps: 0, routed: 0 };
  globalThis.history = {
    get state() {
      return entries.at(-1);
    },
    pushState: (mark) => entries.push(mark),
    replaceState: (mark) => entries.splice(-1, 1, mark),
    back: () => (seen.steps += 1), // `arrive` makes the step later
  };
  const own = { seat: 0 };
  const way = bindWayBack({
    state: () => ({ me: { seat: 0 }, room: { code: 'ABCDEFG', seats: [own] } }),
    route: () => (seen.routed += 1),
  });
  function become(state) {
    own.state = state;
    for (let messages = 0; messages < 2; messages += 1) way.update();
  }
  function arrive() {
    for (; seen.steps > 0; seen.steps -= 1) {
      entries.pop();
      way.handleStep();
    }
    way.update();
  }
  become('RACING');
  return { seen, become, arrive };
}

test('the end of a race removes one entry, and a rematch at once is marked again', () => {
  for (const hasRematch of [false, true]) {
    const { seen, become, arrive } = raced();
    assert.equal(seen.entries.length, 3);
    become('FINISHED');
    if (hasRematch) become('RACING');
    assert.equal(seen.steps, 1); // both messages arrive before the step is made
    arrive();
    const entries = ['front', 'room', ...(hasRematch ? [{ race: true }] : [])];
    assert.deepEqual(seen, { entries, steps: 0, routed: 1 });
  }
});

test('a race that was reloaded while it started ends at the entry of its room', async (t) => {
  t.after(() => delete globalThis.navigation);
  globalThis.location = { href: '/r/1' };
  for (const [before, step, left, committed] of [
    [{ url: '/r/1', key: 'room' }, ['room'], { race: true }, () => Promise.resolve()],
    [{ url: '/r/1', key: 'room' }, ['room'], {}, () => Promise.reject(new Error('no step'))],
    [{ url: '/', key: 'front' }, [], {}],
  ]) {
    const { seen, become } = raced();
    const stepped = [];
    const traverseTo = (key) =>
      stepped.push(key) && { committed: committed(), finished: committed() };
    globalThis.navigation = { currentEntry: { index: 1 }, entries: () => [before, {}], traverseTo };
    become('FINISHED');
    await new Promise(setImmediate); // until a failing step has failed
    assert.deepEqual([stepped, seen.steps, seen.entries.at(-1)], [step, 0, left]);
  }
});
