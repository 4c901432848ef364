import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as table from '../../web_client/src/table.js';

// A toy game stands for the server's rules: five columns, a card goes on any higher one
// or on an empty column, a face-down card is turned when it is laid free, and there is undo.

const COLUMNS = 5;
const name = (/** @type {number} */ card) => `${'A23456789TJQK'[card % 13]}S`;

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

/** @param {() => number} chance */
function makeServer(chance) {
  /** @type {{down: number[], up: number[]}[]} */
  let columns = Array.from({ length: COLUMNS }, () => ({
    down: [Math.floor(chance() * 13), Math.floor(chance() * 13)],
    up: [Math.floor(chance() * 13)],
  }));
  /** @type {string[]} */
  const history = [];
  let at = 0;
  let lastId = 0;

  const column = (/** @type {string} */ id) => columns[Number(id.slice(1))];
  function legal() {
    const found = [];
    for (let from = 0; from < COLUMNS; from += 1)
      for (let to = 0; to < COLUMNS; to += 1) {
        const card = columns[from]?.up.at(-1);
        const onto = columns[to]?.up.at(-1);
        if (from !== to && card !== undefined && (onto === undefined || onto > card))
          found.push({ type: 'move', from: `t${from}`, count: 1, to: `t${to}`, exception: false });
      }
    if (history.length > 0) found.push({ type: 'undo' });
    return found;
  }
  const piles = () =>
    columns.map(({ down, up }, i) => ({ id: `t${i}`, down: down.length, up: up.map(name) }));
  const counts = /** @type {any} */ ({ suits: 0 });
  const view = () => ({
    at,
    last_id: lastId,
    piles: piles(),
    legal: legal(),
    score: 0,
    counts,
    elapsed_ms: 0,
    outcome: null,
    stuck: null,
  });
  const refused = (/** @type {any} */ act, /** @type {string} */ code, more = {}) => ({
    type: 'refused',
    command: 'act',
    code,
    details: { cards: [], piles: [], fields: [] },
    id: act.id,
    at,
    table: null,
    ...more,
  });

  return {
    view,
    applied: () => at,
    /** @param {any} act */
    hear(act) {
      if (act.id <= lastId) {
        return { type: 'acted', id: act.id, ...view() }; // a repeated act: all of it
      }
      if (act.at !== at) return refused(act, 'stale', { table: view() });
      const { action } = act;
      const allowed = legal().some(
        (each) => each.type === action.type && each.from === action.from && each.to === action.to,
      );
      if (!allowed) return refused(act, 'wrong_rank');
      const before = piles();
      if (action.type === 'undo') columns = JSON.parse(history.pop() ?? '[]');
      else {
        history.push(JSON.stringify(columns));
        const source = column(action.from);
        const card = source?.up.pop();
        if (source && source.up.length === 0 && source.down.length > 0)
          source.up.push(source.down.pop() ?? 0);
        if (card !== undefined) column(action.to)?.up.push(card);
      }
      at += 1;
      lastId = act.id;
      const changed = piles().filter(
        (pile, i) => JSON.stringify(pile) !== JSON.stringify(before[i]),
      );
      return { type: 'acted', id: act.id, ...view(), piles: changed };
    },
    /** The store was away for a moment. @param {any} act */
    fail: (act) => refused(act, 'try_again'),
  };
}

/** One race over a line that delays, refuses and breaks. @param {number} seed */
function race(seed) {
  const chance = chances(seed);
  const server = makeServer(chance);
  let play = table.start(/** @type {any} */ (server.view()));
  /** @type {any[]} */
  let up = [];
  /** @type {any[]} */
  let down = [];
  let sentUpTo = 0;
  let synced = true;
  let lastId = 0;

  function send() {
    if (!synced) return;
    for (const act of play.flying) {
      if (act.id <= sentUpTo) continue;
      sentUpTo = act.id;
      up.push(structuredClone(act));
    }
  }
  /** What the player sees must be what the server will say. @param {any} message */
  function foretold(message) {
    const act = play.flying[0];
    if (!act?.shown || act.id !== message.id || message.type !== 'acted') return;
    for (const id of [act.action.from, act.action.to]) {
      const later = play.flying
        .slice(1)
        .some((each) => [each.action.from, each.action.to].includes(id));
      const seen = play.shown.piles.find((pile) => pile.id === id);
      const told = message.piles.find((/** @type {any} */ pile) => pile.id === id);
      if (later || !told || !seen) continue;
      const turned = told.down < seen.down ? 1 : 0;
      assert.deepEqual(seen.up, told.up.slice(turned), `${seed}: ${id} was shown wrong`);
    }
  }
  /** @param {any} message */
  function hear(message) {
    if (message.type === 'acted') {
      foretold(message);
      play = table.acted(play, message);
    } else if (message.type === 'refused') {
      const act = play.flying.find((each) => each.id === message.id);
      if (act?.shown)
        assert.equal(message.code, 'try_again', 'the rules never refuse what is shown');
      play = table.refused(play, message);
    } else {
      play = table.snapshot(play, message.table);
      synced = true;
    }
  }
  function step(busy = true) {
    const what = chance();
    if (busy && what < 0.35) {
      const listed = play.shown.legal[Math.floor(chance() * play.shown.legal.length)];
      const wild = {
        type: 'move',
        from: `t${Math.floor(chance() * 5)}`,
        count: 1,
        to: `t${Math.floor(chance() * 5)}`,
      };
      play = table.attempt(play, /** @type {any} */ (chance() < 0.8 && listed ? listed : wild));
    } else if (what < 0.65) {
      const act = up.shift();
      if (act) down.push(busy && chance() < 0.05 ? server.fail(act) : server.hear(act));
    } else if (busy && what > 0.98) {
      up = []; // the line breaks: what was on its way is lost, either way
      down = [{ type: 'table', table: server.view() }];
      sentUpTo = 0;
      synced = false;
    } else {
      const message = down.shift();
      if (message) hear(message);
    }
    send();
    const ids = play.flying.map((act) => act.id);
    assert.ok(ids.length <= table.MOST_FLYING);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(play.nextId > lastId || play.nextId === lastId || lastId === 0);
    assert.ok(play.nextId >= lastId, 'no id is used twice');
    lastId = play.nextId;
    assert.ok(play.waiting.length <= table.MOST_WAITING);
  }

  for (let i = 0; i < 400; i += 1) step();
  for (let i = 0; i < 4_000 && (play.flying.length > 0 || up.length > 0 || down.length > 0); i += 1)
    step(false);
  assert.deepEqual(play.flying, [], `${seed}: all is answered in the end`);
  assert.deepEqual(play.waiting, []);
  const { piles, at } = /** @type {any} */ (server.view());
  assert.equal(play.base.at, at);
  assert.deepEqual(play.base.piles, piles, `${seed}: client and server agree in the end`);
  assert.equal(play.shown, play.base);
  return server.applied();
}

test('over a line that delays, refuses and breaks, nothing wrong is shown and all agree', () => {
  let applied = 0;
  for (let seed = 1; seed <= 400; seed += 1) applied += race(seed);
  assert.ok(applied > 10_000, `${applied} acts were played`);
});

/** @param {string} text e.g. `t0x1-t1` @returns {any} */
function move(text) {
  const [, from, count, to] = /(\w+)x(\d+)-(\w+)/.exec(text) ?? [];
  return { type: 'move', from, count: Number(count), to, exception: false };
}

/** @param {...string} legal @returns {any} */
const view = (...legal) => ({
  at: 7,
  last_id: 3,
  piles: ['9S 8S', 'TS', '5H', '6H', ''].map((cards, i) => ({
    id: `t${i}`,
    down: 1,
    up: cards ? cards.split(' ') : [],
  })),
  legal: [...legal.map(move), { type: 'deal' }],
});

test('legal moves on piles of their own fly together', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  assert.deepEqual(
    play.flying.map(({ id, at, shown }) => ({ id, at, shown })),
    [
      { id: 4, at: 7, shown: true },
      { id: 5, at: 8, shown: true },
    ],
  );
  assert.deepEqual(play.shown.piles[1]?.up, ['TS', '9S', '8S']);
  assert.deepEqual(play.shown.piles[0]?.up, [], 'a card that will turn stays a back');
});

test('a move on top of a move waits for its turn', () => {
  let play = table.start(view('t2x1-t3', 't3x1-t4'));
  play = table.attempt(table.attempt(play, move('t2x1-t3')), move('t3x2-t4'));
  assert.equal(play.flying.length, 1);
  assert.equal(play.waiting.length, 1);
});

test('a deal is not guessed at, and nothing passes it', () => {
  let play = table.start(view('t2x1-t3'));
  play = table.attempt(table.attempt(play, { type: 'deal' }), move('t2x1-t3'));
  assert.deepEqual(
    play.flying.map((act) => act.shown),
    [false],
  );
  assert.equal(play.shown, play.base);
});

test('what waited behind an attempt survives its refusal', () => {
  let play = table.start(view('t2x1-t3'));
  play = table.attempt(table.attempt(play, move('t2x1-t0')), move('t2x1-t3'));
  const id = play.flying[0]?.id ?? 0;
  play = table.refused(play, /** @type {any} */ ({ id, table: null }));
  assert.deepEqual(
    play.flying.map((act) => act.shown),
    [true],
  );
});

test('a lost connection loses no act: what the server has is done, the rest goes again', () => {
  let play = table.start(view('t0x2-t1', 't2x1-t3'));
  play = table.attempt(table.attempt(play, move('t0x2-t1')), move('t2x1-t3'));
  const known = { ...view('t2x1-t3'), at: 8, last_id: 4 };
  play = table.snapshot(play, known);
  assert.deepEqual(
    play.flying.map((act) => act.id),
    [5],
  );
  assert.equal(play.nextId, 6);
});

test('more than can wait is dropped', () => {
  let play = table.start(view());
  for (let i = 0; i < 40; i += 1) play = table.attempt(play, { type: 'deal' });
  assert.equal(play.waiting.length, table.MOST_WAITING);
});
