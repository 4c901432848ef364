import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makeHints, pointed } from '../../../web_client/src/board/hints.js';
import { makeAnnouncer } from '../../../web_client/src/core/announcer.js';
import { hintInForce, hintsTaken, NOTHING, reduce } from '../../../web_client/src/core/reducer.js';
import { HINT_OFF, hinted as words } from '../../../web_client/src/strings/en/start.js';
import { example } from '../examples.js';

/** A racer of a room with hints, at the table of the examples. @param {boolean} [hints] */
function racing(hints = true) {
  const joined = example('joined');
  const seat = joined.seat;
  joined.room.state = 'RUNNING';
  joined.room.settings.hints = hints;
  joined.room.seats = [{ ...joined.room.seats[0], seat, state: 'RACING' }];
  const { table } = example('table');
  const messages = [joined, { type: 'table', table: { ...table, seat } }];
  return messages.reduce((state, message) => reduce(state, message), NOTHING);
}

const HINT = { ...example('hinted'), at: 0, hints: 1 };
const ACT = {
  type: /** @type {'@act'} */ ('@act'),
  action: { type: /** @type {'deal'} */ ('deal') },
};
const NO_HINT = { ...example('refused', 'no hint'), code: 'no_hint' };

/** The hints of a page, on which the test decides what is so. @param {any} state */
function page(state) {
  /** @type {any} */
  const seen = { said: 0, told: [], changed: 0, uncovered: [] };
  let now = state;
  const hints = makeHints({
    app: /** @type {any} */ ({
      state: () => now,
      say: () => (seen.said += 1),
      announce: (/** @type {string} */ text) => seen.told.push(text),
    }),
    board: /** @type {any} */ ({
      uncover: (/** @type {string} */ pile, /** @type {number} */ above) =>
        seen.uncovered.push(`${pile} ${above}`),
    }),
    player: /** @type {any} */ ({ table: () => now.play?.shown ?? null }),
    changed: () => (seen.changed += 1),
  });
  /** @param {any[]} messages */
  const hear = (...messages) => {
    now = messages.reduce((before, message) => reduce(before, message), now);
    hints.update(now);
  };
  return { hints, seen, hear };
}

test('a hint holds until something is done', () => {
  const told = reduce(racing(), HINT);
  assert.equal(hintInForce(told), HINT);
  assert.equal(hintInForce(reduce(told, ACT)), null);
  assert.equal(hintInForce(reduce(racing(), { ...HINT, at: 7 })), null);
  assert.equal(hintInForce(racing()), null);
  assert.equal(hintInForce(NOTHING), null);
});

test('the count is the latest that was told, by the hint or by the leaderboard', () => {
  const told = reduce(racing(), { ...HINT, hints: 2 });
  assert.equal(hintsTaken(racing()), 0);
  assert.equal(hintsTaken(told), 2);
  const [line] = example('standings').standings;
  const standings = [{ ...line, seat: told.me?.seat, hints: 3 }];
  assert.equal(hintsTaken(reduce(told, { ...example('standings'), standings })), 3);
});

test('another round knows nothing of the hints of the last', () => {
  const told = reduce(racing(), HINT);
  const { room } = told;
  const next = /** @type {any} */ ({ ...room, v: (room?.v ?? 0) + 1, state: 'LOBBY' });
  assert.equal(reduce(told, { type: 'room', room: next }).hinted, null);
});

test('it points at cards and a place, and says so', () => {
  const { table } = example('table');
  const [pile] = table.piles;
  const piles = [{ ...pile, id: 't8', up: ['TH', '9S', '8S'] }];
  const says = (/** @type {any} */ action) => words({ action, hints: 2 }, piles);
  const move = { type: 'move', from: 't8', count: 2, to: 't3', exception: false };
  assert.deepEqual(pointed(/** @type {any} */ (move), table), { from: 't8', count: 2, to: 't3' });
  assert.equal(says(move), 'Hint 2: move 9♠ 8♠ from column 9 to column 4.');
  assert.deepEqual(pointed({ type: 'deal' }, table), { from: '', count: 0, to: 'stock' });
  assert.equal(says({ type: 'deal' }), 'Hint 2: deal.');
  const suit = { type: /** @type {'remove'} */ ('remove'), from: 't1' };
  assert.deepEqual(pointed(suit, table), { from: 't1', count: 13, to: '' });
  assert.equal(says(suit), 'Hint 2: remove the complete suit of column 2.');
  assert.deepEqual(pointed({ type: 'finish' }, table), { from: '', count: 0, to: '' });
  assert.equal(says({ type: 'finish' }), 'Hint 2: finish, you have won.');
});

test('the status line tells a hint of the table as it is, and no other', () => {
  const announce = makeAnnouncer(
    () => 0,
    () => 0,
  );
  const before = racing();
  assert.match(announce(before, reduce(before, HINT), HINT), /^Hint 1: move .* column 4\.$/);
  const late = { ...HINT, at: 5 };
  assert.equal(
    announce(before, reduce(before, late), late),
    'Hint 1 was for the table as it was before.',
  );
  assert.equal(
    announce(before, reduce(before, NO_HINT), NO_HINT),
    'No move is in sight that helps.',
  );
});

test('one question is open at a time, and an answer is not asked for again', () => {
  const { hints, seen, hear } = page(racing());
  hints.ask();
  hints.ask();
  assert.equal(seen.said, 1);
  assert.equal(hints.marks().hint, null);
  hear(HINT);
  assert.deepEqual(hints.marks().hint, { from: 't8', count: 1, to: 't3' });
  assert.deepEqual(seen.uncovered, ['t8 0']);
  hints.clear();
  assert.equal(hints.marks().hint, null);
  hints.ask();
  assert.equal(seen.said, 1);
  assert.match(seen.told.at(-1), /^Hint 1: /);
  assert.notEqual(hints.marks().hint, null);
  hear(ACT);
  assert.equal(hints.marks().hint, null);
});

test('it is asked for when what was done has been answered', () => {
  const { hints, seen, hear } = page(reduce(racing(), ACT));
  hints.ask();
  hear();
  assert.equal(seen.said, 0);
  hear({ ...example('acted'), id: 1, at: 1 });
  assert.equal(seen.said, 1);
});

test('where nothing better is known of a table it is not asked about again', () => {
  const { hints, seen, hear } = page(racing());
  hints.ask();
  hear(NO_HINT);
  hints.ask();
  assert.deepEqual([seen.said, seen.told], [1, ['No move is in sight that helps.']]);
});

test('who asks again at once is heard a moment later', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 5_000;
  t.mock.method(performance, 'now', () => now);
  const { hints, seen, hear } = page(racing());
  hints.ask();
  hear({ ...NO_HINT, code: 'try_again' });
  hints.ask();
  hear();
  assert.equal(seen.said, 1);
  now += 1_000;
  t.mock.timers.tick(1_000);
  assert.equal(seen.said, 2);
  hints.unbind();
});

test('a question that was lost with its connection can be asked again', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 5_000;
  t.mock.method(performance, 'now', () => now);
  const { hints, seen, hear } = page(racing());
  hints.ask();
  const joined = example('joined');
  const { table } = example('table');
  hear({ type: '@line', line: 'waiting' });
  joined.room.state = 'RUNNING';
  joined.room.settings.hints = true;
  joined.room.v = 99;
  hear(joined, { type: 'table', table: { ...table, seat: joined.seat } });
  now += 1_000;
  hints.ask();
  assert.equal(seen.said, 2);
});

test('a room without hints is not asked', () => {
  const { hints, seen } = page(racing(false));
  hints.ask();
  assert.deepEqual([seen.said, seen.told], [0, [HINT_OFF]]);
  const looking = page(NOTHING);
  looking.hints.ask();
  assert.deepEqual([looking.seen.said, looking.seen.told], [0, []]);
});
