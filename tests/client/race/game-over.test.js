import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionsOf } from '../../../web_client/src/race/game-over.js';
import { hasWonRace } from '../../../web_client/src/state/race-events.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { atTable, example } from '../examples.js';

/** Return a race of this player, seat 0, and another one. @param {any} own @param {any} [settings] */
const race = (own, settings = {}) => ({
  me: { seat: 0 },
  room: { settings: { ranking: 'first_home', cheats: 'shown', ...settings } },
  standings: [
    { seat: 0, place: 1, won: true, cheats: 0, ...own },
    { seat: 1, place: 2, won: false, cheats: 0 },
  ],
});

test('the first at home has won where nobody can overtake', () => {
  for (const [own, settings, has] of [
    [{}, {}, true],
    [{ place: 2 }, {}, false],
    [{ won: false }, {}, false], // a stopped game can be overtaken
    [{}, { ranking: 'best_score' }, false],
    [{ cheats: 1 }, {}, true],
    [{ cheats: 1 }, { cheats: 'out' }, false],
  ])
    assert.equal(hasWonRace(race(own, settings)), has);
  const alone = race({});
  assert.equal(hasWonRace({ ...alone, standings: alone.standings.slice(0, 1) }), false);
});

const FINISH = { type: 'finish' };
const UNDO = { type: 'undo' };
const STUCK = { at: 5, stuck: 'stock_empty', legal: [FINISH, UNDO] };

const at = (change, seatState) =>
  atTable({ outcome: null, ...change }, {}, seatState).reduce(reduce, NOTHING);
const kinds = (state) => questionsOf(state, 0).map(({ kind }) => kind);

test('the question is asked exactly where the server says that the own game is stuck', () => {
  for (const seatState of ['RACING', 'CHASING'])
    assert.deepEqual(kinds(at(STUCK, seatState)), ['stuck 5']);
  const dealt = at({ ...STUCK, stuck: 'deal_too_few_cards', legal: [FINISH] });
  assert.deepEqual(kinds(dealt), ['stuck 5']);
  const answered = reduce(at(STUCK), { type: '@act', action: FINISH });
  const own = at({ stuck: null, legal: [] });
  const watched = { ...example('table').table, ...STUCK, seat: own.me.seat + 1 };
  for (const state of [
    // A table where only finishing is legal may be a won one.
    ...[[FINISH], []].map((legal) => at({ stuck: null, legal })),
    at({ ...STUCK, outcome: 'finished_stuck' }),
    ...['FINISHED', 'FORFEIT', 'TIMED_OUT', 'WATCHING'].map((is) => at(STUCK, is)),
    ...[answered, reduce(own, { type: 'table', table: watched }), NOTHING],
  ])
    assert.deepEqual(kinds(state), []);
});

test('what is known about the rest is asked, in a game that is on', () => {
  const told = (outlook, seatState) => {
    const state = at({ at: 5, stuck: null, legal: [UNDO] }, seatState);
    return kinds(reduce(state, { ...example('assessed'), at: 5, outlook }));
  };
  const asked = ['dead', 'won', 'open', 'of_a_newer_server'].map((outlook) => told(outlook));
  assert.deepEqual(asked, [['dead'], ['won'], [], []]);
  assert.deepEqual(told('dead', 'FINISHED'), []);
});

test('the last racer is asked once all others gave up, by another question in each race', () => {
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

test('a host whose own game is over ends the race when only computer players still play', () => {
  const joined = example('joined');
  const [player] = joined.room.seats;
  const raceOf = (ofOwn, ...others) => {
    const all = [{ seat: 0, state: ofOwn }, ...others].map((each) => ({ ...player, ...each }));
    const room = { ...joined.room, state: 'RUNNING', host: 0, seats: all };
    return reduce(NOTHING, { ...joined, seat: 0, room });
  };
  const bot = { seat: 1, state: 'RACING', kind: 'program', level: 'club' };
  const bob = { seat: 2, state: 'RACING' };
  const done = { state: 'FINISHED' };
  for (const [own, others, asks] of [
    ['FORFEIT', [bot], ['computers']],
    ['FINISHED', [bot, { ...bob, ...done }], ['computers']],
    ['RACING', [bot], []],
    ['FINISHED', [bot, bob], []],
    ['FINISHED', [{ ...bot, ...done }], []],
  ])
    assert.deepEqual(kinds(raceOf(own, ...others)), asks);
  const guest = { ...raceOf('FINISHED', bot), me: { seat: 3, role: 'player' } };
  assert.deepEqual(kinds(guest), []);
});
