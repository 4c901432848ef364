// Fast play over a bad connection: acts and answers are delayed, refused, repeated, lost and resumed. In the end the
// page shows the server's table, with the acts in the player's order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendActs } from '../../../web_client/src/connection/socket.js';
import { formatAction } from '../../../web_client/src/contract/notation.js';
import { MAX_IN_FLIGHT } from '../../../web_client/src/contract/protocol.js';
import { MAX_QUEUED } from '../../../web_client/src/game/table.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { example } from '../examples.js';

const RUNS = Number(process.env.RUNS ?? 40);
const STEPS = 300;
const BLANK = example('table').table;
const JOINED = example('joined', 'first player');
const BACK = example('joined', 'came back');
const RACE = example('room', 'race is on');

const RANKS = '5432A';
const move = (from, to) => ({ type: 'move', from: `t${from}`, count: 1, to: `t${to}` });
const isFit = (card, onto) =>
  card && (!onto || RANKS.indexOf(card[0]) === (RANKS.indexOf(onto[0]) + 1) % RANKS.length);

/** Return the columns after an act: a move, or a deal, which puts them in another order. @param {any} columns @param {any} action */
function columnsAfter(columns, { type, from, to }) {
  const next = structuredClone(columns);
  if (type === 'deal') next.unshift(next.pop());
  else next[Number(to.slice(1))].up.push(next[Number(from.slice(1))].up.pop());
  for (const { down, up } of next) if (up.length === 0) up.push(...down.splice(-1));
  return next;
}

/**
 * A server that keeps the promises of the protocol: acts are answered in order, exactly once each; a
 * repeated id is applied once; after a failure the whole table is sent. Its game has single cards,
 * which go on the next higher rank, on an ace or into a space, and any number of deals.
 *
 * @param {(below: number) => number} choice a whole number from 0 to below `below`
 * @param {number} width the number of columns
 */
function makeServer(choice, width) {
  const cards = (n) => Array.from({ length: n }, () => RANKS[choice(5)] + 'SH'[choice(2)]);
  const columns = Array.from({ length: width }, () => ({ down: cards(2), up: cards(1) }));
  let now = { columns, lastId: 0 };
  /** @type {any[]} the applied actions, each with the table before it */
  const [log, saved] = [[], []];
  let trouble = false;
  /** All tables so far. */
  const tables = new Set();

  const piles = () =>
    now.columns.map(({ down, up }, i) => ({ id: `t${i}`, down: down.length, up }));
  function legal() {
    const tops = now.columns.map(({ up }) => up.at(-1));
    const moves = tops.flatMap((card, from) =>
      tops.flatMap((onto, to) => (from !== to && isFit(card, onto) ? move(from, to) : [])),
    );
    return [...moves, { type: 'deal' }];
  }
  function figures() {
    const { length: at } = log;
    const counts = { ...BLANK.counts, moves: at };
    return { at, score: -at, legal: legal(), elapsed_ms: at, counts, outcome: null, stuck: null };
  }
  const table = () => ({ ...BLANK, ...figures(), last_id: now.lastId, piles: piles() });
  const acted = (id, changed) => ({ type: 'acted', id, ...figures(), piles: changed });
  function refused({ id }, code, whole = null) {
    const { length: at } = log;
    return { type: 'refused', command: 'act', code, details: {}, id, at, table: whole };
  }

  function apply({ id, action }) {
    saved[log.length] = now;
    const before = piles().map((pile) => JSON.stringify(pile));
    now = { columns: columnsAfter(now.columns, action), lastId: id };
    log.push(action);
    tables.add(visible(table()));
    const changed = piles().filter((pile, i) => JSON.stringify(pile) !== before[i]);
    return acted(id, changed);
  }

  /** Return the answer to an id that was used before. @param {any} act */
  function again(act) {
    const stands = JSON.stringify(log[act.at]) === JSON.stringify(act.action);
    return stands ? acted(act.id, piles()) : refused(act, 'stale', table());
  }

  function judge(act) {
    if (act.id <= now.lastId) return again(act);
    if (act.at !== log.length) return refused(act, 'stale', table());
    const isLegal = legal().some((each) => formatAction(each) === formatAction(act.action));
    return isLegal ? apply(act) : refused(act, 'wrong_rank');
  }

  tables.add(visible(table()));
  return {
    log,
    table,
    tables,
    troubled: () => trouble,
    receive: (act) => structuredClone(trouble ? refused(act, 'try_again') : judge(act)),
    /** Lose the store, whose last act may be stored or not. @param {any} act @param {boolean} stored */
    fail(act, stored) {
      if (stored) judge(act);
      trouble = true;
      return refused(act, 'try_again');
    },
    /** Fail over to a copy of the store that lacks the latest acknowledged acts. @param {number} acts */
    forget(acts) {
      const at = Math.max(0, log.length - acts);
      if (!saved[at]) return;
      log.length = at;
      now = saved[at];
      trouble = true;
    },
    /** Read everything again from the store that is back, and return the table. */
    recover() {
      trouble = false;
      return { type: 'table', table: table() };
    },
  };
}

/** Return the part of a table that is compared: the server decides it. @param {any} table */
const visible = ({ at, piles, legal, score, counts, elapsed_ms }) =>
  JSON.stringify({ at, piles, legal, score, counts, elapsed_ms });

/**
 * Run one race, and return the number of its acts.
 *
 * @param {number} seed
 * @param {boolean} losing whether the server's store may fail over to an older copy
 */
function race(seed, losing) {
  let random = (seed * 1_000_003) % 2_147_483_647;
  const choice = (below) => {
    random = (random * 48_271) % 2_147_483_647;
    return random % below;
  };
  const width = choice(2) ? 5 : 30; // many columns allow many moves in flight
  const server = makeServer(choice, width);
  const acknowledged = new Set();
  let [up, down] = [[], []];
  /** The answers on this connection; they may come again. */
  let answered = [];
  let answers = 0;
  let meant = 0;
  let checked = null;
  const [idOf, actOf] = [new Map(), new Map()];
  let sentUpTo = 0;
  const sendAct = (sent) => {
    const { tag } = sent.action;
    if (!losing) assert.equal(idOf.get(tag) ?? sent.id, sent.id, 'an act is sent under one id');
    assert.equal(actOf.get(sent.id) ?? tag, tag, 'an id is of one act');
    idOf.set(tag, sent.id);
    actOf.set(sent.id, tag);
    up.push(structuredClone(sent));
    return true;
  };
  let state = reduce(NOTHING, JOINED);
  for (const message of [RACE, server.recover()]) receive(message);

  function receive(message) {
    if (message.type === 'acted') acknowledged.add(actOf.get(message.id) ?? 0);
    state = reduce(state, message);
    sentUpTo = sendActs(state, sentUpTo, sendAct);
    const { play } = state;
    if (!play) return;
    assert.ok(play.inFlight.length <= MAX_IN_FLIGHT && play.queued.length <= MAX_QUEUED);
    if (play.base === checked) return;
    checked = play.base;
    assert.ok(server.tables.has(visible(play.base)), 'the base is a table that the server had');
  }

  /** Make a move that the table allows, and now and then a wild one. */
  function act() {
    const { inFlight, queued, shown } = state.play;
    const busy = [...inFlight.map((each) => each.action), ...queued];
    const touched = new Set(busy.flatMap(({ from, to }) => [from, to]));
    const moves = shown.legal.filter(({ type }) => type === 'move');
    const free = moves.filter(({ from, to }) => !touched.has(from) && !touched.has(to));
    const among = choice(4) && free.length > 0 ? free : shown.legal;
    const wild = { ...move(choice(width), choice(width)), count: 1 + choice(2) };
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
    for (const sent of up.slice(0, choice(up.length + 1))) server.receive(sent);
    [up, down, answered, answers] = [[], [], [], 0];
    sentUpTo = 0;
    receive({ type: '@connection', connection: 'waiting', code: 4004 });
  }

  function resume() {
    const { legal, at, last_id } = server.recover().table;
    if (!losing && choice(4) === 0) {
      // Another tab of the player has used the seat in between.
      const action = { ...legal[choice(legal.length)], tag: -1 };
      server.receive({ id: last_id + 1, at, action });
    }
    receive({ ...BACK, seat: BLANK.seat });
    down.push(server.recover());
  }

  function step() {
    const isCut = state.connection === 'waiting';
    const what = choice(100);
    if (isCut && what < 30) resume();
    else if (isCut && what >= 60) act();
    else if (what < 6 && server.troubled()) down.push(server.recover());
    else if (what < 42) deliver(true);
    else if (what < 78) read();
    else if (what < 91) act();
    else if (what < 94) for (let i = 0; i < 12; i += 1) act();
    else if (what < 97 && answered.length > 0)
      down.push({ ...structuredClone(answered[choice(answered.length)]), again: true });
    else if (what < 98 && losing) {
      server.forget(1 + choice(12));
      answered = []; // lost acts are not answered again
    } else if (what < 99) down.push(server.recover());
    else disconnect();
  }

  /** Compare page and server when nothing is in flight. */
  function check() {
    if (up.length + down.length > 0 || !state.synced || server.troubled()) return;
    const { inFlight, queued, base, shown } = state.play;
    assert.deepEqual([inFlight, queued], [[], []], 'all is answered');
    assert.equal(base.at, server.log.length, 'page and server agree');
    assert.equal(shown, base, 'nothing else is shown');
  }

  for (let n = 0; n < STEPS; n += 1) {
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
  const order = server.log.map(({ tag }) => tag).filter((tag) => tag > 0);
  const sorted = order.toSorted((a, b) => a - b);
  assert.deepEqual(order, sorted, 'acts are applied in the order they were meant');
  if (losing) {
    const lost = [...acknowledged].filter((tag) => tag && !order.includes(tag));
    assert.deepEqual(lost, [], 'nothing stays lost');
  }
  return order.length;
}

for (const [title, losing, runs] of [
  ['over a connection that delays, refuses, repeats, breaks and resumes', false, RUNS],
  ['with a store that loses acknowledged acts, which are sent again', true, RUNS / 3],
])
  test(`page and server agree ${title}`, () => {
    let applied = 0;
    for (let seed = 1; seed <= runs; seed += 1)
      try {
        applied += race(seed, losing);
      } catch (error) {
        assert.fail(`seed ${seed}: ${error.stack}`);
      }
    assert.ok(applied > 10 * runs, `${applied} acts were played`);
  });
