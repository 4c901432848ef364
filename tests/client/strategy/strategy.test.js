import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Window } from '../../../web_client/node_modules/happy-dom/lib/index.js';
import { GAMES } from '../../../web_client/src/contract/protocol.js';
import * as pictures from '../../../web_client/src/strategy/strategy.js';
import { fetchStrings, LANGUAGES, speak } from '../../../web_client/src/strings/language.js';
import { read } from '../examples.js';

const { describePicture, EMPTY, parsePosition, positionsOf, countShared } = pictures;
const tips = JSON.parse(read('src/strategy/tips.json'));
const parser = new new Window().DOMParser();
const pages = Object.keys(LANGUAGES).map((language) =>
  parser.parseFromString(read(`src/strategy/tips.${language}.html`), 'text/html'),
);
const [english] = pages;

/** Return the texts of the elements in a part of the tips. @param {any} part @param {string} selector */
const textsOf = (part, selector) =>
  Array.from(part.querySelectorAll(selector), ({ textContent }) => textContent);

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
  const same = [countShared(moved.t0, column), countShared(column, moved.t0)];
  assert.deepEqual(same, [5, 5], 'the 8 is what moved');
});

test('the description of a picture goes pile by pile, in either language', async () => {
  const spider = { game: 'spider-4', pileIds: ['t0', 't1', 'stock'] };
  const position = parsePosition('t0: [5H 6C] 9S 8S 3D; t1:; stock: [2S 3S]');
  const little = { game: 'little-spider', position: parsePosition('u0: 9S 5H; f0: AH-3H') };
  await speak('en');
  await fetchStrings('race');
  const column = 'Column 1: 2 face down; run 9 to 8 of spades, 3 of diamonds.';
  const words = `${column} Column 2: empty. The stock: 2 face down.`;
  assert.equal(describePicture({ ...spider, position }), words);
  // For Little Spider all piles are described, but only the top card of a foundation.
  const said = describePicture(little);
  assert.match(said, /^Upper pile 1: 9 of spades, 5 of hearts\. Upper pile 2: empty\./);
  assert.match(said, /Foundation 1: 3 of hearts on top of 2 cards\..*Lower pile 4: empty\.$/);
  await speak('de');
  const stacks = /^Stapel 1: 2 verdeckt; Folge Pik 9 bis 8, Karo 3\. Stapel 2: leer\./;
  assert.match(describePicture({ ...spider, position }), stacks);
});

test('the tips have the same elements in every language', () => {
  /** Return the tag of each element with its attributes, except those with words. */
  const elementsOf = (page) =>
    Array.from(page.body.querySelectorAll('*'), (element) => {
      element.removeAttribute('aria-label');
      return element.cloneNode(false).outerHTML;
    });
  for (const page of pages) assert.deepEqual(elementsOf(page), elementsOf(english));
});

test('every tip is in the section of its family, with a sentence and its scores for each picture', () => {
  for (const page of pages) {
    const articles = [...page.querySelectorAll('article')];
    assert.deepEqual(
      articles.map(({ dataset }) => dataset.tip),
      tips.map(({ id }) => id),
    );
    for (const [i, { id, game, frames }] of tips.entries()) {
      const article = articles[i];
      const [heading] = article.parentElement.children;
      assert.equal(heading.id, GAMES[game].family, id);
      assert.ok(page.querySelector(`nav [href="/strategy#${heading.id}"]`), id);
      const told = [...textsOf(article, 'p'), ...textsOf(article, '.strategy-said')];
      for (const sentence of told) assert.match(sentence, /^[\p{Lu}\d].*[.?]$/u, id);
      assert.equal(article.querySelectorAll('.strategy-said').length, frames.length, id);
      const scores = textsOf(article, 'figcaption b:not(.strategy-kind)');
      const numbers = frames.map(({ points, woods }) => [points, woods].filter(Number.isInteger));
      assert.deepEqual(
        scores.map((text) => text.match(/\d+/g).map(Number)),
        numbers.filter(({ length }) => length > 0),
        id,
      );
    }
    const kinds = Array.from(page.querySelectorAll('.strategy-kind'), (kind) => [
      kind.closest('figure').dataset.kind,
      kind.textContent,
    ]);
    assert.equal(new Set(kinds.map(String)).size, new Set(kinds.map(([kind]) => kind)).size);
  }
});

test('the cards that a sentence names are in its picture', () => {
  for (const { id, frames } of tips) {
    const sentences = textsOf(english, `[data-tip=${id}] .strategy-said`);
    for (const [i, position] of positionsOf(frames).entries()) {
      const shown = [...position.values()].flatMap(({ cards }) => cards);
      for (const [, rank, sign] of sentences[i].matchAll(/(10|[2-9AJQK])([♠♥♦♣])/gu)) {
        const card = (rank === '10' ? 'T' : rank) + 'SHDC'['♠♥♦♣'.indexOf(sign)];
        assert.ok(shown.includes(card), `${id}: no ${card} in picture ${i}`);
      }
    }
  }
});
