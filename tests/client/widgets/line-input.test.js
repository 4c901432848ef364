import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstGraphemes } from '../../../web_client/src/widgets/line-input.js';

test('length is counted in characters as readers count them', () => {
  for (const one of ['A', 'မြို့', '🧑‍🚀', '👩🏽‍❤️‍💋‍👨🏿', '🇩🇪']) {
    assert.equal(firstGraphemes(one.repeat(24), 24), one.repeat(24));
    assert.equal(firstGraphemes(one.repeat(25), 24), one.repeat(24));
  }
});

test('the beginning is kept, joiners included', () => {
  assert.equal(firstGraphemes('نیم‌فاصله', 4), 'نیم‌ف');
});
