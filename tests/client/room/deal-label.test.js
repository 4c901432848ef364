import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { dealOf } from '../../../web_client/src/room/deal-label.js';
import * as german from '../../../web_client/src/strings/de/room.js';
import { dealLabel } from '../../../web_client/src/strings/en/room.js';
import { example } from '../examples.js';

/** Return a room. @param {any} settings @param {number | null} [game] */
function room(settings, game = 1) {
  const { room: of } = example('joined');
  return { ...of, next_game: game, settings: { ...of.settings, ...settings } };
}

test('only a numbered deal with a number is asked about', () => {
  assert.equal(dealOf(room({ deal: 'secret', number: null })), '');
  assert.equal(dealOf(room({ deal: 'numbered', number: null })), '');
  assert.equal(dealOf(room({ deal: 'numbered', number: 24 }, null)), '');
  assert.notEqual(dealOf(room({ deal: 'numbered', number: 24 })), '');
});

test('another deal, another game of the card and other rules are asked about anew', () => {
  const names = [
    dealOf(room({ deal: 'numbered', number: 24 })),
    dealOf(room({ deal: 'numbered', number: 25 })),
    dealOf(room({ deal: 'numbered', number: 24 }, 2)),
    dealOf(room({ deal: 'numbered', number: 24, relaxed_deal: true })),
    dealOf(room({ deal: 'numbered', number: 24, exceptions: 'easy' })),
  ];
  assert.equal(new Set(names).size, names.length);
  assert.equal(dealOf(room({ deal: 'numbered', number: 24, hints: true })), names[0]);
});

test('each label has its sentence', () => {
  const labels = ['winnable', 'unwinnable', 'unknown', 'searching'];
  for (const words of [dealLabel, german.dealLabel]) {
    const said = labels.map((label) => words(24, label));
    assert.equal(new Set(said).size, 4);
    for (const each of said) assert.match(each, /24/);
  }
});
