import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaveOpen } from '../../../web_client/src/room/choices.js';
import { example } from '../examples.js';

const { settings: SETTINGS } = example('joined').room;
/** @param {string} id @param {string[]} scores @param {string[]} layouts @returns {any} */
const game = (id, scores, layouts) => ({ id, scores, layouts, options: [] });
const SPIDER = game('spider-4', ['woods', 'dos', 'cards'], ['left4', 'spread']);
const SPIDERETTE = game('spiderette-4', ['woods', 'cards'], ['left4']);
const LITTLE = game('little-spider', ['cards'], ['left4']);

/** Return the score and the layout that are sent. @param {any} change @param {string[]} byHand @param {any} [before] @param {any} [now] */
function sent(change, byHand, before = SPIDER, now = SPIDER) {
  const changed = before === now ? 'deal' : 'game';
  const open = leaveOpen({ ...SETTINGS, ...change }, changed, new Set(byHand), before, now);
  return [open.score, open.layout];
}

test('a change of the deal leaves the layout open unless the host has chosen it', () => {
  assert.deepEqual(sent({ layout: 'left4' }, []), ['woods', undefined]);
  assert.deepEqual(sent({ layout: 'left4' }, ['layout']), ['woods', 'left4']);
  assert.deepEqual(sent({ layout: 'spread' }, ['score']), ['woods', undefined]);
});

test('a change of the game brings its usual score and layout unless the host has chosen them', () => {
  assert.deepEqual(sent({ score: 'woods' }, [], SPIDER, LITTLE), [undefined, undefined]);
  assert.deepEqual(sent({ score: 'cards' }, [], LITTLE, SPIDER), [undefined, undefined]);
  assert.deepEqual(sent({ score: 'cards' }, ['score'], SPIDER, SPIDERETTE), ['cards', undefined]);
  const spread = { layout: 'spread' };
  assert.deepEqual(sent(spread, ['layout', 'score'], SPIDERETTE, SPIDER), ['woods', 'spread']);
});

test('values that the new game does not have are left open, chosen or not', () => {
  const dos = { score: 'dos', layout: 'spread' };
  assert.deepEqual(sent(dos, ['score', 'layout'], SPIDER, SPIDERETTE), [undefined, undefined]);
});

test('a score from a preset stays with a new game that has it', () => {
  const two = game('spider-2', SPIDER.scores, SPIDER.layouts);
  assert.deepEqual(sent({ score: 'dos' }, [], SPIDER, two), ['dos', undefined]);
});

test('all other settings are sent', () => {
  const { score: _, layout: __, ...rest } = leaveOpen(SETTINGS, 'deal', new Set(), SPIDER, SPIDER);
  const { score: ___, layout: ____, ...all } = SETTINGS;
  assert.deepEqual(rest, all);
});
