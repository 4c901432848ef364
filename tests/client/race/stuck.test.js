import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makeAnnouncer } from '../../../web_client/src/core/announcer.js';
import { NOTHING, reduce } from '../../../web_client/src/core/reducer.js';
import { makeQuestion } from '../../../web_client/src/race/stuck.js';
import * as german from '../../../web_client/src/strings/de/start.js';
import { stuckAsk } from '../../../web_client/src/strings/en/start.js';
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

test('no question is asked while an answer is in flight, and it returns if that is refused', () => {
  for (const action of [FINISH, UNDO]) {
    const question = makeQuestion();
    const stuck = at(STUCK);
    const answering = reduce(stuck, { type: '@act', action });
    assert.equal(question.tableIn(answering), null);
    const refused = {
      ...example('refused', 'no hint'),
      command: 'act',
      code: 'try_again',
      id: answering.play?.inFlight[0]?.id,
      table: stuck.play?.base,
    };
    assert.ok(question.tableIn(reduce(answering, refused)));
  }
});

test('the question gives the reason, the score, and undo where it is legal', () => {
  const table = { stuck: 'stock_empty', score: 78, legal: [FINISH] };
  assert.equal(stuckAsk(table), 'All cards have been dealt. Finish here? You keep 78 points.');
  assert.match(stuckAsk({ ...table, legal: [FINISH, UNDO] }), / Finish here or undo\? /);
  assert.match(stuckAsk({ ...table, stuck: 'deal_too_few_cards' }), /^There aren’t enough cards/);
  assert.match(stuckAsk({ ...table, stuck: 'of_a_newer_server' }), /^Finish here\?/);
  assert.match(german.stuckAsk(table), /Hier aufhören\? Du behältst 78 Punkte\.$/);
});

test('a stuck game is announced when it happens, and again after a reload', () => {
  const announcer = () =>
    makeAnnouncer(
      () => 0,
      () => 0,
    );
  const before = reduce(at({ stuck: null, legal: [{ type: 'deal' }] }), {
    type: '@act',
    action: { type: 'deal' },
  });
  const after = answered(before, STUCK);
  const act = before.play?.inFlight[0];
  const message = /** @type {any} */ ({ ...after.play?.base, type: 'acted', id: act?.id });
  assert.match(
    announcer()(before, after, message),
    /^No moves left\. Finish here or undo\? You keep/,
  );

  const stuck = at(STUCK);
  const fresh = /** @type {any} */ ({ type: 'table', table: stuck.play?.base });
  assert.match(announcer()({ ...stuck, play: null }, stuck, fresh), /^No moves left\./);
  assert.equal(announcer()(stuck, stuck, fresh), ''); // a reconnection is no news
});

test('the last racer is asked once a race, and only after all others gave up', () => {
  const state = (/** @type {string[]} */ others, n = 1) =>
    /** @type {any} */ ({
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
