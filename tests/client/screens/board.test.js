// What a drawing of the board writes: nothing for an equal table, and little for a move.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindBoard, drawBoard, markBoard } from '../../../web_client/src/board/board.js';
import { readTable } from '../../../web_client/src/contract/notation.js';
import { table } from '../examples.js';
import { openPage } from '../page.js';

const RUN = 'KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS';
const LONG = `[5] KH 8D 3C 8D 3C 8D 3C 8D 3C ${RUN}`; // it folds
const BEFORE = ['[2] TS 9S', '[1] JS', LONG, '', 'QS', '[3] 4H 3S', 'KS', '2S', '[1] 8H', '5S'];
const AFTER = BEFORE.with(0, '[1] 2H').with(1, '[1] JS TS 9S');
const view = (piles) => readTable(table({ piles: [...piles, '[20]', RUN] }));
const marks = () => ({
  ...{ hand: null, cursor: null, hint: null, found: '' },
  ...{ fitting: new Set(['t1']), complete: new Set(), movable: new Map() },
});

test('an equal table writes nothing, and a move only its cards and its two piles', async () => {
  const page = await openPage('/', { stored: { keys: 'classic' } });
  const root = page.document.createElement('div');
  page.document.body.append(root);
  const board = bindBoard(root);
  const observer = new page.window.MutationObserver(() => {});
  const all = { attributes: true, characterData: true, childList: true, subtree: true };
  observer.observe(root, all);
  /** Return what a drawing writes; `keyed` writes the key of each badge. */
  const written = (piles, again = false) => {
    drawBoard(board, view(piles), true, again);
    markBoard(board, marks());
    return observer.takeRecords();
  };
  assert.ok(written(BEFORE).length > 100);
  assert.equal(root.querySelectorAll('[data-fold=run], [data-count-of]').length, 6);
  for (const again of [false, true]) assert.deepEqual(written(BEFORE, again), []);
  const records = written(AFTER);
  const places = records.map(({ target: { dataset } }) =>
    dataset.in ? `${dataset.in} ${dataset.index}` : (dataset.pile ?? dataset.countOf),
  );
  // The card that was the last one of its pile loses its mark.
  assert.deepEqual([...new Set(places)], ['t0', 't1', 't0 1', 't1 2', 't1 3', 't1 1']);
  assert.ok(records.length < 20, `${records.length}`);
  board.unbind();
});
