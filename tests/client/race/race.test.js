import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/protocol.js';
import * as grid from '../../../web_client/src/race/board-grid.js';
import { lastSeconds } from '../../../web_client/src/race/countdown.js';
import { makeRaceNews } from '../../../web_client/src/race/events.js';
import { questionsOf } from '../../../web_client/src/race/game-over.js';
import { clockOf, placeInRace } from '../../../web_client/src/race/header.js';
import { gap, placeChanges, progress, stripSeats } from '../../../web_client/src/race/standings.js';
import {
  AT_START,
  hasWonRace,
  MAX_EVENTS,
  raceEvents,
  withEvents,
} from '../../../web_client/src/state/race-events.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import * as watch from '../../../web_client/src/state/state.js';
import { leader, NOTHING } from '../../../web_client/src/state/state.js';
import { atTable, example, room, standing } from '../examples.js';

// Events and news.

test('ends have the times of the result, and the log keeps only the latest events', () => {
  const late = standing(1, 'Bob', { state: 'FORFEIT', finished_ms: 50_000, late_ms: 5_000 });
  assert.equal(withEvents(AT_START, [{ kind: 'out', standing: late }], 90_000)[0].at, 55_000);
  const suit = (seat) => ({ kind: 'suit', standing: standing(seat, 'Ada') });
  const all = Array.from({ length: MAX_EVENTS * 2 }, (_, i) => suit(i));
  const latest = withEvents(AT_START, all, 7);
  assert.deepEqual([latest.length, latest[0]], [MAX_EVENTS, { ...all.at(-1), at: 7 }]);
});

test('the last ten seconds are counted down', () => {
  const times = [89_999, 90_000, 90_001, 91_000, 99_999, 100_000];
  const counted = times.map((now) => lastSeconds(100_000, now));
  assert.deepEqual([...counted, lastSeconds(Infinity, 5)], [0, 10, 10, 9, 1, 0, 0]);
});

const NAMES = 'ABC';
const [A, B, C] = [0, 1, 2];

/** Return standings, best first. @param {string} rows like `A 30, B 20` @param {...any} more changes of each row */
const board = (rows, ...more) =>
  rows.split(', ').map((row, i) => {
    const [name = '', score] = row.split(' ');
    const change = { score: Number(score), place: i + 1, ...more[i] };
    return standing(NAMES.indexOf(name), name, change);
  });

const won = (row, finished_ms) => ({ ...row, state: 'FINISHED', won: true, place: 1, finished_ms });

/**
 * Compare the news that a player reads in a race.
 * @param {number} me @param {[number, any[], string?][]} rows times, standings and words @param {any} [settings]
 */
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
    const events = raceEvents(before, state);
    assert.equal(news({ before, after: state, message, events }), words, `${i}`);
  }
}

test('a new leader is announced at most every ten seconds, and only the present one', () => {
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
    [3_000, home, 'C wins in 3:05. A gave up.'], // a finish does not wait for the pause
    [20_000, home],
  ]);
});

test('a leader who comes home has won, and this player’s end and the end of the race are not news here', () => {
  const racing = board('A 30, B 20');
  const home = [won(racing[1], 9_000), { ...racing[0], place: 2 }];
  const first = (change) => [{ ...racing[0], ...change }, racing[1]];
  const best = { ranking: 'best_score', cheats: 'shown' };
  for (const [me, rows, words, settings] of [
    [A, home, 'B wins in 0:09.'],
    [B, home, 'You win! 0:09. 1 player still racing.'], // this player's win has other news
    [A, home, 'B finished in 0:09.', best], // others may still overtake
    [B, first({ state: 'TIMED_OUT', finished_ms: 9_000 }), ''],
    [A, first({ state: 'FORFEIT' }), ''],
  ])
    reads(
      me,
      [racing, rows].map((each, i) => [0, each, i ? words : '']),
      settings,
    );
});

// Places, leads and gaps.

test('where points decide, the gap is to the leader, and for the leader to the next player', () => {
  const out = { state: 'FORFEIT' };
  const chases = { state: 'CHASING', place: null, late_ms: 9 };
  for (const [rows, gaps, ...more] of [
    ['A 90, B 40, C 10', '+50,−50,', null, null, out],
    ['A 90, B 90', ',', null, { place: 1 }],
    ['A 90', ''],
    ['A 900, B 40', ',', { won: true, state: 'FINISHED' }], // a winner is ahead by time
    ['A 460, B 499, C 430', ',,−30'], // cards turned up go before points
    ['A 40, B 90', ',', null, out], // players who have left rank below others
    ['A 40, B 10', ',', null, chases],
  ]) {
    const standings = board(rows, ...more);
    assert.equal(standings.map((each) => gap(each, standings)).join(), gaps, rows);
  }
});

test('the strip of a phone shows the neighbours, and nobody leads from a shared first place', () => {
  const ten = Array.from({ length: 10 }, (_, seat) => ({ seat }));
  const shown = (me, of = ten) => [...stripSeats(of, me)].join('');
  const rows = [5, 0, 1, 9, -1].map((me) => shown(me));
  assert.deepEqual(rows, ['0456', '0123', '0123', '0789', '0123']);
  assert.deepEqual([shown(1, ten.slice(0, 2)), shown(-1, [])], ['01', '']);
  assert.equal(leader(board('A 5'))?.name, 'A');
  assert.equal(leader(board('A 5, B 5', null, { place: 1 })), undefined);
});

test('progress counts suits, or cards where single cards go home', () => {
  const way = { suits: 3, home: 39, face_down: 11 };
  const spider = progress(way, GAMES['spider-4']);
  assert.deepEqual(spider, { home: 3 / 8, notches: 8, turned: 0.75 });
  const little = progress({ ...way, home: 13 }, GAMES['little-spider']);
  assert.deepEqual(little, { home: 13 / 52, notches: 1, turned: null });
  assert.equal(progress(way, undefined).turned, null);
});

test('everyone sees a step up, but only the player sees a step down', () => {
  const at = (rows) =>
    rows.split(' ').map((row, seat) => {
      const [place, score] = row.split('/').map(Number);
      return { seat, place: place || null, score };
    });
  for (const [before, after, me, words] of [
    ['1/80 2/70 3/60', '2/70 1/80 3/60', 0, '0 ↓ 2, 1 ↑ 1'],
    ['1/80 2/70 3/60', '2/70 1/80 3/60', 2, '1 ↑ 1'],
    ['1/90 2/40 3/10 3/10', '1/90 4/5 2/10 2/10', 0, ''], // nobody was passed
    ['1/90 2/40 3/10 3/10', '1/90 4/5 2/20 3/10', 0, '2 ↑ 2'],
    ['0/0', '1/0', 0, ''],
    ['1/0', '0/0', 0, ''],
  ]) {
    const found = placeChanges(at(before), at(after), me);
    const told = found.map(({ seat, place, isUp }) => `${seat} ${isUp ? '↑' : '↓'} ${place}`);
    assert.equal(told.join(', '), words);
  }
  assert.deepEqual(placeChanges([], at('1/0'), 0), []);
});

test('racing players have a place from the start, and it is known after the first act', () => {
  const racing = [A, B, C].map((seat) => ({ seat, state: seat === C ? 'WATCHING' : 'RACING' }));
  const left = racing.map((seat) => ({ ...seat, state: 'FORFEIT' }));
  const rows = board('A 90, B 40');
  const begun = board('A 500, B 499', { has_acted: false });
  const placeIn = (seats, standings, seat) => {
    const { hasPlace, place, racers } = placeInRace({ standings, room: { seats }, me: { seat } });
    return { place: hasPlace ? place : undefined, racers };
  };
  for (const [seats, standings, me, place] of [
    [racing, [], A, null],
    [racing, [], C, undefined], // a spectator has none
    [[], begun, A, null],
    [[], begun, B, 2],
    [racing, rows, A, 1],
    [racing, rows, B, 2],
    [left, rows, B, 2],
  ])
    assert.deepEqual(placeIn(seats, standings, me), { place, racers: 2 });
  for (const idle of [begun, board('A 0')])
    assert.equal(leader(idle), undefined, 'a score that starts high leads nothing');
});

test('the clocks count from the start of the player’s game, and stop with the race', () => {
  const clock = (now, change = {}, seat = {}, more = {}) => {
    const round = { t0: 1_000, t_end: 61_000, ...change.round };
    const of = { state: 'RUNNING', settings: { time_limit_s: 30 }, ...change, round };
    const seats = [{ seat: A, state: 'RACING', ...seat }];
    const state = { ...NOTHING, me: { seat: A }, room: room(seats, of), ...more };
    return Object.values(clockOf(state, now)).join(' ');
  };
  const open = { settings: { window_s: 60, time_limit_s: 30 } };
  assert.equal(clock(16_000), '15000 45000 0.75');
  assert.equal(clock(90_000, { round: { ended: 41_000 } }), '40000 20000 0.3333333333333333');
  assert.equal(clock(16_000, { round: { t_end: null } }), '15000 Infinity NaN');
  assert.equal(clock(26_000, open, {}, { lateMs: 10_000, play: {} }), '15000 15000 0.5');
  assert.equal(clock(16_000, open, { state: 'FINISHED' }), ' 45000 0.75');
  assert.equal(clockOf(NOTHING, 0), null);
});

// The end of this player's game.

test('the first player at home has won if nobody can overtake', () => {
  for (const [own, settings, has] of [
    [{}, {}, true],
    [{ place: 2 }, {}, false],
    [{ won: false }, {}, false], // a stopped game can be overtaken
    [{}, { ranking: 'best_score' }, false],
    [{ cheats: 1 }, {}, true],
    [{ cheats: 1 }, { cheats: 'out' }, false],
  ]) {
    const rows = [standing(A, 'A', { place: 1, won: true, ...own }), standing(B, 'B')];
    const of = { settings: { ranking: 'first_home', cheats: 'shown', ...settings } };
    const state = { me: { seat: A }, room: of, standings: rows };
    assert.equal(hasWonRace(state), has);
    assert.equal(hasWonRace({ ...state, standings: rows.slice(0, 1) }), false, 'alone');
  }
});

const [FINISH, UNDO] = [{ type: 'finish' }, { type: 'undo' }];
const STUCK = { at: 5, stuck: 'stock_empty', legal: [FINISH, UNDO] };
const OPEN = { at: 5, stuck: null, legal: [UNDO] };
const kinds = (state) => questionsOf(state, 0).map(({ kind }) => kind);

test('the page asks only where the server says that the game is stuck, dead or won', () => {
  const assessed = (outlook) => ({ ...example('assessed'), at: 5, outlook });
  const watched = { ...example('table').table, ...STUCK, seat: 1 };
  for (const [table, seatState, asked, message] of [
    [STUCK, 'RACING', ['stuck 5']],
    [STUCK, 'CHASING', ['stuck 5']],
    [{ ...STUCK, stuck: 'deal_too_few_cards', legal: [FINISH] }, 'RACING', ['stuck 5']],
    // Even if only finishing is legal, the game may be won.
    [{ ...OPEN, legal: [FINISH] }, 'RACING', []],
    [{ ...OPEN, legal: [] }, 'RACING', []],
    [{ ...STUCK, outcome: 'finished_stuck' }, 'RACING', []],
    ...['FINISHED', 'FORFEIT', 'TIMED_OUT', 'WATCHING'].map((state) => [STUCK, state, []]),
    [STUCK, 'RACING', [], { type: '@act', action: FINISH }],
    [OPEN, 'RACING', [], { type: 'table', table: watched }],
    [OPEN, 'RACING', ['dead'], assessed('dead')],
    [OPEN, 'RACING', ['won'], assessed('won')],
    [OPEN, 'RACING', [], assessed('open')],
    [OPEN, 'RACING', [], assessed('of_a_newer_server')],
    [OPEN, 'FINISHED', [], assessed('dead')],
  ]) {
    const messages = atTable({ outcome: null, ...table }, {}, seatState);
    const state = [...messages, ...(message ? [message] : [])].reduce(reduce, NOTHING);
    assert.deepEqual(kinds(state), asked);
  }
  assert.deepEqual(kinds(NOTHING), []);
});

test('the last racer is asked once all others have given up, in each race anew', () => {
  const state = (others, n = 1) => ({
    ...NOTHING,
    room: { code: 'ABCDEFG', state: 'RUNNING', seats: [], round: { n, t_end: null } },
    me: { seat: 0 },
    standings: ['RACING', ...others].map((each, seat) => ({ seat, state: each })),
  });
  for (const others of [[], ['FORFEIT', 'RACING'], ['FORFEIT', 'FINISHED']])
    assert.deepEqual(kinds(state(others)), []);
  const ids = [1, 2].map((n) => questionsOf(state(['FORFEIT', 'FORFEIT'], n), 0)[0]?.id);
  assert.deepEqual(ids, ['ABCDEFG 1 last', 'ABCDEFG 2 last']);
});

test('a host who has finished can end the race when only computer players still play', () => {
  const bot = { seat: 1, state: 'RACING', kind: 'program', level: 'club' };
  const bob = { seat: 2, state: 'RACING' };
  const done = { state: 'FINISHED' };
  for (const [own, others, asks, me = 0] of [
    ['FORFEIT', [bot], ['computers']],
    ['FINISHED', [bot, { ...bob, ...done }], ['computers']],
    ['RACING', [bot], []],
    ['FINISHED', [bot, bob], []],
    ['FINISHED', [{ ...bot, ...done }], []],
    ['FINISHED', [bot], [], 3], // a guest
  ]) {
    const of = room([{ seat: 0, state: own }, ...others], { state: 'RUNNING' });
    assert.deepEqual(kinds({ ...NOTHING, room: of, me: { seat: me, role: 'player' } }), asks);
  }
});

// Watching.

const { standings: ROWS } = example('standings');
const [{ seat: ADA }, ...OTHERS] = ROWS;
const DON = 99;

/** Return a race that shows boards. @param {number} me @param {any} [change] of the room @param {any} [more] of the state */
const race = (me, { settings = {}, ...change } = {}, more = {}) => {
  const usual = { spectate: 'boards', board_delay_s: 60, ...settings };
  const running = { state: 'RUNNING', round: { n: 1, t0: 1_000 }, settings: usual, ...change };
  const own = { me: { seat: me, role: 'player' }, room: room(change.seats ?? [], running) };
  return { ...NOTHING, connection: 'on', standings: ROWS, ...own, ...more };
};
const seated = (state) => ({ seats: [{ seat: ADA, state, connection: 'on' }] });
const HIDDEN = { settings: { spectate: 'standings' } };

test('players without a game in the running race can watch boards, if the room shows them', () => {
  for (const [me, change, boards] of [
    [DON, {}, ROWS],
    [DON, HIDDEN, []],
    [DON, { state: 'COUNTDOWN' }, []],
    [ADA, seated('RACING'), []],
    [ADA, seated('CHASING'), []],
    [ADA, seated('FINISHED'), OTHERS],
    [ADA, seated('FORFEIT'), OTHERS],
    [ADA, { ...seated('FORFEIT'), ...HIDDEN }, []],
    [ADA, { state: 'FINISHED' }, []],
  ])
    assert.deepEqual(watch.watchable(race(me, change)), boards);
});

test('boards are late, but not for players who have finished, and the page knows when the first moves come', () => {
  const chased = { standings: [{ ...ROWS[0], late_ms: 9 }] };
  for (const [state, isLate] of [
    [race(ADA, seated('FINISHED')), false],
    [race(DON), true],
    [race(ADA, seated('FORFEIT'), chased), true],
  ]) {
    assert.equal(watch.isDelayed(state), isLate);
    assert.equal(watch.firstMovesIn(state, 21_000), isLate ? 40_000 : 0);
    assert.equal(watch.firstMovesIn(state, 61_000), 0);
  }
  assert.equal(watch.firstMovesIn(race(DON, { state: 'FINISHED' }), 21_000), 0);
});

test('watching the others is offered only if boards are shown and somebody still plays', () => {
  const [ada, don] = [ADA, DON].map((seat) => ({ seat, state: 'RACING' }));
  for (const [change, isOffered] of [
    [{ seats: [ada, don] }, true],
    [{ seats: [ada, don], ...HIDDEN }, false],
    [{ seats: [ada] }, false],
    [{ seats: [ada, { ...don, state: 'FINISHED' }] }, false],
  ]) // The standings come just after the room.
    assert.equal(watch.canWatchLater(race(ADA, change, { standings: [] })), isOffered);
});

test('a subscription is sent once for each connection and round, and is ended', () => {
  const sent = [];
  const subscribe = grid.makeSubscription(({ boards }) => sent.push(boards.join('')));
  for (const [state, boards, all] of [
    [race(DON), [], ''], // nothing to end
    [race(DON), [2, 0], '02'],
    [race(DON), [0, 2], '02'],
    [race(DON, {}, { connection: 'waiting' }), [0, 2], '02'],
    [race(DON), [0, 2], '02 02'], // a new connection or round has forgotten it
    [race(DON, { round: { n: 2 } }), [0, 2], '02 02 02'],
    [race(DON), [], '02 02 02 '],
    [race(DON), [], '02 02 02 '],
  ]) {
    subscribe(state, boards);
    assert.equal(sent.join(' '), all);
  }
});

test('the best boards are large, and the small ones stay in the order of the seats', () => {
  const of = (...seats) => seats.map((seat) => ({ seat: Number(seat), state: 'RACING' }));
  for (const [rows, places] of [
    ['3102', '3102'],
    ['43210', '43012'],
    ['1', '1'],
    ['', ''],
  ])
    assert.equal(grid.boardOrder(of(...rows)).join(''), places);
  // Those who still play come before the others.
  const [ada, bob, cleo] = of(0, 1, 2);
  const all = [{ ...ada, state: 'FINISHED' }, bob, { ...cleo, state: 'CHASING' }];
  assert.deepEqual(grid.playingFirst(all), [bob, all[2], all[0]]);
});
