import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makeAnnouncer } from '../../../web_client/src/page/announcer.js';
import { awaitsComputers, makeQuestion } from '../../../web_client/src/race/stuck.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import * as german from '../../../web_client/src/strings/de/start.js';
import { deadAsk, playingOut, playOutAsk } from '../../../web_client/src/strings/en/race.js';
import { stuckAsk } from '../../../web_client/src/strings/en/start.js';
import { example } from '../examples.js';

const FINISH = { type: 'finish' };
const UNDO = { type: 'undo' };
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
  const announcer = () => makeAnnouncer(() => '');
  const before = reduce(at({ stuck: null, legal: [{ type: 'deal' }] }), {
    type: '@act',
    action: { type: 'deal' },
  });
  const after = answered(before, STUCK);
  const act = before.play?.inFlight[0];
  const message = { ...after.play?.base, type: 'acted', id: act?.id };
  assert.match(
    announcer()(before, after, message),
    /^No moves left\. Finish here or undo\? You keep/,
  );

  const stuck = at(STUCK);
  const fresh = { type: 'table', table: stuck.play?.base };
  assert.match(announcer()({ ...stuck, play: null }, stuck, fresh), /^No moves left\./);
  assert.equal(announcer()(stuck, stuck, fresh), ''); // a reconnection is no news
});

test('what is known about the rest is asked until the player puts it off, once a round', () => {
  const question = makeQuestion();
  const table = at({ at: 5, stuck: null, legal: [UNDO] });
  const told = (outlook) => reduce(table, { ...example('assessed'), at: 5, outlook });
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

test('the sentences of a dead game and of one that is won agree with their figures', () => {
  const { text } = deadAsk(78, 1, true);
  assert.match(text, /can add 1 point at most\. Stop here or undo\? You keep 78 points\.$/);
  assert.match(deadAsk(1, 0, false).text, /completed\. Stop here\? You keep 1 point\.$/);
  assert.match(playOutAsk(1).text, /, 1 move to go\./);
  assert.equal(playingOut(2).text, '2 moves left');
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
  const [own] = joined.room.seats;
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
