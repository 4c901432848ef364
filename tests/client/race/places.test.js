import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { leader } from '../../../web_client/src/core/reducer.js';
import { makeRivals } from '../../../web_client/src/core/rivals.js';
import { gap, progress, stripSeats } from '../../../web_client/src/race/places.js';
import { example } from '../examples.js';

const [some] = example('standings').standings;
const plain = { ...some, state: 'RACING', won: false, finished_ms: null, late_ms: null };
/** @param {[string, number, object?][]} rows name, score, and what else is so; best first */
const board = (rows) =>
  rows.map(([name, score, more], i) => ({
    ...plain,
    seat: name.charCodeAt(0),
    name,
    score,
    place: i + 1,
    ...more,
  }));
const [A, B, C] = ['A', 'B', 'C'].map((name) => name.charCodeAt(0));

test('progress goes from the deal to all cards home', () => {
  const start = { home: 0, face_down: 44, won: false };
  assert.equal(progress(/** @type {any} */ (start), 'spider-2'), 0);
  assert.equal(progress(/** @type {any} */ ({ ...start, face_down: 0 }), 'spider-2'), 0.5);
  assert.equal(progress(/** @type {any} */ ({ ...start, home: 104, face_down: 0 }), 'spider-2'), 1);
  assert.equal(
    progress(/** @type {any} */ ({ ...start, home: 26, face_down: 0 }), 'little-spider'),
    0.5,
  );
  assert.equal(progress(/** @type {any} */ ({ ...start, won: true }), 'spiderette-1'), 1);
});

test('the gap is to the leader, and of the leader to the next', () => {
  const standings = board([
    ['A', 90],
    ['B', 40],
    ['C', 10, { state: 'FORFEIT' }],
  ]);
  assert.deepEqual(
    standings.map((standing) => gap(standing, standings)),
    ['+50', '−50', ''],
  );
  const tied = board([
    ['A', 90],
    ['B', 90, { place: 1 }],
  ]);
  assert.equal(gap(tied[1], tied), '');
  assert.equal(gap(tied[0], tied.slice(0, 1)), '');
  const home = board([
    ['A', 900, { won: true, state: 'FINISHED' }],
    ['B', 40],
  ]);
  assert.equal(gap(home[1], home), '', 'a winner is ahead by time, not by points');
});

test('a gap that does not depend on points is not shown', () => {
  const gaps = (/** @type {any} */ standings) =>
    standings.map((/** @type {any} */ each) => gap(each, standings));
  const windows = board([
    ['A', 460],
    ['B', 499],
    ['C', 430],
  ]);
  assert.deepEqual(gaps(windows), ['', '', '−30'], 'cards turned up go before points');
  const left = board([
    ['A', 40],
    ['B', 90, { state: 'FORFEIT' }],
  ]);
  assert.deepEqual(gaps(left), ['', ''], 'players who left are below, whatever their score');
  const chased = board([
    ['A', 40],
    ['B', 10, { state: 'CHASING', place: null, late_ms: 9 }],
  ]);
  assert.deepEqual(gaps(chased), ['', ''], 'nobody is behind');
});

test('the row of a phone has the leader, this player, and the next above and below', () => {
  const ten = Array.from({ length: 10 }, (_, seat) => ({ seat }));
  const shown = (/** @type {number} */ me) => [...stripSeats(ten, me)];
  assert.deepEqual(shown(5), [0, 4, 5, 6]);
  assert.deepEqual(shown(0), [0, 1, 2, 3]);
  assert.deepEqual(shown(1), [0, 1, 2, 3]);
  assert.deepEqual(shown(9), [0, 7, 8, 9]);
  assert.deepEqual(shown(-1), [0, 1, 2, 3]);
  assert.deepEqual([...stripSeats(ten.slice(0, 2), 1)], [0, 1]);
  assert.deepEqual([...stripSeats([], -1)], []);
});

test('nobody leads from a shared first place', () => {
  assert.equal(leader(board([['A', 5]]))?.name, 'A');
  assert.equal(
    leader(
      board([
        ['A', 5],
        ['B', 5, { place: 1 }],
      ]),
    ),
    undefined,
  );
});

test('a change of lead is announced at most every ten seconds, as it is by then', () => {
  let time = 0;
  const rivals = makeRivals(() => time);
  const abc = board([
    ['A', 30],
    ['B', 20],
    ['C', 10],
  ]);
  const bac = board([
    ['B', 40],
    ['A', 30],
    ['C', 10],
  ]);
  const cab = board([
    ['C', 50],
    ['A', 30],
    ['B', 20],
  ]);
  const told = (/** @type {any} */ before, /** @type {any} */ after, me = C) => {
    rivals.update(before, after, me ?? -1);
    return rivals.take(me ?? -1);
  };
  assert.equal(told([], abc), '', 'the first leader is no news');
  assert.equal(told(abc, bac), 'B takes the lead.');
  time = 4_000;
  assert.equal(told(bac, abc), '');
  time = 9_999;
  assert.equal(told(abc, cab), '');
  time = 10_000;
  assert.equal(told(cab, cab), 'You take the lead.');
  time = 30_000;
  assert.equal(told(cab, cab), '', 'no change is announced twice');
});

test('a finish that has to wait is announced later, together with others', () => {
  let time = 0;
  const rivals = makeRivals(() => time);
  const racing = board([
    ['A', 30],
    ['B', 20],
    ['C', 10],
  ]);
  const gone = racing.with(2, { ...racing[2], state: 'FORFEIT' });
  const won = { ...racing[0], state: 'FINISHED', won: true, finished_ms: 185_000 };
  const both = gone.with(0, won);
  rivals.update([], racing, B ?? -1);
  rivals.update(racing, gone, B ?? -1);
  assert.equal(rivals.take(B ?? -1), 'C gave up.');
  time = 3_000;
  rivals.update(gone, both, B ?? -1);
  assert.equal(rivals.take(B ?? -1), '');
  time = 12_000;
  assert.equal(rivals.take(B ?? -1), 'A finished in 3:05.');
  assert.equal(rivals.take(A ?? -1), '', 'once');
});

test('the own finish is not announced as news', () => {
  const rivals = makeRivals(() => 0);
  const racing = board([['A', 30]]);
  rivals.update(racing, [{ ...racing[0], state: 'FORFEIT' }], A ?? -1);
  assert.equal(rivals.take(A ?? -1), '');
});
