import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as history from '../../../web_client/src/state/entries.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { jsonOf } from '../../../web_client/src/yours/record.js';
import { entry, example, room, seat, standing } from '../examples.js';

const { addEntry, closedEntry, entriesInFile, entriesOf, entryOf, isOpen, rowsOf, streakOf } =
  history;
const day = (date, change) =>
  entry(`day/${date}`, Date.parse(date), { kind: 'day', day: date, ...change });
const ids = (entries) => entries.map(({ id }) => id);

test('entries are kept newest first, and a later version of an entry replaces the earlier one', () => {
  const seen = [entry('A/1', 1), entry('B/1', 3), entry('A/1', 2, { place: 1 })];
  assert.deepEqual(seen.reduce(addEntry, []), [seen[1], seen[2]]);
});

test('the last five hundred entries stay, and one for each day, so that races end no streak', () => {
  const date = (n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
  let all = [];
  for (let n = 0; n < 200; n += 1) {
    all = addEntry(all, day(date(n)));
    for (const i of [0, 1, 2, 3, 4])
      all = addEntry(all, entry(`R/${n}-${i}`, Date.parse(date(n)) + i));
  }
  assert.equal(all.length, 500);
  assert.equal(streakOf(all, date(199)), 200);
  assert.deepEqual(ids(all.filter(({ kind }) => kind === 'race')).at(-1), 'R/140-0');
  for (let n = 200; n < 600; n += 1) all = addEntry(all, day(date(n)));
  assert.equal(all.length, 500);
  assert.ok(streakOf(all, date(599)) >= 365);
  all = addEntry(all, entry('R/last', Date.parse(date(599)) + 1));
  assert.equal(all[0].id, 'R/last', 'a long streak leaves room for races');
});

test('stored entries can be read again, fit into the storage, and only damaged ones are lost', () => {
  const whole = [entry('A/1', 2), day('2026-11-28', { place: null, ms: null, won: false })];
  assert.deepEqual(entriesOf(JSON.parse(JSON.stringify(rowsOf(whole)))), whole);
  const long = { rivals: Array.from({ length: 99 }, () => 'Ｗ'.repeat(24)) };
  const most = Array.from({ length: 500 }, (_, i) => entry(`ABCDEFG/${i}`, i, long));
  const size = JSON.stringify(rowsOf(most.reduce(addEntry, []))).length;
  assert.ok(size < 500_000, `${size} of five million`);
  const [row] = rowsOf(whole);
  const damaged = [
    ...[null, 7, 'x', {}, [], row.slice(0, 5)],
    ...['//evil.example', 'javascript:alert(1)'].map((link) => row.with(10, link)),
    ...[8.7e15, '1', null].map((at) => row.with(1, at)),
    ...['2026-13-45', 'today'].map((date) => row.with(12, date)),
    row.with(11, [{}]),
  ];
  assert.deepEqual(entriesOf([...damaged, row]), [whole[0]]);
  for (const none of [null, undefined, 'x', { 0: row }]) assert.deepEqual(entriesOf(none), []);
});

const NOW = 1_764_316_000_000;
const over = (ranking, winners) => ({ ...example('round_over'), n: 3, ranking, winners });
/** Return the entry that a player at seat 0 gets. */
function entryAt(seats, message, change = {}) {
  const shown = { ...room(seats, { state: 'FINISHED', code: '7K3QZ0A' }), ...change };
  return entryOf({ ...NOTHING, me: { seat: 0, role: 'player' }, room: shown }, message, NOW);
}
const won = { won: true, finished_ms: 61_234, score: 990, moves: 120, state: 'FINISHED' };
const out = { state: 'FORFEIT', finished_ms: 30_000 };
const ADA = standing(0, 'Ada', { place: 2, ...won });
const BOB = standing(1, 'Bob', { place: 1, ...won });
const CY = standing(2, 'Cy', { place: null, late_ms: 5_000 });

test('only a player who was in the race gets its entry', () => {
  const seats = [seat(0, 'Ada'), seat(1, 'Bob')];
  const own = entryAt(seats, over([BOB, ADA, CY], [1]));
  const expected = { id: '7K3QZ0A/3', at: NOW, kind: 'race', place: 2, of: 2, won: true };
  const more = { ms: 61_234, score: 990, moves: 120, link: '/r/7K3QZ0A/3', rivals: ['Bob'] };
  assert.deepEqual(own, { ...expected, game: own?.game, ...more, gaveUp: false });
  const practice = { settings: { ...room(seats).settings, max_players: 1 } };
  const lone = standing(0, 'Ada', { place: 1, ...out });
  for (const [rows, winners, wanted, change] of [
    [[lone], [], { gaveUp: true, kind: 'practice', place: null, of: 1, rivals: [] }, practice],
    [[BOB, { ...ADA, place: null, late_ms: 9 }], [1], { place: null, of: 1, rivals: ['Bob'] }],
    [[{ ...ADA, place: 1 }, BOB], [], { place: null }], // nobody finished
    [[BOB, { ...ADA, won: false, state: 'FORFEIT' }], [1], { gaveUp: true }],
    [[BOB, ADA], [1], { at: 7 }, { round: { ...example('joined').room.round, n: 3, ended: 7 } }],
    [[BOB], [1], null], // a spectator
    [[BOB, { ...ADA, name: 'Eve' }], [1], null], // the seat had another player before
    [[BOB, { ...ADA, has_acted: false }], [1], null],
  ]) {
    const found = entryAt(seats, over(rows, winners), change);
    if (wanted) assert.deepEqual({ ...found, ...wanted }, found);
    else assert.equal(found, null);
  }
});

test('the entry of an open race links to its room, and gets its place when the race is over', () => {
  const seats = [seat(0, 'Ada'), seat(1, 'Bob')];
  const { settings } = room(seats);
  const on = { ...example('joined').room.round, n: 3, t0: NOW - 500_000, ended: null };
  const change = { settings: { ...settings, window_s: 3_600 }, state: 'RUNNING', round: on };
  const ada = { ...ADA, place: 1, late_ms: 100_000 };
  const open = entryAt(seats, { ...over([ada], []), isOpen: true }, change);
  const end = NOW - 400_000 + ADA.finished_ms;
  assert.partialDeepStrictEqual(open, { link: '/r/7K3QZ0A', place: null, of: 1, at: end });
  assert.ok(isOpen(open));
  const bob = { ...BOB, late_ms: 0, finished_ms: 61_235 };
  const done = closedEntry(open, over([bob, { ...ada, place: 2 }], [1]));
  const places = { place: 2, of: 2, rivals: ['Bob'] };
  assert.deepEqual(done, { ...open, link: '/r/7K3QZ0A/3', ...places });
  assert.ok(!isOpen(done));
  // A player who is there at the end gets the same entry.
  const ended = { ...change, round: { ...on, ended: NOW } };
  assert.deepEqual(entryAt(seats, over([bob, { ...ada, place: 2 }], [1]), ended), done);
});

test('a saved file of any version can be read, up to the number of entries that a browser keeps', () => {
  const rivals = ['Bob', '\u2068דנה\u2069'];
  const whole = [entry('A/1', 20, { rivals }), day('2026-11-28', { at: 10 }), entry('B/1', 5)];
  const saved = JSON.parse(jsonOf(whole, 'https://old.example:8080'));
  const read = (entries, now = 100) => entriesInFile(JSON.stringify(entries), now);
  assert.deepEqual(read(saved), whole);
  const [first] = saved;
  const { gaveUp: _gaveUp, day: _day, ...older } = first;
  assert.deepEqual(read([older]), [{ ...whole[0], gaveUp: null }]);
  assert.deepEqual(read([{ ...first, more: 'of a newer version' }]), [whole[0]]);
  for (const change of [
    ...[{ link: 'javascript:alert(1)' }, { link: 'https://a//evil.example' }, { link: undefined }],
    ...[{ at: 9e14 }, { at: '1' }, { rivals: ['x'.repeat(9_999)] }, { rivals: 'Bob' }],
    ...[{ id: undefined }, { id: 'x'.repeat(9_999) }, { won: 1 }, { place: 'first' }],
  ])
    assert.deepEqual(read([{ ...first, ...change }, saved[1]]), [whole[1]], JSON.stringify(change));
  assert.deepEqual(read([null, 7, 'x', [], {}, first]), [whole[0]]);
  const many = Array.from({ length: 9_000 }, (_none, i) => ({ ...first, id: `R/${i}` }));
  assert.equal(read(many).length, 500);
  assert.deepEqual(read([]), []);
  for (const text of ['', '{', '{}', 'null', '7', '"x"', '[7]', '[null]', '\0PNG'])
    assert.equal(entriesInFile(text, 100), null, text);
});

test('a streak counts days in a row, by their dates, up to today or yesterday', () => {
  const dates = (...list) => list.map((date) => day(date));
  const cases = [
    [[], 0],
    [['2026-03-01'], 1],
    [['2026-03-01', '2026-02-28', '2026-02-27'], 3],
    [['2026-02-28', '2026-02-27'], 2], // today was not played yet
    [['2026-02-27', '2026-02-26'], 0],
    [['2026-03-02', '2026-03-01'], 1], // the clock of the device was ahead
    [['2026-03-01', '2026-02-27'], 1],
  ];
  for (const [list, streak] of cases) assert.equal(streakOf(dates(...list), '2026-03-01'), streak);
  const suits = [day('2026-03-01'), { ...day('2026-03-01'), id: 'again' }];
  assert.equal(streakOf([...suits, entry('A/1', 5)], '2026-03-01'), 1);
  const summer = ['2026-03-28', '2026-03-29', '2026-03-30']; // clocks are set forward
  assert.equal(streakOf(dates(...summer), '2026-03-30'), 3);
  // A day counts if a game was won or played to its end.
  for (const [change, streak] of [
    [{ won: false, ms: 60_000, gaveUp: false }, 1],
    [{ won: false, ms: 60_000, gaveUp: true }, 0],
    [{ won: false, ms: null, gaveUp: null }, 0], // only started
  ])
    assert.equal(streakOf([day('2026-03-01', change)], '2026-03-01'), streak);
});
