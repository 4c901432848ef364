// What an act has done, as both languages say it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import { parseAction, parsePile } from '../../../web_client/src/contract/notation.js';
import { catalogue } from '../english.js';

const english = await catalogue('en');
const german = await catalogue('de');

const TO_2 = 'KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S';
const SPADES = `${TO_2} AS`;
const HEARTS = SPADES.replaceAll('S', 'H');

/** Return the piles of a game from the texts of some of them. @param {{[id: string]: string}} texts @param {string} [game] */
const table = (texts, game = 'spider-4') =>
  GAMES[game].piles.map((spec) => ({ ...parsePile(spec.id, texts[spec.id] ?? ''), ...spec }));

/** Return what both languages say about an act. @param {string} act @param {any[]} before @param {any[]} after */
const spoken = (act, before, after) =>
  [english, german].map((strings) => strings.actDone(parseAction(act), before, after));

test('a move that completes a suit names its cards and the suit, although they are gone', () => {
  const before = table({ t0: '[3] 9H 7S 6S 5S 4S 3S 2S AS', t2: 'KS QS JS TS 9S 8S', f0: HEARTS });
  const after = table({ t0: '[3] 9H', f0: HEARTS, f1: SPADES });
  assert.deepEqual(spoken('t0x7-t2', before, after), [
    '7–A to column 3: spades complete, 2 of 8.',
    '7–A auf Stapel 3: Pik fertig, 2 von 8.',
  ]);
});

test('a card beneath the removed suit does not stand for the moved ones', () => {
  const before = table({ t0: '[3] AS', t2: `[2] 6C ${TO_2}` });
  const after = table({ t0: '[2] 4D', t2: '[2] 6C', f0: SPADES });
  assert.deepEqual(spoken('t0x1-t2', before, after), [
    'A♠ to column 3: spades complete, 1 of 8; turned 4♦.',
    'Pik-Ass auf Stapel 3: Pik fertig, 1 von 8; Karo 4 aufgedeckt.',
  ]);
});

test('jacks and higher cards are spelled out in German', () => {
  const before = table({ t0: 'JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS', t2: 'KS QS' });
  assert.deepEqual(spoken('t0x11-t2', before, table({ f0: SPADES })), [
    'J–A to column 3: spades complete, 1 of 8.',
    'Bube–A auf Stapel 3: Pik fertig, 1 von 8.',
  ]);
});

test('a suit that stays on the table is complete, and its removal is announced later', () => {
  const before = table({ t0: '2S AS', t2: TO_2.replace(' 2S', ''), t5: HEARTS, f0: HEARTS });
  const after = table({ t2: SPADES, t5: HEARTS, f0: HEARTS });
  assert.deepEqual(spoken('t0x2-t2', before, after), [
    '2♠ A♠ moved to column 3. Spades complete, 3 of 8.',
    'Pik 2, Pik-Ass auf Stapel 3 gelegt. Pik fertig, 3 von 8.',
  ]);
  const removed = table({ t5: HEARTS, f0: HEARTS, f1: SPADES });
  assert.deepEqual(spoken('remove t2', after, removed), [
    'Complete suit removed: spades, 2 of 8.',
    'Vollständige Farbe abgelegt: Pik, 2 von 8.',
  ]);
});

test('a complete suit that moves as a whole is not complete again', () => {
  assert.deepEqual(spoken('t0x13-t2', table({ t0: SPADES }), table({ t2: SPADES })), [
    'K♠ to A♠ moved to column 3.',
    'Pik-König bis Pik-Ass auf Stapel 3 gelegt.',
  ]);
});

test('a run of mixed suits is named by the cards that moved, and only a deal speaks aside', () => {
  const before = table({ t0: '[1] 9H 8S 7S 6S', t2: 'TS' });
  const after = table({ t0: '4C', t2: 'TS 9H 8S 7S 6S' });
  assert.equal(spoken('t0x4-t2', before, after)[0], '9♥ to 6♠ moved to column 3; turned 4♣.');
  assert.equal(english.actAside(parseAction('t0x4-t2'), before, after), '');
});

test('a deal names the suits that it completes, and the aces that are gone', () => {
  const hearts = TO_2.replaceAll('S', 'H');
  const before = table({ t0: `5D ${TO_2}`, t1: '4H', t2: hearts, stock: '[10]' });
  const after = table({ t0: '5D', t1: '4H 9C', f0: SPADES, f1: HEARTS });
  const words = spoken('deal', before, after);
  assert.deepEqual(words, [
    'Dealt A♠ 9♣ A♥: spades and hearts complete, 2 of 8.',
    'Ausgeteilt: Pik-Ass, Kreuz 9, Herz-Ass: Pik und Herz fertig, 2 von 8.',
  ]);
  const [one, two] = [english, german].map((each, i) =>
    words[i].replace(each.actAside({ type: 'deal' }, before, after), ''),
  );
  assert.equal(one, 'Dealt: spades and hearts complete, 2 of 8.');
  assert.equal(two, 'Ausgeteilt: Pik und Herz fertig, 2 von 8.');
  const [plain] = spoken(
    'deal',
    table({ t0: '9S', t1: '4H' }),
    table({ t0: '9S KD', t1: '4H AS' }),
  );
  assert.equal(plain, 'Dealt K♦ A♠.');
});

test('a suit that is completed again by a redo is announced, one that an undo takes back is not', () => {
  const [before, after] = [table({ t0: 'AS', t2: TO_2 }), table({ f0: SPADES })];
  assert.deepEqual(spoken('redo', before, after), [
    'Redone: spades complete, 1 of 8.',
    'Wiederholt: Pik fertig, 1 von 8.',
  ]);
  assert.deepEqual(spoken('undo', after, before), ['Undone.', 'Zurückgenommen.']);
});

test('smaller games have four suits, and those of Little Spider are complete on a foundation', () => {
  const before = table({ t0: 'AS', t2: TO_2 }, 'spiderette-4');
  const after = table({ f0: SPADES }, 'spiderette-4');
  assert.equal(spoken('t0x1-t2', before, after)[0], 'A♠ to column 3: spades complete, 1 of 4.');
  const upwards = SPADES.split(' ').toReversed().join(' ');
  const little = table({ u0: '3H KS', f0: upwards.replace(' KS', '') }, 'little-spider');
  const full = table({ u0: '3H', f0: upwards }, 'little-spider');
  assert.deepEqual(spoken('u0x1-f0', little, full), [
    'K♠ to foundation 1: spades complete, 1 of 4.',
    'Pik-König auf Ablage 1: Pik fertig, 1 von 4.',
  ]);
});
