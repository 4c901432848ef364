// Fast play over a bad line: whatever is delayed, refused, repeated, lost or resumed, the page
// shows the server's table in the end, in the order in which the player meant it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING, reduce } from '../../../web_client/src/core/reducer.js';
import { makeSender } from '../../../web_client/src/core/sender.js';
import { MOST_FLYING, MOST_WAITING } from '../../../web_client/src/core/table.js';
import { example } from '../examples.js';
import { makeServer } from '../model.js';

const RUNS = Number(process.env.RUNS ?? 150);
const CHOICES = 1_000;
const BLANK = example('table').table;
const JOINED = example('joined', 'first player');
const BACK = example('joined', 'came back');
const RACE = example('room', 'race is on');

/** A stream of chances. @param {number} seed */
function chances(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What is compared of a table: all that the server says. @param {any} table */
const told = ({ at, piles, legal, score, counts, elapsed_ms }) =>
  JSON.stringify({ at, piles, legal, score, counts, elapsed_ms });

/**
 * One race, which is nothing but its choices: the same ones make the same race.
 *
 * @param {readonly number[]} choices each 0 to 1; after the last one everything comes to rest
 * @param {boolean} losing whether the server's store may fail over to an older copy
 */
function race(choices, losing) {
  let next = 0;
  const choice = (/** @type {number} */ below) => Math.floor((choices[next++] ?? 0) * below);
  const fives = choice(2) ? 1 : 6; // on many columns many moves can be on their way at once
  const server = makeServer(choice, BLANK, fives);
  /** @type {Set<string>} what the server's table ever was */
  const tables = new Set();
  /** @type {Set<number>} acts that were acknowledged */
  const acknowledged = new Set();
  /** @type {any[]} */
  let up = [];
  /** @type {any[]} */
  let down = [];
  /** @type {any[]} answers of this connection, which may come again */
  let said = [];
  let answers = 0;
  let meant = 0;
  /** @type {unknown} */
  let checked = null;
  /** @type {Map<number, number>} the id under which each act was sent */
  const idOf = new Map();
  /** @type {Map<number, number>} */
  const actOf = new Map();
  const sender = makeSender((message) => {
    const act = /** @type {any} */ (message);
    const { tag } = act.action;
    if (!losing) assert.equal(idOf.get(tag) ?? act.id, act.id, 'an act is sent under one id');
    assert.equal(actOf.get(act.id) ?? tag, tag, 'an id is of one act');
    idOf.set(tag, act.id);
    actOf.set(act.id, tag);
    up.push(structuredClone(act));
    return true;
  });
  let state = reduce(NOTHING, JOINED);
  note();
  hear(RACE);
  hear({ type: 'table', table: server.table() });

  /** @param {any} message */
  function hear(message) {
    if (message.type === 'acted') acknowledged.add(actOf.get(message.id) ?? 0);
    state = reduce(state, message);
    sender.send(state);
    const play = state.play;
    if (!play) return;
    assert.ok(play.flying.length <= MOST_FLYING && play.waiting.length <= MOST_WAITING);
    if (play.base === checked) return;
    checked = play.base;
    assert.ok(tables.has(told(play.base)), 'the base is a table that the server had');
  }

  function note() {
    tables.add(told(server.table()));
  }

  /** What a player does who looks at the table, and now and then something wild. */
  function act() {
    const play = /** @type {any} */ (state.play);
    const busy = [...play.flying.map((/** @type {any} */ { action }) => action), ...play.waiting];
    const touched = new Set(busy.flatMap(({ from, to }) => [from, to]));
    const { legal } = play.shown;
    const free = legal.filter(
      (/** @type {any} */ { from, to }) => !touched.has(from) && !touched.has(to),
    );
    const among = choice(4) && free.length > 0 ? free : legal;
    const wild = {
      type: 'move',
      from: `t${choice(5 * fives)}`,
      count: 1 + choice(2),
      to: `t${choice(5 * fives)}`,
    };
    meant += 1;
    const action = choice(10) ? among[choice(among.length)] : wild;
    hear({ type: '@act', action: { ...action, tag: meant } });
  }

  /** The server hears the next act. @param {boolean} busy */
  function deliver(busy) {
    const next = up.shift();
    if (!next) return;
    assert.ok(up.length + 1 + answers <= MOST_FLYING, 'no more are on their way than may be');
    const fails = busy && !server.troubled() && choice(24) === 0;
    const answer = fails ? server.fail(next, !losing && choice(2) > 0) : server.hear(next);
    note();
    down.push(answer);
    said.push(answer);
    answers += 1;
  }

  function read() {
    const message = down.shift();
    if (!message) return;
    if (message.type !== 'table' && !message.again) answers -= 1;
    hear(message);
  }

  function breakLine() {
    for (let heard = choice(up.length + 1); heard > 0; heard -= 1) {
      server.hear(up.shift());
      note();
    }
    up = [];
    down = [];
    said = [];
    answers = 0;
    sender.restart();
    hear({ type: '@line', line: 'waiting', code: 4004 });
  }

  function forget() {
    server.forget(1 + choice(12));
    said = []; // what is lost is not answered again
  }

  /** Another tab of the same player has had the seat in between. */
  function elsewhere() {
    const { legal, at } = server.table();
    server.hear({
      id: server.lastId() + 1,
      at,
      action: { ...legal[choice(legal.length)], tag: -1 },
    });
    note();
  }

  function resume() {
    server.resume();
    if (!losing && choice(4) === 0) elsewhere();
    hear({ ...BACK, seat: BLANK.seat });
    down.push({ type: 'table', table: server.table() });
  }

  function step() {
    const cut = state.line === 'waiting';
    const what = choice(100);
    if (cut && what < 30) resume();
    else if (cut && what >= 60)
      act(); // played on without a line
    else if (what < 6 && server.troubled()) down.push(server.recover());
    else if (what < 42) deliver(true);
    else if (what < 78) read();
    else if (what < 91) act();
    else if (what < 94) for (let i = 0; i < 12; i += 1) act();
    else if (what < 97 && said.length > 0)
      down.push({ ...structuredClone(said[choice(said.length)]), again: true });
    else if (what < 98 && losing) forget();
    else if (what < 99) down.push(server.recover());
    else breakLine();
  }

  /** Nothing is on its way: the page must show what the server has. */
  function check() {
    if (up.length + down.length > 0 || !state.synced || server.troubled()) return;
    const play = state.play;
    assert.deepEqual([play?.flying, play?.waiting], [[], []], 'all is answered');
    assert.equal(play?.base.at, server.log.length, 'page and server agree');
    assert.equal(play?.shown, play?.base, 'nothing else is shown');
  }

  while (next < choices.length) {
    step();
    check();
  }
  if (state.line === 'waiting') resume();
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

/** @param {readonly number[]} choices @param {boolean} losing @returns {number | Error} */
function outcome(choices, losing) {
  try {
    return race(choices, losing);
  } catch (error) {
    return /** @type {Error} */ (error);
  }
}

/** Leaves out what the failure does not need. @param {number[]} choices @param {boolean} losing */
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

/** Many races; a failure is told by its seed and the fewest choices that lead to it. @param {boolean} losing */
function races(losing, runs = RUNS) {
  let applied = 0;
  for (let seed = 1; seed <= runs; seed += 1) {
    const chance = chances(seed);
    const choices = Array.from({ length: CHOICES }, chance);
    const came = outcome(choices, losing);
    if (came instanceof Error) {
      const least = shrunk(choices, losing);
      const why = /** @type {Error} */ (outcome(least, losing));
      assert.fail(`seed ${seed}, choices ${JSON.stringify(least)}: ${why.stack}`);
    }
    applied += came;
  }
  assert.ok(applied > 10 * runs, `${applied} acts were played`);
}

test('over a line that delays, refuses, repeats, breaks and resumes, page and server agree', () =>
  races(false));

test('what was acknowledged and is lost by the store is given back, in its place', () =>
  races(true, Math.ceil(RUNS / 3)));
