import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitsComputers, makeQuestion } from '../../../web_client/src/race/stuck.js';
import { hasWonRace } from '../../../web_client/src/state/first-home.js';
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
const STUCK = { stuck: 'stock_empty', legal: [FINISH, UNDO] };

const at = (change, seatState) =>
  atTable({ outcome: null, ...change }, {}, seatState).reduce(reduce, NOTHING);

test('the question is asked exactly where the server says that the own game is stuck', () => {
  const asked = (change, seat) => makeQuestion().tableIn(at(change, seat))?.stuck;
  for (const seatState of ['RACING', 'CHASING'])
    assert.equal(asked(STUCK, seatState), 'stock_empty');
  assert.equal(asked({ stuck: 'deal_too_few_cards', legal: [FINISH] }), 'deal_too_few_cards');
  // A table where only finishing is legal may be a won one.
  for (const legal of [[FINISH], []]) assert.equal(asked({ stuck: null, legal }), undefined);
  assert.equal(asked({ ...STUCK, outcome: 'finished_stuck' }), undefined);
  for (const seatState of ['FINISHED', 'FORFEIT', 'TIMED_OUT', 'WATCHING'])
    assert.equal(asked(STUCK, seatState), undefined);
  const own = at({ stuck: null, legal: [] });
  const watched = { ...example('table').table, ...STUCK, seat: own.me.seat + 1 };
  assert.equal(makeQuestion().tableIn(reduce(own, { type: 'table', table: watched })), null);
  assert.equal(makeQuestion().tableIn(NOTHING), null);
});

test('what is known about the rest is asked until the player puts it off, once a round', () => {
  const question = makeQuestion();
  const table = at({ at: 5, stuck: null, legal: [UNDO] });
  const told = (outlook) => reduce(table, { ...example('assessed'), at: 5, outlook });
  assert.deepEqual([question.outlookIn(table), question.outlookIn(told('open'))], [null, null]);
  assert.equal(question.outlookIn(told('of_a_newer_server')), null);
  const dead = question.outlookIn(told('dead'));
  assert.equal(dead?.outlook, 'dead');
  if (dead) question.putOffOutlook(dead);
  assert.equal(question.outlookIn(told('dead')), null);
  assert.equal(question.outlookIn(told('won'))?.outlook, 'won', 'undone, and played well');
  const watching = at({ at: 5, stuck: null, legal: [] }, 'FINISHED');
  assert.equal(question.outlookIn(reduce(watching, { ...example('assessed'), at: 5 })), null);
});

test('the last racer is asked once a race, and only after all others gave up', () => {
  const state = (others, n = 1) => ({
    room: { code: 'ABCDEFG', state: 'RUNNING', round: { n } },
    me: { seat: 0 },
    standings: ['RACING', ...others].map((each, seat) => ({ seat, state: each })),
  });
  const question = makeQuestion();
  assert.equal(question.asksLastRacer(state([])), false);
  assert.equal(question.asksLastRacer(state(['FORFEIT', 'RACING'])), false);
  assert.equal(question.asksLastRacer(state(['FORFEIT', 'FINISHED'])), false);
  assert.equal(question.asksLastRacer(state(['FORFEIT', 'FORFEIT'])), true);
  question.raceOn();
  assert.equal(question.asksLastRacer(state(['FORFEIT', 'FORFEIT'])), false);
  assert.equal(question.asksLastRacer(state(['FORFEIT', 'FORFEIT'], 2)), true);
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
  for (const [own, others, awaits] of [
    ['FORFEIT', [bot], true],
    ['FINISHED', [bot, { ...bob, ...done }], true],
    ['RACING', [bot], false],
    ['FINISHED', [bot, bob], false],
    ['FINISHED', [{ ...bot, ...done }], false],
  ])
    assert.equal(awaitsComputers(raceOf(own, ...others)), awaits);
  const guest = raceOf('FINISHED', bot);
  assert.equal(awaitsComputers({ ...guest, me: { seat: 3, role: 'player' } }), false);
});
