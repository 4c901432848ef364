import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import * as outlookModule from '../../../web_client/src/play/outlook.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { atTable, example } from '../examples.js';

const { assessedInForce, isOpenQuestion, makeOutlook, PAUSE_MS } = outlookModule;
const MOVE = { type: 'move', from: 't0', count: 1, to: 't1', exception: false };
const DEAL = { type: 'deal' };

const racing = (change, settings) =>
  atTable({ at: 5, legal: [MOVE], stuck: null, ...change }, settings).reduce(reduce, NOTHING);

/** Return the question of a page whose state the test sets. @param {any} state */
function page(state) {
  let now = state;
  const sent = [];
  const outlook = makeOutlook({ state: () => now, send: (message) => sent.push(message.type) });
  const show = (next) => {
    now = next;
    outlook.update(now);
  };
  show(state);
  return { outlook, sent, show };
}

test('it is asked after a pause, once in a position', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { sent, show } = page(racing());
  context.mock.timers.tick(PAUSE_MS - 1);
  assert.deepEqual(sent, []);
  context.mock.timers.tick(1);
  assert.deepEqual(sent, ['assess']);
  show(racing());
  context.mock.timers.tick(10 * PAUSE_MS);
  assert.deepEqual(sent, ['assess']);
  show(racing({ at: 6 }));
  context.mock.timers.tick(PAUSE_MS);
  assert.deepEqual(sent, ['assess', 'assess']);
});

test('a player who acts is not asked about', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { sent, show } = page(racing());
  for (let at = 6; at < 20; at += 1) {
    context.mock.timers.tick(PAUSE_MS - 100);
    show(racing({ at }));
  }
  assert.deepEqual(sent, []);
});

test('a player who finds no hint is answered at once', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { outlook, sent } = page(racing());
  outlook.ask();
  outlook.ask();
  context.mock.timers.tick(PAUSE_MS);
  assert.deepEqual(sent, ['assess']);
});

test('a lost answer is asked for again', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { sent, show } = page(racing());
  context.mock.timers.tick(PAUSE_MS);
  show({ ...racing(), synced: false });
  show(racing());
  context.mock.timers.tick(PAUSE_MS);
  assert.deepEqual(sent, ['assess', 'assess']);
});

test('it is asked only where nothing can be dealt, in a game that is on', () => {
  assert.equal(isOpenQuestion(racing()), true);
  for (const state of [
    racing({ legal: [MOVE, DEAL] }),
    racing({ stuck: 'stock_empty' }),
    racing({ outcome: 'won' }),
    { ...racing(), synced: false },
    NOTHING,
    racing({}, { autoplay: undefined }), // an older server
    reduce(racing(), { type: '@act', action: MOVE }),
  ])
    assert.equal(isOpenQuestion(state), false);
});

test('an answer holds until the next act', () => {
  const won = { ...example('assessed'), at: 5 };
  const told = reduce(racing(), won);
  assert.equal(assessedInForce(told), won);
  assert.equal(isOpenQuestion(told), false);
  assert.equal(assessedInForce(reduce(told, { type: '@act', action: MOVE })), null);
  assert.equal(assessedInForce(reduce(racing(), { ...won, at: 4 })), null);
  const room = { ...told.room, v: (told.room?.v ?? 0) + 1, state: 'LOBBY' };
  assert.equal(reduce(told, { type: 'room', room }).assessed, null);
});
