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

test('a refused deal names the empty columns', () => {
  const details = { ...NONE, piles: ['t2', 't6'] };
  const words = strings.refusal('deal_empty_column', details);
  assert.equal(words, 'You can’t deal while column 3 and column 7 are empty.');
});

test('the sentence of an act names the cards that turned up', () => {
  const before = example('table').table.piles;
  const changed = example('acted').piles;
  const after = before.map((/** @type {any} */ pile) => ({
    ...pile,
    ...changed.find((/** @type {any} */ each) => each.id === pile.id),
  }));
  const words = strings.actDone({ type: 'move', from: 't8', count: 1, to: 't0' }, before, after);
  assert.equal(words, '8♠ moved to column 1; turned 4♠.');
});

test('a review says what is known, and no more', () => {
  const game = {
    seat: 0,
    name: 'Ann',
    known_ms: 372_000,
    to_the_end: false,
    lost_ms: null,
    acts: 90,
  };
  assert.equal(strings.reviewLine(game), 'until 6:12 a win was known');
  assert.equal(strings.reviewOf(game), 'Ann: until 6:12 a win was known.');
  const proved = { ...game, lost_ms: 400_000 };
  assert.equal(
    strings.reviewOf(proved),
    'Ann: until 6:12 a win was known, no win was left after 6:40.',
  );
  assert.equal(strings.reviewOf({ ...game, lost_ms: 372_000 }), 'Ann: could be won until 6:12.');
  assert.equal(strings.reviewLine({ ...game, to_the_end: true }), 'could still have been won');
  assert.equal(strings.reviewLine({ ...game, known_ms: null }), 'no win was found');
  const hopeless = { ...game, known_ms: null, lost_ms: 5_000 };
  assert.equal(strings.reviewOf(hopeless), 'Ann: no win was left after 0:05.');
  assert.equal(strings.reviewNote(true, []), 'Looking for missed wins…');
  assert.equal(strings.reviewNote(false, ['Ann', 'Bob']), 'Not looked at: Ann and Bob.');
  assert.equal(strings.reviewNote(false, []), '');
});

test('times and places', () => {
  assert.equal(strings.clock(187_900), '3:07');
  assert.equal(strings.clock(3_723_000), '1:02:03');
  assert.equal(strings.clock(-5), '0:00');
  assert.equal(strings.exactClock(187_950), '3:07.9');
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 102].map(strings.ordinal), [
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '102nd',
  ]);
});

test('a code is found in what people type and paste', () => {
  for (const text of ['7K3QZ0A', '7k3-qzoa', ' 7K3 QZOA ', 'http://x.test/r/7K3QZ0A?a=1'])
    assert.equal(codeIn(text), '7K3QZ0A', text);
  for (const text of ['', '7K3QZ0', '7K3QZ0A9', '7K3QZ0A9X', 'http://x.test/', 'UUUUUUU'])
    assert.equal(codeIn(text), null, text);
});

test('a code is shown in groups that can be read out', () => {
  assert.equal(strings.grouped('7K3QZ0A'), '7K3 QZ0A');
});

test('every clash of settings has its sentence', () => {
  const known = json('generated/to_client.schema.json').$defs.SettingsClash.enum;
  assert.deepEqual(Object.keys(strings.CLASHES).toSorted(), known.toSorted());
  const details = { ...NONE, fields: ['score'], reason: known[0] };
  assert.equal(strings.refusal('bad_settings', details), strings.CLASHES[known[0]]);
});

test('every pile of every game has its name', () => {
  assert.deepEqual(['t3', 'u0', 'l3', 'f1', 'stock'].map(strings.pileName), [
    'column 4',
    'upper pile 1',
    'lower pile 4',
    'foundation 2',
    'the stock',
  ]);
});

test('cards have short and spoken names', () => {
  assert.equal(strings.short('TD'), '10♦');
  assert.equal(strings.spoken('AS'), 'ace of spades');
});

test('a column is read out from bottom to top', () => {
  assert.equal(
    strings.describe({ down: 4, up: ['9S', '8S', '7S', '3H'] }),
    '4 face down; run 9 to 7 of spades, 3 of hearts',
  );
  assert.equal(strings.describe({ down: 0, up: [] }), 'empty');
  assert.equal(strings.describe({ down: 50, up: [] }), '50 face down');
});

test('a stack is read out with its top card, a foundation with its direction', () => {
  assert.equal(
    strings.describe({ down: 0, up: ['4H', 'KC', '9S'], fan: 'none', direction: null }),
    '9 of spades on top of 2 cards',
  );
  assert.equal(
    strings.describe({ down: 0, up: ['AS', '2S', '3S'], fan: 'none', direction: 'up' }),
    '3 of spades on top of 2 cards; builds up from the ace',
  );
  assert.equal(
    strings.describe({ down: 0, up: ['KS', 'QS'], fan: 'none', direction: 'down' }),
    'run king to queen of spades; builds down from the king',
  );
});

test('the label of a column has the length of its last run', () => {
  const column = { ...example('table').table.piles[2], down: 4, up: ['JH', '9S', '8S', '7S'] };
  assert.equal(
    strings.pileLabel(column),
    'Column 3: 4 face down; jack of hearts, run 9 to 7 of spades, 3 of 8',
  );
  assert.equal(strings.pileLabel({ ...column, down: 0, up: [] }), 'Column 3: empty');
});

test('the sentence of a move names all cards, or the first and the last of many', () => {
  const pile = (/** @type {string} */ id, /** @type {string} */ up) => ({
    ...example('table').table.piles[0],
    id,
    up: up.split(' '),
  });
  const moved = (/** @type {number} */ count) =>
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

test('a line of the ranking names late starts, hints, cheats and restored acts', () => {
  const [line] = example('round_over').ranking;
  const home = { ...line, won: true, finished_ms: 61_500, late_ms: null, restored: 0, hints: 0 };
  assert.equal(strings.resultLine(home), 'Finished in 1:01.5');
  assert.equal(strings.resultLine({ ...home, hints: 2 }), 'Finished in 1:01.5 · 2 hints');
  assert.equal(strings.resultLine({ ...home, cheats: 1 }), 'Finished in 1:01.5 · 1 cheat');
  assert.equal(
    strings.resultLine({ ...home, hints: 2, cheats: 3 }),
    'Finished in 1:01.5 · 2 hints · 3 cheats',
  );
  assert.equal(
    strings.resultLine({ ...home, restored: 2 }),
    'Finished in 1:01.5 · 2 moves restored after the server lost data',
  );
  assert.equal(
    strings.resultLine({ ...home, won: false, state: 'TIMED_OUT', late_ms: 90_000 }),
    'Still playing · started 1:30 late (unranked)',
  );
  assert.equal(
    strings.resultLine({ ...home, stand_in: 'club' }),
    'Finished in 1:01.5 · with a computer player (unranked)',
  );
});

test('a link to a finished round leads there, and not to its room', () => {
  const there = { code: '7K3QZ0A', n: 3 };
  assert.deepEqual(roundIn('/r/7K3QZ0A/3'), there);
  assert.deepEqual(roundIn(' https://race.example/r/7k3qz0a/3 '), there);
  for (const text of ['/r/7K3QZ0A', '7K3QZ0A', '/r/nonsense/3']) assert.equal(roundIn(text), null);
});

test('the events of a race are told of others by name, and of the own game to the player', async () => {
  const { eventWords: german } = await import('../../../web_client/src/strings/de/report.js');
  const standing = { state: 'TIMED_OUT', suits: 4, place: 1, finished_ms: 61_000 };
  /** @param {string} kind @param {boolean} isOwn @param {number} [cards] @returns {any[]} */
  const told = (kind, isOwn, cards = 0) =>
    [strings.eventWords, german].map((words) =>
      words(/** @type {any} */ ({ kind, standing, cards, at: 0 }), isOwn, 8, false),
    );
  assert.deepEqual(told('cards', false, 3), [' turned 3 cards', ': 3 aufgedeckt']);
  assert.deepEqual(told('cards', true, 1), [' turned 1 card', ': 1 aufgedeckt']);
  assert.deepEqual(told('lead', true), [' took the lead', ' führst']);
  assert.deepEqual(told('suit', true), [': 4 of 8 suits', ': 4 von 8 Farben']);
  assert.deepEqual(told('face-up', true)[0], ': all face up');
  assert.deepEqual(told('end', true), [' are out of time', ': Zeit abgelaufen']);
  assert.deepEqual(told('finish', true)[1], ' bist als 1. im Ziel!');
});
