import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefer } from '../../../web_client/src/browser/storage.js';
import { makePlayOut, PACE_MS } from '../../../web_client/src/play/play-out.js';
import * as playerModule from '../../../web_client/src/play/player.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { atTable, example } from '../examples.js';

const { autoMove, deal, dropChangedHand, fittingPiles } = playerModule;
const { grab, makePlayer, pick, undo } = playerModule;

function sitting() {
  const joined = reduce(NOTHING, example('joined', 'first player'));
  let state = [example('room', 'race is on'), example('table')].reduce(reduce, joined);
  const acts = [];
  const app = { state: () => state, act: (action) => acts.push(action), announce() {} };
  const refused = [];
  const refuse = (why) => refused.push(why);
  const clock = { ms: 0 };
  const player = makePlayer(app, { changed() {}, refuse }, () => clock.ms);
  /** Receive the table again, with one pile changed. @param {any} [change] */
  function redraw(change = {}) {
    const table = structuredClone(state.play?.base);
    for (const pile of table?.piles ?? []) if (pile.id === change.id) Object.assign(pile, change);
    state = reduce(state, { type: 'table', table });
    dropChangedHand(player, state.play.shown);
  }
  return { player, acts, refused, redraw, clock };
}

test('an answer between two keys leaves the cards in hand', () => {
  const { player, acts, redraw } = sitting();
  assert.ok(pick(player, 't8', 1));
  redraw();
  assert.deepEqual(player.hand, { pile: 't8', count: 1 });
  pick(player, 't0', 1);
  assert.deepEqual(acts, [{ type: 'move', from: 't8', count: 1, to: 't0', exception: false }]);
});

test('a change of their column takes the cards out of the hand', () => {
  const { player, redraw } = sitting();
  pick(player, 't8', 1);
  redraw({ id: 't3', down: 0, up: ['KS'] });
  assert.notEqual(player.hand, null);
  redraw({ id: 't8', down: 3, up: ['4S'] });
  assert.equal(player.hand, null);
});

test('the refusal of an automatic move names a space only where there is one', () => {
  const { player, refused, redraw } = sitting();
  autoMove(player, { pile: 't2', count: 1 });
  redraw({ id: 't2', down: 0, up: [] });
  autoMove(player, { pile: 't5', count: 1 });
  assert.deepEqual(refused, [strings.PLAY.noPlace, strings.PLAY.onlySpace]);
});

test('cards that fit nowhere have the piles whose cards fit on theirs, unless they are dragged', () => {
  const { player } = sitting();
  pick(player, 't8', 1);
  assert.deepEqual([...fittingPiles(player)], ['t0']);
  pick(player, 't8', 1);
  pick(player, 't2', 1);
  assert.deepEqual([...fittingPiles(player)], ['t5']);
  grab(player, { pile: 't2', count: 1 });
  assert.deepEqual([...fittingPiles(player)], []);
});

test('a deal within half a second of the one before is a repeat, and so is the next that soon', () => {
  const { player, acts, clock } = sitting();
  for (const ms of [0, 300, 520, 1019]) {
    clock.ms = ms;
    deal(player);
  }
  assert.deepEqual(acts, [{ type: 'deal' }]);
  clock.ms = 1519;
  deal(player);
  assert.equal(acts.length, 2);
  deal(player, true); // by F9 and F10, which ask
  assert.equal(acts.length, 3);
});

test('a deal after another act is meant, however soon it comes', () => {
  const { player, acts } = sitting();
  deal(player);
  undo(player);
  deal(player);
  assert.equal(acts.map(({ type }) => type).join(), 'deal,undo,deal');
});

test('a double click deals once where each deal is to be confirmed', () => {
  const { player, acts, clock } = sitting();
  prefer('confirmDeal', true);
  deal(player);
  deal(player);
  clock.ms = 400;
  deal(player);
  assert.equal(player.awaited, null);
  prefer('confirmDeal', false);
  assert.deepEqual(acts, [{ type: 'deal' }]);
});

const AT = 7;

const move = (n) => ({ type: 'move', from: `t${n}`, count: 1, to: `t${n + 1}`, exception: false });
const LINE = [move(0), move(2), move(4)];
const LEGAL = [...LINE, { type: 'undo' }];

/** A page with a table of the server, which answers when the test says so. */
function page({ mock }) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const own = { at: AT, legal: LEGAL, stuck: null, outcome: null };
  let state = atTable(own).reduce(reduce, NOTHING);
  const made = [];
  let shown = 0;
  function take(message) {
    state = reduce(state, message);
    playOut.update(state);
  }
  const playOut = makePlayOut(
    {
      state: () => state,
      act(action) {
        made.push(action);
        take({ type: '@act', action });
      },
    },
    () => (shown += 1),
  );
  return {
    playOut,
    made,
    take,
    state: () => state,
    shown: () => shown,
    pass: (ms) => mock.timers.tick(ms),
    answer(change = {}) {
      const act = state.play?.inFlight[0];
      const { base } = state.play;
      take({ ...example('acted'), ...base, id: act?.id, at: base.at + 1, piles: [], ...change });
    },
  };
}

test('each act is made when the one before is answered, at an even pace', (t) => {
  const { playOut, made, answer, pass } = page(t);
  playOut.start(LINE, AT);
  assert.deepEqual(made, LINE.slice(0, 1));
  assert.equal(playOut.left(), 2);
  pass(10 * PACE_MS);
  assert.equal(made.length, 1, 'it is not answered');
  answer();
  assert.equal(made.length, 1);
  pass(PACE_MS);
  assert.equal(made.length, 2);
  answer();
  pass(PACE_MS);
  assert.deepEqual(made, LINE);
  assert.equal(playOut.left(), 0);
  answer({ outcome: 'won' });
  pass(10 * PACE_MS);
  assert.deepEqual(made, LINE);
});

const ENDS = {
  'the player stops it': ({ playOut }) => playOut.stop(),
  'the player acts': ({ take, answer }) => {
    take({ type: '@act', action: { type: 'undo' } });
    for (let n = 0; n < 2; n += 1) answer();
  },
  'the act is refused': ({ take, state }) => {
    const [{ id }] = state().play.inFlight;
    take({ ...example('refused', 'illegal'), id, code: 'try_again' });
  },
  'the connection is lost': ({ take }) =>
    take({ type: '@connection', connection: 'waiting', code: 1006 }),
  'the race is over': ({ take, state }) => {
    const { room } = state();
    take({ type: 'room', room: { ...room, v: (room?.v ?? 0) + 1, seats: [] } });
  },
  'the next act is not legal there': ({ answer }) => answer({ legal: [{ type: 'undo' }] }),
};

for (const [what, happen] of Object.entries(ENDS))
  test(`it ends where it is when ${what}`, (t) => {
    const one = page(t);
    one.playOut.start(LINE, AT);
    const before = one.shown();
    happen(one);
    one.pass(10 * PACE_MS);
    assert.equal(one.playOut.left(), 0);
    assert.ok(one.shown() > before, 'the page shows that');
    if (one.state().play?.inFlight.length) one.answer();
    one.pass(10 * PACE_MS);
    assert.equal(one.made.length, 1);
  });

test('a line for another position is not begun', (t) => {
  const { playOut, made } = page(t);
  playOut.start(LINE, AT - 1);
  assert.deepEqual([made, playOut.left()], [[], 0]);
});
