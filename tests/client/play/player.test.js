import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fittingPiles, grab, makePlayer, pick } from '../../../web_client/src/play/player.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import { atTable } from '../examples.js';

test('cards that fit nowhere have the piles whose cards fit on theirs, unless they are dragged', () => {
  const state = atTable({}).reduce(reduce, NOTHING);
  const player = makePlayer({ state: () => state, announce() {} }, { changed() {} }, () => 0);
  pick(player, 't8', 1);
  assert.deepEqual([...fittingPiles(player)], ['t0']);
  pick(player, 't8', 1);
  pick(player, 't2', 1);
  assert.deepEqual([...fittingPiles(player)], ['t5']);
  grab(player, { pile: 't2', count: 1 });
  assert.deepEqual([...fittingPiles(player)], []);
});
