import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makeAnnouncer } from '../../../web_client/src/core/announcer.js';
import { NOTHING, reduce } from '../../../web_client/src/core/reducer.js';
import { example } from '../examples.js';

const JOINED = reduce(NOTHING, example('joined'));

/**
 * Return the announcement of a change of the room.
 *
 * @param {any} change
 * @param {any} [from]
 */
function said(change, from = {}) {
  const before = reduce(JOINED, { type: 'room', room: { ...room(), ...from } });
  /** @type {any} */
  const message = { type: 'room', room: { ...before.room, ...change, v: room().v + 2 } };
  const after = reduce(before, message);
  return makeAnnouncer(() => 0)(before, after, message);
}

/** @returns {any} */
function room() {
  const view = JOINED.room;
  return { ...view, v: (view?.v ?? 0) + 1, seats: seats() };
}

/** The own seat, and Bob's. */
function seats() {
  const [own] = (JOINED.room?.seats ?? []).filter(({ seat }) => seat === JOINED.me?.seat);
  return [own, { ...own, seat: 50, name: 'Bob' }];
}

test('players who come and go are announced, and the new host', () => {
  const cleo = { ...seats()[1], seat: 51, name: 'Cleo' };
  assert.equal(said({ seats: [...seats(), cleo] }), 'Cleo joined.');
  assert.equal(said({ seats: seats().slice(0, 1) }), 'Bob left.');
  assert.equal(said({ host: 50 }, { host: JOINED.me?.seat }), 'Bob is the host now.');
  assert.equal(
    said({ host: JOINED.me?.seat, seats: seats().slice(0, 1) }, { host: 50 }),
    'Bob left. You’re the host now.',
  );
});

/** Return the sentences of a countdown by the seconds that are left. @param {any} news @param {number[]} seconds */
const counted = (news, seconds) => seconds.map((left) => news.words(left));

test('an earlier end of the race is counted down, by the server’s clock', () => {
  const round = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
  const running = { state: 'RUNNING', round };
  const news = said({ round: { ...round, t_end: 1_060_000 } }, running);
  assert.equal(news.until, 1_060_000);
  assert.deepEqual(counted(news, [90, 60, 59, 1]), [
    'The race ends in 1:30.',
    'The race ends in 1:00.',
    'The race ends in 59 seconds.',
    'The race ends in 1 second.',
  ]);
  const both = said(
    { round: { ...round, t_end: 1_060_000 }, host: JOINED.me?.seat },
    { ...running, host: 50 },
  );
  assert.equal(both.words(30), 'You’re the host now. The race ends in 30 seconds.');
  assert.equal(said({}, running), '');
});

test('the start of the race is counted down', () => {
  const round = { n: 1, t0: 1_005_000, t_end: null, commitment: null, number: null };
  const news = said({ state: 'COUNTDOWN', round });
  assert.equal(news.until, 1_005_000);
  assert.deepEqual(counted(news, [5, 1]), [
    'The race starts in 5 seconds.',
    'The race starts in 1 second.',
  ]);
});

test('a player who wants a rematch is announced once', () => {
  const [own, bob] = seats();
  const idle = [own, { ...bob, state: 'WATCHING' }];
  const asking = [own, { ...bob, state: 'READY' }];
  const over = { state: 'FINISHED', seats: idle };
  assert.equal(said({ seats: asking }, over), 'Bob wants a rematch.');
  assert.equal(said({}, { ...over, seats: asking }), '');
  assert.equal(said({ seats: idle }, { ...over, seats: asking }), '');
  const match = { rounds: 3, over: false, n: [1] };
  assert.equal(said({ seats: asking }, { ...over, match }), 'Bob is ready for the next round.');
});

test('a player who wants no rematch after all has not given up again', () => {
  const [own, bob] = seats();
  const wanting = { state: 'FINISHED', seats: [{ ...own, state: 'READY' }, bob] };
  assert.equal(said({ seats: [{ ...own, state: 'FORFEIT' }, bob] }, wanting), '');
});

test('a finish that was announced with the last minutes is not announced again', () => {
  const round = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
  const [own, bob] = seats().map((seat) => ({ ...seat, state: 'RACING' }));
  const settings = { ...JOINED.room?.settings, after_win_s: 60 };
  const base = { ...room(), state: 'RUNNING', round, settings, seats: [own, bob] };
  const line = { ...example('standings').standings[0], seat: 50, name: 'Bob', state: 'RACING' };
  const racing = reduce(reduce(JOINED, { type: 'room', room: base }), {
    ...example('standings'),
    standings: [{ ...line, finished_ms: null, won: false }],
  });
  const announce = makeAnnouncer(() => 0);
  /** @type {any} */
  const message = {
    type: 'room',
    room: {
      ...base,
      v: base.v + 1,
      round: { ...round, t_end: 1_060_000 },
      seats: [own, { ...bob, state: 'FINISHED' }],
    },
  };
  const won = reduce(racing, message);
  assert.equal(announce(racing, won, message), 'Last minute: Bob finished.');
  /** @type {any} */
  const standings = {
    ...example('standings'),
    standings: [{ ...line, state: 'FINISHED', won: true, finished_ms: 60_000 }],
  };
  assert.doesNotMatch(String(announce(won, reduce(won, standings), standings)), /finished/);
});

test('the first win says how long the others have left', () => {
  const round = { n: 1, t0: 900_000, t_end: null, commitment: null, number: null };
  const [own, bob] = seats().map((seat) => ({ ...seat, state: 'RACING' }));
  const settings = { ...JOINED.room?.settings, after_win_s: 120 };
  const running = { state: 'RUNNING', round, settings, seats: [own, bob] };
  const won = {
    round: { ...round, t_end: 1_120_000 },
    seats: [own, { ...bob, state: 'FINISHED' }],
  };
  assert.equal(said(won, running), 'Last two minutes: Bob finished.');
  const short = { ...won, settings: { ...settings, after_win_s: 600 } };
  assert.equal(said(short, running), 'Last 10 minutes: Bob finished.');
  const byHost = { round: won.round };
  assert.deepEqual(counted(said(byHost, running), [59]), ['The race ends in 59 seconds.']);
});

/** Return the announcement of an answered act. @param {any} action @param {any} counts */
function answered(action, counts) {
  const seated = reduce(reduce(NOTHING, example('joined')), example('table'));
  const before = reduce(seated, { type: '@act', action });
  const act = before.play?.inFlight[0];
  /** @type {any} */
  const base = before.play?.base;
  const message = {
    ...example('acted'),
    ...{ id: act?.id, at: base.at + 1, piles: [], legal: base.legal, stuck: null, outcome: null },
    counts: { ...base.counts, ...counts },
  };
  const after = reduce(before, message);
  return makeAnnouncer(() => 0)(before, after, message);
}

test('a cheat is announced when it is made', () => {
  const undo = { type: 'undo' };
  assert.equal(answered(undo, { undos: 1 }), 'Undone.');
  assert.equal(answered(undo, { undos: 1, cheats: 1 }), 'Undone. That counts as cheat 1.');
});
