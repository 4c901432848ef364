// Fast play over a bad connection: whatever is delayed, refused, repeated, lost or resumed, the page
// shows the server's table in the end, with the acts in the order in which the player made them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSender } from '../../../web_client/src/connection/socket.js';
import { MAX_IN_FLIGHT } from '../../../web_client/src/contract/protocol.js';
import { MAX_QUEUED } from '../../../web_client/src/game/table.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';
import { makeServer } from '../model.js';

const RUNS = Number(process.env.RUNS ?? 60);
const CHOICES = 1_000;
const BLANK = example('table').table;
const JOINED = example('joined', 'first player');
const BACK = example('joined', 'came back');
const RACE = example('room', 'race is on');

/** Return a stream of random numbers, 0 to 1. @param {number} seed */
function chances(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Return what is compared of a table: all that the server decides. @param {any} table */
const visible = ({ at, piles, legal, score, counts, elapsed_ms }) =>
  JSON.stringify({ at, piles, legal, score, counts, elapsed_ms });

/**
 * Run one race, which depends on its choices only.
 *
 * @param {readonly number[]} choices each 0 to 1; after the last one everything comes to rest
 * @param {boolean} losing whether the server's store may fail over to an older copy
 */
function race(choices, losing) {
  let next = 0;
  const choice = (below) => Math.floor((choices[next++] ?? 0) * below);
  const fives = choice(2) ? 1 : 6; // many columns allow many moves in flight
  const server = makeServer(choice, BLANK, fives);
  /** @type {Set<string>} what the server's table ever was */
  const tables = new Set();
  /** @type {Set<number>} acts that were acknowledged */
  const acknowledged = new Set();
  let up = [];
  let down = [];
  /** @type {any[]} answers of this connection, which may come again */
  let answered = [];
  let answers = 0;
  let meant = 0;
  let checked = null;
  /** @type {Map<number, number>} the id under which each act was sent */
  const idOf = new Map();
  const actOf = new Map();
  const sender = makeSender((message) => {
    const sent = message;
    const { tag } = sent.action;
    if (!losing) assert.equal(idOf.get(tag) ?? sent.id, sent.id, 'an act is sent under one id');
    assert.equal(actOf.get(sent.id) ?? tag, tag, 'an id is of one act');
    idOf.set(tag, sent.id);
    actOf.set(sent.id, tag);
    up.push(structuredClone(sent));
    return true;
  });
  let state = reduce(NOTHING, JOINED);
  note();
  receive(RACE);
  receive({ type: 'table', table: server.table() });

  function receive(message) {
    if (message.type === 'acted') acknowledged.add(actOf.get(message.id) ?? 0);
    state = reduce(state, message);
    sender.send(state);
    const play = state.play;
    if (!play) return;
    assert.ok(play.inFlight.length <= MAX_IN_FLIGHT && play.queued.length <= MAX_QUEUED);
    if (play.base === checked) return;
    checked = play.base;
    assert.ok(tables.has(visible(play.base)), 'the base is a table that the server had');
  }

  function note() {
    tables.add(visible(server.table()));
  }

  /** Make a move that the table allows, and now and then a wild one. */
  function act() {
    const play = state.play;
    const busy = [...play.inFlight.map((each) => each.action), ...play.queued];
    const touched = new Set(busy.flatMap(({ from, to }) => [from, to]));
    const { legal } = play.shown;
    const free = legal.filter(({ from, to }) => !touched.has(from) && !touched.has(to));
    const among = choice(4) && free.length > 0 ? free : legal;
    const wild = {
      type: 'move',
      from: `t${choice(5 * fives)}`,
      count: 1 + choice(2),
      to: `t${choice(5 * fives)}`,
    };
    meant += 1;
    const action = choice(10) ? among[choice(among.length)] : wild;
    receive({ type: '@act', action: { ...action, tag: meant } });
  }

  /** Let the server receive the next act. @param {boolean} busy */
  function deliver(busy) {
    const message = up.shift();
    if (!message) return;
    assert.ok(up.length + 1 + answers <= MAX_IN_FLIGHT, 'no more are on their way than may be');
    const fails = busy && !server.troubled() && choice(24) === 0;
    const answer = fails ? server.fail(message, !losing && choice(2) > 0) : server.receive(message);
    note();
    down.push(answer);
    answered.push(answer);
    answers += 1;
  }

  function read() {
    const message = down.shift();
    if (!message) return;
    if (message.type !== 'table' && !message.again) answers -= 1;
    receive(message);
  }

  function disconnect() {
    for (let delivered = choice(up.length + 1); delivered > 0; delivered -= 1) {
      server.receive(up.shift());
      note();
    }
    up = [];
    down = [];
    answered = [];
    answers = 0;
    sender.restart();
    receive({ type: '@connection', connection: 'waiting', code: 4004 });
  }

  function forget() {
    server.forget(1 + choice(12));
    answered = []; // lost acts are not answered again
  }

  /** Let another tab of the player use the seat in between. */
  function elsewhere() {
    const { legal, at } = server.table();
    server.receive({
      id: server.lastId() + 1,
      at,
      action: { ...legal[choice(legal.length)], tag: -1 },
    });
    note();
  }

  function resume() {
    server.resume();
    if (!losing && choice(4) === 0) elsewhere();
    receive({ ...BACK, seat: BLANK.seat });
    down.push({ type: 'table', table: server.table() });
  }

  function step() {
    const cut = state.connection === 'waiting';
    const what = choice(100);
    if (cut && what < 30) resume();
    else if (cut && what >= 60)
      act(); // played on without a connection
    else if (what < 6 && server.troubled()) down.push(server.recover());
    else if (what < 42) deliver(true);
    else if (what < 78) read();
    else if (what < 91) act();
    else if (what < 94) for (let i = 0; i < 12; i += 1) act();
    else if (what < 97 && answered.length > 0)
      down.push({ ...structuredClone(answered[choice(answered.length)]), again: true });
    else if (what < 98 && losing) forget();
    else if (what < 99) down.push(server.recover());
    else disconnect();
  }

  /** Compare page and server when nothing is in flight. */
  function check() {
    if (up.length + down.length > 0 || !state.synced || server.troubled()) return;
    const play = state.play;
    assert.deepEqual([play?.inFlight, play?.queued], [[], []], 'all is answered');
    assert.equal(play?.base.at, server.log.length, 'page and server agree');
    assert.equal(play?.shown, play?.base, 'nothing else is shown');
  }

  while (next < choices.length) {
    step();
    check();
  }
  if (state.connection === 'waiting') resume();
  if (server.troubled()) down.push(server.recover());
  while (up.length + down.length > 0) {
    while (up.length > 0) deliver(false);
    read();
  }
  check();
  const order = server.log.map((action) => action.tag).filter((tag) => tag > 0);
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
    'acts are applied in the order they were meant',
  );
  if (losing) {
    acknowledged.delete(0);
    const lost = [...acknowledged].filter((tag) => !order.includes(tag));
    assert.deepEqual(lost, [], 'nothing stays lost');
  }
  return order.length;
}

function outcome(choices, losing) {
  try {
    return race(choices, losing);
  } catch (error) {
    return error;
  }
}

/** Return the fewest choices that lead to the failure. @param {number[]} choices @param {boolean} losing */
function shrunk(choices, losing) {
  let least = choices;
  for (let size = choices.length >> 1; size > 0; size >>= 1)
    for (let from = 0; from < least.length; ) {
      const fewer = [...least.slice(0, from), ...least.slice(from + size)];
      if (outcome(fewer, losing) instanceof Error) least = fewer;
      else from += size;
    }
  return least;
}

/** Run many races; a failure names its seed and the fewest choices that lead to it. @param {boolean} losing */
function races(losing, runs = RUNS) {
  let applied = 0;
  for (let seed = 1; seed <= runs; seed += 1) {
    const chance = chances(seed);
    const choices = Array.from({ length: CHOICES }, chance);
    const came = outcome(choices, losing);
    if (came instanceof Error) {
      const least = shrunk(choices, losing);
      const why = outcome(least, losing);
      assert.fail(`seed ${seed}, choices ${JSON.stringify(least)}: ${why.stack}`);
    }
    applied += came;
  }
  assert.ok(applied > 10 * runs, `${applied} acts were played`);
}

test('page and server agree over a connection that delays, refuses, repeats, breaks and resumes', () =>
  races(false));

test('acknowledged acts that the store has lost are sent again, in their place', () =>
  races(true, Math.ceil(RUNS / 3)));
