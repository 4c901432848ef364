import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iconSign, pageTitle } from '../../../web_client/src/tab/page-title.js';

const seen = (startsIn, unread = 0) => ({ startsIn, unread, go: 'Go!' });
const NEVER = Number.POSITIVE_INFINITY;

test('the title counts down, calls out the start, and then is as it was', () => {
  assert.equal(pageTitle(seen(2_001)), '3… · Spider Race');
  assert.equal(pageTitle(seen(1, 7)), '1… · Spider Race');
  assert.equal(pageTitle(seen(0)), 'Go! · Spider Race');
  assert.equal(pageTitle(seen(-1_999)), 'Go! · Spider Race');
  assert.equal(pageTitle(seen(-2_000)), 'Spider Race');
  assert.equal(pageTitle(seen(NEVER)), 'Spider Race');
});

test('the title counts unread messages', () => {
  assert.equal(pageTitle(seen(NEVER, 2)), '(2) Spider Race');
  assert.equal(pageTitle(seen(-60_000, 120)), '(99) Spider Race');
});

test('the icon has a sign for the same', () => {
  assert.deepEqual(
    [4_500, 60_000, 0, -5_000].map((ms) => iconSign(seen(ms))),
    ['5', '9', '▶', ''],
  );
  assert.equal(iconSign(seen(NEVER, 1)), '•');
});
