import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import { lastSeconds } from '../../../web_client/src/race/countdown.js';
import { AT_START, logged, MAX_EVENTS, makeRaceNews } from '../../../web_client/src/race/events.js';
import { placeInRace } from '../../../web_client/src/race/header.js';
import { gap, steps, stripSeats, waysHome } from '../../../web_client/src/race/standings.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { leader, NOTHING } from '../../../web_client/src/state/state.js';
import { room, standing } from '../examples.js';

const event = (kind, seat, change) => ({ kind, standing: standing(seat, 'Ada'), ...change });
const cards = (seat, n) => event('cards', seat, { cards: n });

/** Return a log as words, newest first, without its start. @param {...[number, any]} events with their times */
const log = (...events) =>
  events
    .reduce((known, [now, each]) => logged(known, [each], now), AT_START)
    .slice(0, -1)
    .map(({ kind, standing: { seat }, cards: n = '', at }) => `${kind} ${seat} ${n} at ${at}`);

test('cards of a while are one event, in its place, unless something else comes between them', () => {
  assert.deepEqual(log([1, cards(0, 2)], [2, cards(1, 1)], [3, cards(0, 1)]), [
    'cards 1 1 at 2',
    'cards 0 3 at 1',
  ]);
  assert.equal(log([1, cards(0, 2)], [60_000, cards(0, 1)])[0], 'cards 0 1 at 60000');
  const suit = log([1, cards(0, 1)], [2, event('suit', 0)], [3, cards(0, 3)]);
  assert.deepEqual(suit, ['cards 0 3 at 3', 'suit 0  at 2', 'cards 0 1 at 1']);
});

test('a new leader replaces one that led for a moment only', () => {
  const [first, second] = [event('first-lead', 0), event('lead', 1)];
  assert.equal(log([6_000, first], [18_000, second]).length, 2);
  assert.deepEqual(log([1_000, first], [2_000, second]), ['lead 1  at 2000']);
});

test('ends have the times of the result, and the log keeps the latest events only', () => {
  const late = standing(1, 'Bob', { state: 'FORFEIT', finished_ms: 50_000, late_ms: 5_000 });
  assert.deepEqual(log([90_000, { kind: 'out', standing: late }]), ['out 1  at 55000']);
  const all = Array.from({ length: MAX_EVENTS * 2 }, (_, i) => event('suit', i));
  const latest = logged(AT_START, all, 7);
  assert.deepEqual([latest.length, latest[0]], [MAX_EVENTS, { ...all.at(-1), at: 7 }]);
});

test('the last ten seconds are counted down', () => {
  const times = [89_999, 90_000, 90_001, 91_000, 99_999, 100_000];
  const seconds = times.map((now) => lastSeconds(100_000, now));
  assert.deepEqual(seconds, [0, 10, 10, 9, 1, 0]);
  assert.deepEqual([lastSeconds(null, 5), lastSeconds(undefined, 5)], [0, 0], 'without an end');
});

const NAMES = 'ABC';
const [A, B, C] = [0, 1, 2];

/** Return standings, best first. @param {string} rows like `A 30, B 20` @param {...any} more what else is so */
const board = (rows, ...more) =>
  rows.split(', ').map((row, i) => {
    const [name = '', score] = row.split(' ');
    const change = { score: Number(score), place: i + 1, ...more[i] };
    return standing(NAMES.indexOf(name), name, change);
  });

const won = (row, finished_ms) => ({ ...row, state: 'FINISHED', won: true, place: 1, finished_ms });

/** Compare what a player reads in a race. @param {number} me @param {[number, any[], string?][]} rows times, standings and words @param {any} [settings] */
function reads(me, rows, settings = { ranking: 'first_home', cheats: 'shown' }) {
  let time = 0;
  const news = makeRaceNews(() => time);
  const running = room([], { state: 'RUNNING', settings });
  let state = { ...NOTHING, me: { seat: me, role: 'player' }, room: running };
  for (const [i, [at, standings, words = '']] of rows.entries()) {
    time = at;
    const before = state;
    const message = { type: 'standings', number: i + 1, standings };
    state = reduce(before, message);
    assert.equal(news(before, state, message), words, `${i}`);
  }
}

test('a change of lead is announced at most every ten seconds, as it is by then', () => {
  const cab = board('C 50, A 30, B 20');
  reads(C, [
    [0, board('A 30, B 20, C 10')], // the first leader is no news
    [0, board('B 40, A 30, C 10'), 'B takes the lead.'],
    [4_000, board('A 30, B 20, C 10')],
    [9_999, cab],
    [10_000, cab, 'You take the lead.'],
    [30_000, cab],
  ]);
});

test('ends of games wait and are announced together, but a finish is announced at once', () => {
  const ahead = board('C 40, A 30, B 20');
  const gone = ahead.with(1, { ...ahead[1], state: 'FORFEIT' });
  const home = gone.with(0, won(gone[0], 185_000));
  reads(B, [
    [0, board('A 30, B 20, C 10')],
    [0, ahead, 'C takes the lead.'],
    [3_000, gone],
    [3_000, home, 'C wins in 3:05. A gave up.'], // the lead does not hold the finish back
    [20_000, home],
  ]);
});

test('a player who leads by coming home has only won', () => {
  const racing = board('A 30, B 20');
  const home = [won(racing[1], 9_000), { ...racing[0], place: 2 }];
  const best = { ranking: 'best_score', cheats: 'shown' };
  const race = (words) => [racing, home].map((rows, i) => [0, rows, i ? words : '']);
  for (const [me, words, settings] of [
    [A, 'B wins in 0:09.'],
    [B, 'You win! 0:09. 1 player still racing.'], // the own win has news of its own
    [A, 'B finished in 0:09.', best], // who may be overtaken
  ])
    reads(me, race(words), settings);
});

test('games that the end has cut off, and the own end, are no news', () => {
  const racing = board('A 30');
  for (const [me, end] of [
    [B, { state: 'TIMED_OUT', finished_ms: 9_000 }],
    [A, { state: 'FORFEIT' }],
  ])
    reads(
      me,
      [{}, end].map((change) => [0, [{ ...racing[0], ...change }]]),
    );
});

// Places, leads and gaps.

test('the gap is to the leader, and of the leader to the next, where points decide', () => {
  const standings = board('A 90, B 40, C 10', null, null, { state: 'FORFEIT' });
  assert.equal(standings.map((each) => gap(each, standings)).join(), '+50,−50,');
  const tied = board('A 90, B 90', null, { place: 1 });
  assert.deepEqual([gap(tied[1], tied), gap(tied[0], tied.slice(0, 1))], ['', '']);
  const home = board('A 900, B 40', { won: true, state: 'FINISHED' });
  assert.equal(gap(home[1], home), '', 'a winner is ahead by time, not by points');
  const gaps = (rows) => rows.map((each) => gap(each, rows));
  const windows = board('A 460, B 499, C 430');
  assert.deepEqual(gaps(windows), ['', '', '−30'], 'cards turned up go before points');
  const left = board('A 40, B 90', null, { state: 'FORFEIT' });
  assert.deepEqual(gaps(left), ['', ''], 'players who left are below, whatever their score');
  const chased = board('A 40, B 10', null, { state: 'CHASING', place: null, late_ms: 9 });
  assert.deepEqual(gaps(chased), ['', ''], 'nobody is behind');
});

test('the row of a phone has the neighbours, and nobody leads from a shared first place', () => {
  const ten = Array.from({ length: 10 }, (_, seat) => ({ seat }));
  const shown = (me, of = ten) => [...stripSeats(of, me)].join('');
  const rows = [5, 0, 1, 9, -1].map((me) => shown(me));
  assert.deepEqual(rows, ['0456', '0123', '0123', '0789', '0123']);
  assert.deepEqual([shown(1, ten.slice(0, 2)), shown(-1, [])], ['01', '']);
  assert.equal(leader(board('A 5'))?.name, 'A');
  assert.equal(leader(board('A 5, B 5', null, { place: 1 })), undefined);
});

test('the way home is counted in suits, or in cards where single cards go home', () => {
  const way = { suits: 3, home: 39, face_down: 11 };
  const spider = waysHome(way, GAMES['spider-4']);
  assert.deepEqual(spider, { home: 3 / 8, notches: 8, turned: 0.75 });
  const little = waysHome({ ...way, home: 13 }, GAMES['little-spider']);
  assert.deepEqual(little, { home: 13 / 52, notches: 1, turned: null });
  assert.equal(waysHome(way, undefined).turned, null);
});

test('a step up is shown to all, a step down to the player who made it', () => {
  const at = (...places) =>
    places.map((place, seat) => ({ seat, place, score: 90 - 10 * (place ?? 0) }));
  const words = (found) =>
    found.map(({ seat, place, isUp }) => `${seat} ${isUp ? 'up' : 'down'} to ${place}`);
  assert.deepEqual(words(steps(at(1, 2, 3), at(2, 1, 3), 0)), ['0 down to 2', '1 up to 1']);
  assert.deepEqual(words(steps(at(1, 2, 3), at(2, 1, 3), 2)), ['1 up to 1']);
  const rows = (...scores) =>
    scores.map((score, seat) => {
      const place = 1 + scores.filter((other) => other > score).length;
      return { seat, score, place };
    });
  assert.deepEqual(steps(rows(90, 40, 10, 10), rows(90, 5, 10, 10), 0), []);
  const [step, ...others] = steps(rows(90, 40, 10, 10), rows(90, 5, 20, 10), 0);
  assert.deepEqual([step, others], [{ seat: 2, place: 2, isUp: true }, []]);
  const row = { seat: 0, place: 1 };
  assert.deepEqual([steps([], [row], 0), steps([{ ...row, place: null }], [row], 0)], [[], []]);
  assert.deepEqual(steps([row], [{ ...row, place: null }], 0), []);
});

test('nobody has a place, or leads, before the first act', () => {
  const rows = board('A 500, B 499', { has_acted: false });
  assert.equal(leader(rows), undefined, 'a score that starts high leads nothing');
  const [idle, acted] = [A, B].map((seat) =>
    placeInRace({ standings: rows, room: null, me: { seat } }),
  );
  assert.deepEqual(idle, { place: null, of: 2 });
  assert.deepEqual(acted, { place: 2, of: 2 });
});

test('players who race have a place from the start, and others have none', () => {
  const seats = [A, B, C].map((seat) => ({ seat, state: seat === C ? 'WATCHING' : 'RACING' }));
  const placed = (seat, standings) => placeInRace({ standings, room: { seats }, me: { seat } });
  assert.deepEqual(placed(A, []), { place: null, of: 2 });
  assert.deepEqual(placed(C, []), { place: undefined, of: 2 });
  const rows = board('A 90, B 40');
  assert.deepEqual(placed(A, rows), { place: 1, of: 2 });
  assert.deepEqual(placed(B, rows), { place: 2, of: 2 });
  const ended = rows.map((each) => ({ ...each, state: 'FORFEIT' }));
  const left = { seats: seats.map((seat) => ({ ...seat, state: 'FORFEIT' })) };
  const after = placeInRace({ standings: ended, room: left, me: { seat: B } });
  assert.deepEqual(after, { place: 2, of: 2 });
  assert.equal(leader(board('A 0')), undefined, 'nobody leads before a point');
});
