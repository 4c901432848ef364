import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makePlayOut, PACE_MS } from '../../../web_client/src/play/play-out.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { atTable, example } from '../examples.js';

const AT = 7;

const move = (n) => ({ type: 'move', from: `t${n}`, count: 1, to: `t${n + 1}`, exception: false });
const LINE = [move(0), move(2), move(4)];
const LEGAL = [...LINE, { type: 'undo' }];

/** A page with a table of the server, which answers when the test says so. */
function page() {
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
    answer(change = {}) {
      const act = state.play?.inFlight[0];
      const { base } = state.play;
      take({ ...example('acted'), ...base, id: act?.id, at: base.at + 1, piles: [], ...change });
    },
  };
}

test('each act is made when the one before is answered, at an even pace', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { playOut, made, answer } = page();
  playOut.start(LINE, AT);
  assert.deepEqual(made, LINE.slice(0, 1));
  assert.equal(playOut.left(), 2);
  context.mock.timers.tick(10 * PACE_MS);
  assert.equal(made.length, 1, 'it is not answered');
  answer();
  assert.equal(made.length, 1);
  context.mock.timers.tick(PACE_MS);
  assert.equal(made.length, 2);
  answer();
  context.mock.timers.tick(PACE_MS);
  assert.deepEqual(made, LINE);
  assert.equal(playOut.left(), 0);
  answer({ outcome: 'won' });
  context.mock.timers.tick(10 * PACE_MS);
  assert.deepEqual(made, LINE);
});

const ENDS = [
  ['the player stops it', ({ playOut }) => playOut.stop()],
  [
    'the player acts',
    ({ take, answer }) => {
      take({ type: '@act', action: { type: 'undo' } });
      for (let n = 0; n < 2; n += 1) answer();
    },
  ],
  [
    'the act is refused',
    ({ take, state }) => {
      const [{ id }] = state().play.inFlight;
      take({ ...example('refused', 'illegal'), id, code: 'try_again' });
    },
  ],
  [
    'the connection is lost',
    ({ take }) => take({ type: '@connection', connection: 'waiting', code: 1006 }),
  ],
  [
    'the race is over',
    ({ take, state }) => {
      const { room } = state();
      take({ type: 'room', room: { ...room, v: (room?.v ?? 0) + 1, seats: [] } });
    },
  ],
  ['the next act is not legal there', ({ answer }) => answer({ legal: [{ type: 'undo' }] })],
];

for (const [what, happen] of ENDS)
  test(`it ends where it is when ${what}`, (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const one = page();
    one.playOut.start(LINE, AT);
    const before = one.shown();
    happen(one);
    context.mock.timers.tick(10 * PACE_MS);
    assert.equal(one.playOut.left(), 0);
    assert.ok(one.shown() > before, 'the page shows that');
    if (one.state().play?.inFlight.length) one.answer();
    context.mock.timers.tick(10 * PACE_MS);
    assert.equal(one.made.length, 1);
  });

test('a line for another position is not begun', () => {
  const { playOut, made } = page();
  playOut.start(LINE, AT - 1);
  assert.deepEqual([made, playOut.left()], [[], 0]);
});
