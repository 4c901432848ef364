import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as pictures from '../../../web_client/src/strategy/picture.js';
import { familiesOf, positionsOf } from '../../../web_client/src/strategy/strategy.js';
import * as german from '../../../web_client/src/strings/de/strategy.js';
import * as english from '../../../web_client/src/strings/en/strategy.js';
import { fetchStrings, speak } from '../../../web_client/src/strings/language.js';

const { describePicture, EMPTY, parsePosition, sameCards } = pictures;
const FILE = new URL('../../../web_client/src/strategy/tips.json', import.meta.url);
const tips = JSON.parse(readFileSync(FILE, 'utf8'));

test('positions are read from the notation', () => {
  const position = parsePosition('t0: [5H 6C] KS-JS 8H; t1: ; f0: AD-3D;t9:TC');
  assert.deepEqual(Object.fromEntries(position), {
    t0: { cards: ['5H', '6C', 'KS', 'QS', 'JS', '8H'], down: 2 },
    t1: EMPTY,
    f0: { cards: ['AD', '2D', '3D'], down: 0 },
    t9: { cards: ['TC'], down: 0 },
  });
});

test('a later position names only the piles that have changed', () => {
  const before = parsePosition('t0: 9S; t1: [2H] TD 8C');
  const after = parsePosition('t0: 9S 8C; t1: [2H] TD', before);
  assert.deepEqual([...after.keys()], ['t0', 't1']);
  assert.deepEqual(before.get('t0')?.cards, ['9S'], 'the one before stays as it was');
  const column = after.get('t1') ?? EMPTY;
  assert.equal(sameCards(column, before.get('t1') ?? EMPTY), 2);
  assert.equal(sameCards(before.get('t1') ?? EMPTY, column), 2, 'the 8 is what moved');
});

test('the description of a picture goes pile by pile', async () => {
  const position = parsePosition('t0: [5H 6C] 9S 8S 3D; t1:; stock: [2S 3S]');
  const drawing = { game: 'spider-4', shows: ['t0', 't1', 'stock'], position };
  await speak('en');
  await fetchStrings('race');
  const column = 'Column 1: 2 face down; run 9 to 8 of spades, 3 of diamonds.';
  assert.equal(describePicture(drawing), `${column} Column 2: empty. The stock: 2 face down.`);
  await speak('de');
  const words = /^Stapel 1: 2 verdeckt; Folge Pik 9 bis 8, Karo 3\. Stapel 2: leer\./;
  assert.match(describePicture(drawing), words);
});

test('a picture of Little Spider has all its piles, and of foundations the top card', async () => {
  await speak('en');
  const position = parsePosition('u0: 9S 5H; f0: AH-3H');
  const words = describePicture({ game: 'little-spider', shows: undefined, position });
  assert.match(words, /^Upper pile 1: 9 of spades, 5 of hearts\. Upper pile 2: empty\./);
  assert.match(words, /Foundation 1: 3 of hearts on top of 2 cards\./);
  assert.match(words, /Lower pile 4: empty\.$/);
});

test('every tip has its sentences in every language, one for each picture', () => {
  for (const words of [english, german]) {
    const ids = tips.map(({ id }) => id);
    assert.deepEqual(Object.keys(words.TIPS), ids);
    for (const { id, frames, from } of tips) {
      const told = words.TIPS[id];
      assert.equal(told?.frames.length, frames.length, id);
      for (const sentence of [told?.text, told?.frames].flat())
        assert.match(sentence, /^[\p{Lu}\d].*[.?]$/u, id);
      for (const { kind } of frames) assert.ok(words.KINDS[kind], kind);
      for (const source of from) assert.ok(words.SOURCES[source], source);
    }
  }
});

test('the cards that a sentence names are in its picture', () => {
  for (const { id, frames } of tips) {
    const shown = positionsOf(frames).map(
      (position) => new Set([...position.values()].flatMap(({ cards }) => cards)),
    );
    english.TIPS[id]?.frames.forEach((sentence, i) => {
      for (const [, rank = '', sign = ''] of sentence.matchAll(/(10|[2-9AJQK])([♠♥♦♣])/gu)) {
        const card = (rank === '10' ? 'T' : rank) + 'SHDC'['♠♥♦♣'.indexOf(sign)];
        assert.ok(shown[i]?.has(card), `${id}: no ${card} in picture ${i}`);
      }
    });
  }
});

test('every family with tips has its section in every language, and no other has', () => {
  assert.deepEqual(familiesOf(tips.slice(0, 1)), ['spider'], 'a family may have none');
  for (const [language, { FAMILIES }] of Object.entries({ en: english, de: german }))
    assert.deepEqual(Object.keys(FAMILIES), familiesOf(tips), language);
});
