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

const racing = (hints = true) => atTable({}, { hints }).reduce(reduce, NOTHING);

const HINT = { ...example('hinted'), at: 0, hints: 1 };
const ACT = { type: '@act', action: { type: 'deal' } };
const REMOVE = { type: 'remove', from: 't1' };
const NO_HINT = { ...example('refused', 'no hint'), code: 'no_hint' };

test('a hint holds until the next act', () => {
  const hinted = reduce(racing(), HINT);
  assert.equal(hintInForce(hinted), HINT);
  assert.equal(hintInForce(reduce(hinted, ACT)), null);
  const next = { ...hinted.room, v: hinted.room.v + 1, state: 'LOBBY' };
  assert.equal(reduce(hinted, { type: 'room', room: next }).hinted, null);
  assert.equal(hintInForce(reduce(racing(), { ...HINT, at: 7 })), null);
  assert.deepEqual([hintInForce(racing()), hintInForce(NOTHING)], [null, null]);
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
    [{ type: 'deal' }, { from: '', count: 0, to: 'stock' }, 'deal.'],
    [REMOVE, { from: 't1', count: 13, to: '' }, 'remove the complete suit from column 2.'],
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
  const dealt = words({ action: { type: 'deal' }, hints: 2, reason: 'deals' }, piles);
  assert.equal(dealt, 'Hint 2: deal. No better move known.');
});

test('the status line describes a hint only for the present table', () => {
  const announce = makeAnnouncer(newsOfGame);
  const before = racing();
  const said = (message) => announce(before, reduce(before, message), message);
  assert.match(said(HINT), /^Hint 1: move .* column 4\. Turns a card\.$/);
  assert.equal(said({ ...HINT, at: 5 }), 'Hint 1 was for your board before the last move.');
  assert.equal(announce(before, reduce(before, NO_HINT), NO_HINT), 'No better move known.');
});

const MOVE = { type: 'move', from: 't0', count: 1, to: 't1', exception: false };
const DEAL = { type: 'deal' };

const idle = (change, settings) =>
  atTable({ at: 5, legal: [MOVE], stuck: null, ...change }, settings).reduce(reduce, NOTHING);

test('what can still become of a game is asked only where nothing can be dealt, in a game that is on', () => {
  assert.equal(isOpenQuestion(idle()), true);
  for (const state of [
    idle({ legal: [MOVE, DEAL] }),
    idle({ stuck: 'stock_empty' }),
    idle({ outcome: 'won' }),
    { ...idle(), synced: false },
    NOTHING,
    idle({}, { autoplay: undefined }), // an older server
    reduce(idle(), { type: '@act', action: MOVE }),
  ])
    assert.equal(isOpenQuestion(state), false);
});

test('an answer holds until the next act', () => {
  const won = { ...example('assessed'), at: 5 };
  const told = reduce(idle(), won);
  assert.equal(assessedInForce(told), won);
  assert.equal(isOpenQuestion(told), false);
  assert.equal(assessedInForce(reduce(told, { type: '@act', action: MOVE })), null);
  assert.equal(assessedInForce(reduce(idle(), { ...won, at: 4 })), null);
  const room = { ...told.room, v: (told.room?.v ?? 0) + 1, state: 'LOBBY' };
  assert.equal(reduce(told, { type: 'room', room }).assessed, null);
});
