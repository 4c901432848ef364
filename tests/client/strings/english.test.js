import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeIn, roundIn } from '../../../web_client/src/page/room-code.js';
import { catalogue } from '../english.js';
import { example, json } from '../examples.js';

const strings = await catalogue('en');

const NONE = { cards: [], piles: [], fields: [], reason: null };

test('an illegal move is explained by the cards and the column', () => {
  const { code, details } = example('refused', 'illegal');
  assert.equal(strings.refusal(code, details), '9♠ needs a 10; column 4 ends in Q♦.');
  const king = { ...NONE, cards: ['KH', 'AS'], piles: ['t0', 't1'] };
  assert.equal(strings.refusal('wrong_rank', king), 'K♥ only goes on an empty column.');
  const seven = { ...NONE, cards: ['7H', 'AS'], piles: ['t0', 't1'] };
  assert.equal(strings.refusal('wrong_rank', seven), '7♥ needs an 8; column 2 ends in A♠.');
  const queen = { ...NONE, cards: ['JC', '2S'], piles: ['t0', 't1'] };
  assert.equal(strings.refusal('wrong_rank', queen), 'J♣ needs a Queen; column 2 ends in 2♠.');
});

test('times and places', () => {
  assert.equal(strings.clock(187_900), '3:07');
  assert.equal(strings.clock(3_723_000), '1:02:03');
  assert.equal(strings.clock(-5), '0:00');
  assert.equal(strings.exactClock(187_950), '3:07.9');
  assert.equal(
    [1, 2, 3, 4, 11, 12, 13, 21, 102].map(strings.ordinal).join(),
    '1st,2nd,3rd,4th,11th,12th,13th,21st,102nd',
  );
});

test('a code is found in what people type and paste', () => {
  for (const text of ['7K3QZ0A', '7k3-qzoa', ' 7K3 QZOA ', 'http://x.test/r/7K3QZ0A?a=1'])
    assert.equal(codeIn(text), '7K3QZ0A', text);
  for (const text of ['', '7K3QZ0', '7K3QZ0A9', '7K3QZ0A9X', 'http://x.test/', 'UUUUUUU'])
    assert.equal(codeIn(text), null, text);
});

test('every clash of settings has its sentence', () => {
  const known = json('generated/to_client.schema.json').$defs.SettingsClash.enum;
  assert.deepEqual(Object.keys(strings.CLASHES).toSorted(), known.toSorted());
  const details = { ...NONE, fields: ['score'], reason: known[0] };
  assert.equal(strings.refusal('bad_settings', details), strings.CLASHES[known[0]]);
});

test('the sentence of a move names all cards, or the first and the last of many', () => {
  const pile = (id, up) => ({ ...example('table').table.piles[0], id, up: up.split(' ') });
  const moved = (count) =>
    strings.actDone(
      { type: 'move', from: 't0', count, to: 't4' },
      [],
      [pile('t4', 'TS 9S 8S 7S 6S 5S')],
    );
  assert.equal(moved(2), '6♠ 5♠ moved to column 5.');
  assert.equal(moved(5), '9♠ to 5♠ moved to column 5.');
  const before = [pile('t0', '9S'), pile('t1', '4H')];
  const after = [pile('t0', '9S KD'), pile('t1', '4H AS')];
  assert.equal(strings.actDone({ type: 'deal' }, before, after), 'Dealt K♦ A♠.');
});

test('a link to a finished round leads there, and not to its room', () => {
  const there = { code: '7K3QZ0A', n: 3 };
  assert.deepEqual(roundIn('/r/7K3QZ0A/3'), there);
  assert.deepEqual(roundIn(' https://race.example/r/7k3qz0a/3 '), there);
  for (const text of ['/r/7K3QZ0A', '7K3QZ0A', '/r/nonsense/3']) assert.equal(roundIn(text), null);
});
