import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAnnouncer } from '../../../web_client/src/page/announcer.js';
import { newsOfGame } from '../../../web_client/src/play/answers.js';
import { assessedInForce, hintMarks, isOpenQuestion } from '../../../web_client/src/play/hints.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { hintInForce, hintsTaken, NOTHING } from '../../../web_client/src/state/state.js';
import { hinted as words } from '../../../web_client/src/strings/en/race.js';
import { atTable, example } from '../examples.js';

const MOVE = { type: 'move', from: 't0', count: 1, to: 't1', exception: false };
const DEAL = { type: 'deal' };

/** Return a game at its fifth act. @param {any} [change] of the table @param {any} [settings] */
const racing = (change, settings) =>
  atTable({ at: 5, legal: [MOVE], stuck: null, ...change }, settings).reduce(reduce, NOTHING);

const HINT = { ...example('hinted'), at: 5, hints: 1 };
const WON = { ...example('assessed'), at: 5 };

test('a hint, and what is known about the rest, hold until the next act', () => {
  for (const [name, message, inForce] of [
    ['hinted', HINT, hintInForce],
    ['assessed', WON, assessedInForce],
  ]) {
    const told = reduce(racing(), message);
    assert.equal(inForce(told), message);
    const lobby = { ...told.room, v: told.room.v + 1, state: 'LOBBY' };
    assert.equal(reduce(told, { type: 'room', room: lobby })[name], null);
    for (const state of [
      reduce(told, { type: '@act', action: MOVE }),
      reduce(racing(), { ...message, at: 4 }),
      racing(),
      NOTHING,
    ])
      assert.equal(inForce(state), null);
  }
});

test('the count of hints is the larger one of hint and leaderboard', () => {
  const hinted = reduce(racing(), { ...HINT, hints: 2 });
  assert.deepEqual([hintsTaken(racing()), hintsTaken(hinted)], [0, 2]);
  const [line] = example('standings').standings;
  const standings = [{ ...line, seat: hinted.me?.seat, hints: 3 }];
  assert.equal(hintsTaken(reduce(hinted, { ...example('standings'), standings })), 3);
});

test('a hint marks cards and a place, and says what its move changes', () => {
  const { table } = example('table');
  const [pile] = table.piles;
  const piles = [
    { ...pile, id: 't8', up: ['TH', '8S', '7S'] },
    { ...pile, id: 't3', up: ['4D', 'TS', '9S'] },
  ];
  const move = { type: 'move', from: 't8', count: 2, to: 't3', exception: false };
  for (const [action, marks, sentence] of [
    [move, { from: 't8', count: 2, to: 't3' }, 'move 8♠ 7♠ from column 9 to column 4.'],
    [DEAL, { from: '', count: 0, to: 'stock' }, 'deal.'],
    [
      { type: 'remove', from: 't1' },
      { from: 't1', count: 13, to: '' },
      'remove the complete suit from column 2.',
    ],
    [{ type: 'finish' }, { from: '', count: 0, to: '' }, 'finish, you’ve won.'],
  ]) {
    assert.deepEqual(hintMarks(action, table), marks);
    assert.equal(words({ action, hints: 2 }, piles), `Hint 2: ${sentence}`);
  }
  const start = words({ action: move, hints: 2 }, piles);
  for (const [reason, why] of [
    ['turns_card', ' Turns a card.'],
    ['joins_suit', ' Joins 10–7 in spades.'],
    ['empties_column', ' Empties column 9.'],
    ['frees_card', ' Frees 10♥.'],
    ['fills_column', ' Fills column 4.'],
    ['completes_suit', ' Completes spades.'],
    ['uncovers_next', ' Gets closer to the next cards that go home.'],
    ['of_a_newer_server', ''],
    [null, ''],
  ])
    assert.equal(words({ action: move, hints: 2, reason }, piles), start + why);
  const dealt = words({ action: DEAL, hints: 2, reason: 'deals' }, piles);
  assert.equal(dealt, 'Hint 2: deal. No better move known.');
});

test('the status line describes a hint only for the present table', () => {
  const announce = makeAnnouncer(newsOfGame);
  const before = racing();
  const said = (message) => announce(before, reduce(before, message), message);
  assert.match(said(HINT), /^Hint 1: move .* column 4\. Turns a card\.$/);
  assert.equal(said({ ...HINT, at: 4 }), 'Hint 1 was for your board before the last move.');
  const none = { ...example('refused', 'no hint'), code: 'no_hint' };
  assert.equal(said(none), 'No better move known.');
});

test('what can still become of a game is asked only where nothing can be dealt, in a game that is on', () => {
  assert.equal(isOpenQuestion(racing()), true);
  for (const state of [
    racing({ legal: [MOVE, DEAL] }),
    racing({ stuck: 'stock_empty' }),
    racing({ outcome: 'won' }),
    { ...racing(), synced: false },
    NOTHING,
    racing({}, { autoplay: undefined }), // an older server
    reduce(racing(), { type: '@act', action: MOVE }),
    reduce(racing(), WON),
  ])
    assert.equal(isOpenQuestion(state), false);
});
