import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as pictures from '../../../web_client/src/strategy/strategy.js';
import { familiesOf, positionsOf } from '../../../web_client/src/strategy/strategy.js';
import german from '../../../web_client/src/strings/de/strategy.js';
import english from '../../../web_client/src/strings/en/strategy.js';
import { fetchStrings, speak } from '../../../web_client/src/strings/language.js';

const { describePicture, EMPTY, parsePosition, sameCards } = pictures;
const FILE = new URL('../../../web_client/src/strategy/tips.json', import.meta.url);
const tips = JSON.parse(readFileSync(FILE, 'utf8'));

test('positions are read from the notation, and a later one names only the changed piles', () => {
  const before = parsePosition('t0: [5H 6C] KS-JS 8H; t1: ; f0: AD-3D;t9:TC');
  const after = parsePosition('t0: [5H 6C] KS-JS; t1: 8H', before);
  const column = { cards: ['5H', '6C', 'KS', 'QS', 'JS', '8H'], faceDown: 2 };
  const others = {
    f0: { cards: ['AD', '2D', '3D'], faceDown: 0 },
    t9: { cards: ['TC'], faceDown: 0 },
  };
  assert.deepEqual(Object.fromEntries(before), { t0: column, t1: EMPTY, ...others });
  const left = { ...column, cards: column.cards.slice(0, 5) };
  const moved = { t0: left, t1: { cards: ['8H'], faceDown: 0 } };
  assert.deepEqual(Object.fromEntries(after), { ...moved, ...others });
  const same = [sameCards(moved.t0, column), sameCards(column, moved.t0)];
  assert.deepEqual(same, [5, 5], 'the 8 is what moved');
});

test('the description of a picture goes pile by pile, in either language', async () => {
  const spider = { game: 'spider-4', shows: ['t0', 't1', 'stock'] };
  const position = parsePosition('t0: [5H 6C] 9S 8S 3D; t1:; stock: [2S 3S]');
  const little = { game: 'little-spider', position: parsePosition('u0: 9S 5H; f0: AH-3H') };
  await speak('en');
  await fetchStrings('race');
  const column = 'Column 1: 2 face down; run 9 to 8 of spades, 3 of diamonds.';
  const words = `${column} Column 2: empty. The stock: 2 face down.`;
  assert.equal(describePicture({ ...spider, position }), words);
  // Little Spider has all its piles, and of a foundation the top card.
  const said = describePicture(little);
  assert.match(said, /^Upper pile 1: 9 of spades, 5 of hearts\. Upper pile 2: empty\./);
  assert.match(said, /Foundation 1: 3 of hearts on top of 2 cards\..*Lower pile 4: empty\.$/);
  await speak('de');
  const stacks = /^Stapel 1: 2 verdeckt; Folge Pik 9 bis 8, Karo 3\. Stapel 2: leer\./;
  assert.match(describePicture({ ...spider, position }), stacks);
});

test('every tip has its sentences, one for each picture, and every family its section', () => {
  for (const words of [english, german]) {
    assert.deepEqual(Object.keys(words.FAMILIES), familiesOf(tips));
    assert.equal(String(Object.keys(words.TIPS)), String(tips.map(({ id }) => id)));
    for (const { id, frames, from } of tips) {
      const [, ...told] = words.TIPS[id];
      assert.equal(told.length, 1 + frames.length, id);
      for (const sentence of told.flat()) assert.match(sentence, /^[\p{Lu}\d].*[.?]$/u, id);
      for (const { kind } of frames) assert.ok(words.KINDS[kind], id);
      for (const of of from) assert.ok(words.SOURCES[of], id);
    }
  }
});

test('the cards that a sentence names are in its picture', () => {
  for (const { id, frames } of tips)
    for (const [i, position] of positionsOf(frames).entries()) {
      const shown = [...position.values()].flatMap(({ cards }) => cards);
      const named = english.TIPS[id][2 + i].matchAll(/(10|[2-9AJQK])([♠♥♦♣])/gu);
      for (const [, rank, sign] of named) {
        const card = (rank === '10' ? 'T' : rank) + 'SHDC'['♠♥♦♣'.indexOf(sign)];
        assert.ok(shown.includes(card), `${id}: no ${card} in picture ${i}`);
      }
    }
});
