import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { awaitsComputers, makeQuestion } from '../../../web_client/src/race/stuck.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';

const FINISH = { type: /** @type {'finish'} */ ('finish') };
const UNDO = { type: /** @type {'undo'} */ ('undo') };
const STUCK = { stuck: 'stock_empty', legal: [FINISH, UNDO] };

/** Return the state of a player at a table of the server. @param {any} change @param {string} [seatState] */
function at(change, seatState = 'RACING') {
  const joined = example('joined');
  const { seat } = joined;
  joined.room.state = 'RUNNING';
  joined.room.seats = [{ ...joined.room.seats[0], seat, state: seatState }];
  const { table } = example('table');
  return reduce(reduce(NOTHING, joined), {
    type: 'table',
    table: { ...table, seat, outcome: null, ...change },
  });
}

/** @param {any} state @param {any} change */
function answered(state, change) {
  const { id, at: log } = state.play.inFlight[0];
  const { base } = state.play;
  return reduce(state, { ...example('acted'), ...base, id, at: log + 1, piles: [], ...change });
}

test('the question is asked exactly where the server says that the game is stuck', () => {
  for (const seatState of ['RACING', 'CHASING'])
    assert.equal(makeQuestion().tableIn(at(STUCK, seatState))?.stuck, 'stock_empty');
  const few = { stuck: 'deal_too_few_cards', legal: [FINISH] };
  assert.equal(makeQuestion().tableIn(at(few))?.stuck, 'deal_too_few_cards');
  // A table where only finishing is legal may be a won one.
  assert.equal(makeQuestion().tableIn(at({ stuck: null, legal: [FINISH] })), null);
  assert.equal(makeQuestion().tableIn(at({ stuck: null, legal: [] })), null);
});

test('no question is asked about a finished game or the game of another player', () => {
  assert.equal(makeQuestion().tableIn(at({ ...STUCK, outcome: 'finished_stuck' })), null);
  for (const seatState of ['FINISHED', 'FORFEIT', 'TIMED_OUT', 'WATCHING'])
    assert.equal(makeQuestion().tableIn(at(STUCK, seatState)), null);
  const own = at({ stuck: null, legal: [] });
  const { table } = example('table');
  const watched = { ...table, ...STUCK, seat: (own.me?.seat ?? 0) + 1 };
  assert.equal(makeQuestion().tableIn(reduce(own, { type: 'table', table: watched })), null);
  assert.equal(makeQuestion().tableIn(NOTHING), null);
});

test('a question that was put off returns when the game is stuck again', () => {
  const question = makeQuestion();
  const stuck = at(STUCK);
  assert.ok(question.tableIn(stuck));
  question.putOff();
  assert.equal(question.tableIn(stuck), null);
  const undoing = reduce(stuck, { type: '@act', action: UNDO });
  const free = answered(undoing, { stuck: null, legal: [{ type: 'redo' }] });
  assert.equal(question.tableIn(free), null);
  const again = answered(reduce(free, { type: '@act', action: { type: 'redo' } }), STUCK);
  assert.ok(question.tableIn(again));
});

test('what is known about the rest is asked until the player puts it off, once a round', () => {
  const question = makeQuestion();
  const table = at({ at: 5, stuck: null, legal: [UNDO] });
  const told = (/** @type {string} */ outlook) =>
    reduce(table, { ...example('assessed'), at: 5, outlook });
  assert.equal(question.outlookIn(table), null);
  assert.equal(question.outlookIn(told('open')), null);
  assert.equal(question.outlookIn(told('of_a_newer_server')), null);
  const dead = question.outlookIn(told('dead'));
  assert.equal(dead?.outlook, 'dead');
  if (dead) question.putOffOutlook(dead);
  assert.equal(question.outlookIn(told('dead')), null);
  assert.equal(question.outlookIn(told('won'))?.outlook, 'won', 'undone, and played well');
  const watching = at({ at: 5, stuck: null, legal: [] }, 'FINISHED');
  assert.equal(question.outlookIn(reduce(watching, { ...example('assessed'), at: 5 })), null);
});

test('a host whose own game is over ends the race when only computer players still play', () => {
  const joined = example('joined');
  const [own] = joined.room.seats;
  /** @param {string} ofOwn @param {any[]} others */
  const race = (ofOwn, ...others) => {
    const all = [{ ...own, seat: 0, state: ofOwn }, ...others.map((each) => ({ ...own, ...each }))];
    const room = { ...joined.room, state: 'RUNNING', host: 0, seats: all };
    return reduce(NOTHING, { ...joined, seat: 0, room });
  };
  const bot = { seat: 1, state: 'RACING', kind: 'program', level: 'club' };
  const bob = { seat: 2, state: 'RACING' };
  assert.equal(awaitsComputers(race('FORFEIT', bot)), true);
  assert.equal(awaitsComputers(race('FINISHED', bot, { ...bob, state: 'FINISHED' })), true);
  assert.equal(awaitsComputers(race('RACING', bot)), false);
  assert.equal(awaitsComputers(race('FINISHED', bot, bob)), false);
  assert.equal(awaitsComputers(race('FINISHED', { ...bot, state: 'FINISHED' })), false);
  const guest = race('FINISHED', bot);
  assert.equal(awaitsComputers({ ...guest, me: { seat: 3, role: 'player' } }), false);
});
