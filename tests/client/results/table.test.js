import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  barsOf,
  firstPair,
  headToHead,
  membersOf,
  placeOf,
} from '../../../web_client/src/results/table.js';
import { peopleOf } from '../../../web_client/src/room/table-menu.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { callerAt } from '../../../web_client/src/tab/tab.js';
import { room, seat } from '../examples.js';

const [ADA, BOB, CY] = [seat(0, 'Ada'), seat(1, 'Bob'), seat(2, 'Cy')];
const KEPT = { name: '', since: 1, until: 2, races: 3 };
const member = ({ seat: n, name }, here = false) => ({ seat: n, name, colour: 'blue', here });
/** Return the record of a pair: in `0-1 7:5` seat 0 was ahead of seat 1 seven times, and behind it five times. */
function pair(text) {
  const [a, b, ahead, behind] = text.match(/\d+/g).map(Number);
  const both = { best_a: a, best_b: null, widest_a: null, widest_b: b, last: [a, null, b] };
  return { a, b, races: ahead + behind, ahead, behind, average_a: 1.5, average_b: 2, ...both };
}

test('a better place has a higher bar, and only the first is gold', () => {
  const heights = (...places) => barsOf(places).map((bar) => bar['--part']);
  assert.deepEqual(heights(1, 2, 4), [1, 0.75, 0.25]);
  assert.deepEqual(heights(10, 1), [0.1, 1]); // even the worst place of a large race can be seen
  const isGold = barsOf([2, 1]).map((bar) => bar['data-first']);
  assert.deepEqual(isGold, [false, true]);
  assert.deepEqual(barsOf([]), []);
});

test('members with equal figures share a place in the standings', () => {
  const rows = [
    { wins: 2, podiums: 2, average: 1 },
    { wins: 0, podiums: 1, average: 2 },
    { wins: 0, podiums: 1, average: 2 },
    { wins: 0, podiums: 1, average: 3 },
  ];
  assert.deepEqual(
    rows.map((row) => placeOf(rows, row)),
    [1, 2, 2, 4],
  );
});

test('two members are compared from either side, and not at all if they never met', () => {
  const pairs = [pair('0-1 7:5'), pair('1-2 2:3')];
  const [one, other] = [headToHead(pairs, 0, 1), headToHead(pairs, 1, 0)];
  assert.partialDeepStrictEqual(one, { won: [7, 5], average: [1.5, 2], best: [0, null] });
  const expected = { won: [5, 7], average: [2, 1.5], widest: [1, null], last: [0, null, 1] };
  assert.partialDeepStrictEqual(other, expected);
  assert.deepEqual([headToHead(pairs, 0, 2), headToHead(pairs, 0, 0)], [null, null]);
});

test('this player is first compared with the most frequent rival; a spectator sees the two best', () => {
  const rows = [ADA, BOB, CY].map((each) => member(each));
  const pairs = [pair('0-1 1:1'), pair('0-2 0:4'), pair('1-2 1:0')];
  assert.deepEqual(firstPair({ rows, pairs }, 2), [2, 0]);
  assert.deepEqual(firstPair({ rows, pairs }, 1), [1, 0]);
  assert.deepEqual(firstPair({ rows, pairs }, 7), [0, 2]);
  assert.deepEqual(firstPair({ rows, pairs: [] }, 1), [1, 0]);
  assert.deepEqual(firstPair({ rows: [], pairs: [] }, 1), [-1, -1]);
});

test('members in the room come first, with their states in the room', () => {
  const [ada, bob] = [
    { ...ADA, connection: 'gone' },
    { ...BOB, state: 'READY' },
  ];
  const all = membersOf([member(ADA, true), member(CY), member(BOB)], room([ada, bob]));
  const shown = all.map(({ name, isHere, state }) => `${name} ${isHere} ${state}`);
  assert.deepEqual(shown, ['Bob true READY', 'Ada false undefined', 'Cy false undefined']);
});

test('the host can forget everybody with a name, and hand over to people who are here', () => {
  const robot = seat(3, 'Robo', { level: 'club' });
  const of = room([ADA, BOB, { ...CY, connection: 'gone' }, robot], { host: 0 });
  const rows = [member(BOB), member(seat(5, 'Dan')), member(seat(6, ''))];
  const history = { members: [ADA, BOB, CY].map((each) => member(each)), standings: [{ rows }] };
  const may = (me) =>
    peopleOf(history, { ...NOTHING, room: of, me: { seat: me, role: 'player' } }).map(
      ({ name, mayHost, mayForget }) => `${name} ${mayHost} ${mayForget}`,
    );
  const ofHost = ['Bob true true', 'Dan false true', 'Ada false true', 'Cy false true'];
  assert.deepEqual(may(0), ofHost);
  const own = ['Bob false true', 'Dan false false', 'Ada false false', 'Cy false false'];
  assert.deepEqual(may(1), own);
});

test('another person who becomes ready at a kept table between races calls to race', () => {
  const at = (seats, change) => ({
    ...NOTHING,
    me: { seat: 0, role: 'player' },
    room: room(seats, { kept: KEPT, state: 'LOBBY', ...change }),
  });
  const ready = (each) => ({ ...each, state: 'READY' });
  const before = at([ADA, BOB]);
  assert.equal(callerAt(before, at([ADA, ready(BOB)])), 'Bob');
  assert.equal(callerAt(before, at([ADA, ready(BOB)], { state: 'FINISHED' })), 'Bob');
  for (const [old, next] of [
    [before, at([ready(ADA), BOB])],
    [before, at([ADA, ready({ ...BOB, level: 'club' })])],
    [before, at([ADA, ready(BOB)], { kept: null })],
    [before, at([ADA, ready(BOB)], { state: 'COUNTDOWN' })],
    [at([ADA, ready(BOB)]), at([ADA, ready(BOB)])],
    [at([ADA, BOB], { code: 'AAAAAAA' }), at([ADA, ready(BOB)])],
    [NOTHING, at([ADA, ready(BOB)])], // the page has just opened
  ])
    assert.equal(callerAt(old, next), '');
});
