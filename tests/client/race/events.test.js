import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT_START, lastSeconds, logged, MAX_EVENTS } from '../../../web_client/src/race/events.js';
import { makeRivals } from '../../../web_client/src/race/rival-news.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { room, standing } from '../examples.js';

const event = (kind, seat, change) => ({ kind, standing: standing(seat, 'Ada'), ...change });
const cards = (seat, n) => event('cards', seat, { cards: n });

/** Return a log as words, newest first, without its start. @param {...[number, any]} events with their times */
const words = (...events) =>
  events
    .reduce((log, [now, each]) => logged(log, [each], now), AT_START)
    .slice(0, -1)
    .map(({ kind, standing: { seat }, cards: n = '', at }) => `${kind} ${seat} ${n} at ${at}`);

test('cards of a while are one event, in its place, unless something else comes between them', () => {
  assert.deepEqual(words([1, cards(0, 2)], [2, cards(1, 1)], [3, cards(0, 1)]), [
    'cards 1 1 at 2',
    'cards 0 3 at 1',
  ]);
  assert.equal(words([1, cards(0, 2)], [60_000, cards(0, 1)])[0], 'cards 0 1 at 60000');
  const suit = words([1, cards(0, 1)], [2, event('suit', 0)], [3, cards(0, 3)]);
  assert.deepEqual(suit, ['cards 0 3 at 3', 'suit 0  at 2', 'cards 0 1 at 1']);
});

test('a new leader replaces one that led for a moment only', () => {
  const [first, second] = [event('first-lead', 0), event('lead', 1)];
  assert.equal(words([6_000, first], [18_000, second]).length, 2);
  assert.deepEqual(words([1_000, first], [2_000, second]), ['lead 1  at 2000']);
});

test('ends have the times of the result, and the log keeps the latest events only', () => {
  const late = standing(1, 'Bob', { state: 'FORFEIT', finished_ms: 50_000, late_ms: 5_000 });
  assert.deepEqual(words([90_000, { kind: 'out', standing: late }]), ['out 1  at 55000']);
  const all = Array.from({ length: MAX_EVENTS * 2 }, (_, i) => event('suit', i));
  const log = logged(AT_START, all, 7);
  assert.deepEqual([log.length, log[0]], [MAX_EVENTS, { ...all.at(-1), at: 7 }]);
});

test('the last ten seconds are counted down', () => {
  const times = [89_999, 90_000, 90_001, 91_000, 99_999, 100_000];
  const seconds = times.map((now) => lastSeconds(100_000, now));
  assert.deepEqual(seconds, [0, 10, 10, 9, 1, 0]);
  assert.deepEqual([lastSeconds(null, 5), lastSeconds(undefined, 5)], [0, 0], 'without an end');
});

const SETTINGS = { ranking: 'first_home', cheats: 'shown' };
const NAMES = 'ABC';
const [A, B, C] = [0, 1, 2];

/** Return standings, best first. @param {string} rows like `A 30, B 20` @param {...any} more what else is so */
const board = (rows, ...more) =>
  rows.split(', ').map((row, i) => {
    const [name = '', score] = row.split(' ');
    const change = { score: Number(score), place: i + 1, ...more[i] };
    return standing(NAMES.indexOf(name), name, change);
  });

/** Return what is announced in a race to a player. @param {number} me @param {[number, any[]][]} all standings and their times @param {any} [settings] */
function announced(me, all, settings = SETTINGS) {
  let time = 0;
  const rivals = makeRivals(() => time);
  const running = room([], { state: 'RUNNING', settings });
  let state = { ...NOTHING, me: { seat: me, role: 'player' }, room: running };
  return all.map(([at, standings], number) => {
    time = at;
    const before = state;
    state = reduce(before, { type: 'standings', number: number + 1, standings });
    rivals.update(before, state);
    return rivals.take(state);
  });
}

test('a change of lead is announced at most every ten seconds, as it is by then', () => {
  const abc = board('A 30, B 20, C 10');
  const bac = board('B 40, A 30, C 10');
  const cab = board('C 50, A 30, B 20');
  const said = announced(C, [
    [0, abc], // the first leader is no news
    [0, bac],
    [4_000, abc],
    [9_999, cab],
    [10_000, cab],
    [30_000, cab],
  ]);
  assert.deepEqual(said, ['', 'B takes the lead.', '', '', 'You take the lead.', '']);
});

test('ends of games wait and are announced together, but a finish is announced at once', () => {
  const ahead = board('C 40, A 30, B 20');
  const gone = ahead.with(1, { ...ahead[1], state: 'FORFEIT' });
  const won = { ...gone[0], state: 'FINISHED', won: true, place: 1, finished_ms: 185_000 };
  const said = announced(B, [
    [0, board('A 30, B 20, C 10')],
    [0, ahead],
    [3_000, gone],
    [3_000, gone.with(0, won)], // the lead does not hold the finish back
    [20_000, gone.with(0, won)],
  ]);
  assert.deepEqual(said, ['', 'C takes the lead.', '', 'A gave up. C wins in 3:05.', '']);
});

test('a player who leads by coming home has only won', () => {
  const racing = board('A 30, B 20');
  const home = { ...racing[1], state: 'FINISHED', won: true, finished_ms: 9_000 };
  const after = [home, racing[0]].map((each, i) => ({ ...each, place: i + 1 }));
  const told = (me, settings) =>
    announced(
      me,
      [
        [0, racing],
        [0, after],
      ],
      settings,
    )[1];
  assert.equal(told(A), 'B wins in 0:09.');
  assert.equal(told(B), '', 'the own win has news of its own');
  const best = { ranking: 'best_score', cheats: 'shown' };
  assert.equal(told(A, best), 'B finished in 0:09.', 'who may be overtaken');
});

test('games that the end has cut off, and the own end, are no news', () => {
  const racing = board('A 30');
  const [cutOff, gaveUp] = [{ state: 'TIMED_OUT', finished_ms: 9_000 }, { state: 'FORFEIT' }];
  assert.equal(
    announced(B, [
      [0, racing],
      [0, [{ ...racing[0], ...cutOff }]],
    ])[1],
    '',
  );
  assert.equal(
    announced(A, [
      [0, racing],
      [0, [{ ...racing[0], ...gaveUp }]],
    ])[1],
    '',
  );
});
