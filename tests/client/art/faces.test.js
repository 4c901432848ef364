import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SHEETS } from '../../../web_client/art/faces.js';

for (const [name, draw] of Object.entries(SHEETS))
  test(`css/${name} is what art/faces.js draws`, () => {
    const target = new URL(`../../../web_client/css/${name}`, import.meta.url);
    assert.ok(readFileSync(target, 'utf8') === draw(), 'run `node art/faces.js` in web_client');
  });

/** The drawings of a sheet, by their first selector. @param {string} css @returns {Map<string, string>} */
const drawings = (css) =>
  new Map(
    [...css.matchAll(/^(.*)\{background-image:(.*)\}$/gm)].map(([, on, art]) => [
      on.split(',')[0],
      art,
    ]),
  );

test('jacks, queens and kings have figures of their own on large cards', () => {
  const faces = drawings(SHEETS['cards.css']());
  const lengths = [...'JQK'].map((rank) => faces.get(`[data-card="${rank}S"]`)?.length ?? 0);
  const number = faces.get('[data-card="7S"]')?.length ?? 0;
  for (const length of lengths) assert.ok(length > number, `${length}`);
  assert.equal(new Set(lengths).size, 3);
});

test('the pips of a card stay clear of the index at its corner', () => {
  for (const [on, art] of drawings(SHEETS['cards.css']())) {
    const card = /^\[data-card="([2-9T])/.exec(on)?.[1];
    if (!card) continue;
    const pips = [...art.matchAll(/translate\(([\d.]+) ([\d.]+)\)scale\((-?[\d.]+)\)'\/%3E/g)]
      .map(([, , y, scale]) => ({ y: Number(y), reach: 10 * Math.abs(Number(scale)) }))
      .filter(({ reach }) => reach > 7.6); // that of the index is smaller
    assert.ok(pips.length >= 2, on);
    for (const { y, reach } of pips)
      assert.ok(y - reach >= 27 && y + reach <= 113, `${on}: ${y} ± ${reach}`);
  }
});

test('German letters replace those of jacks and queens in every palette', () => {
  const german = drawings(SHEETS['cards-german.css']());
  const faces = drawings(SHEETS['cards.css']());
  for (const size of ['', '[data-small] '])
    for (const suit of 'SHDC')
      for (const rank of 'JQK') {
        const art = german.get(`[data-indices="german"] ${size}[data-card="${rank}${suit}"]`);
        assert.equal(art !== undefined, rank !== 'K');
        assert.notEqual(art, faces.get(`${size}[data-card="${rank}${suit}"]`));
      }
  for (const palette of ['four', 'strong'])
    assert.ok(german.has(`[data-indices="german"][data-cards="${palette}"] [data-card="JD"]`));
});

test('the pips of a card stay clear of each other', () => {
  for (const [on, art] of drawings(SHEETS['cards.css']())) {
    const card = /^\[data-card="([2-9T])/.exec(on)?.[1];
    if (!card) continue;
    const pips = [...art.matchAll(/translate\(([\d.]+) ([\d.]+)\)scale\((-?[\d.]+)\)'\/%3E/g)]
      .map(([, x, y, scale]) => ({
        x: Number(x),
        y: Number(y),
        reach: 10 * Math.abs(Number(scale)),
      }))
      .filter(({ reach }) => reach > 7.6);
    for (const [i, one] of pips.entries())
      for (const other of pips.slice(i + 1)) {
        const isBeside = Math.abs(one.x - other.x) >= one.reach + other.reach + 6;
        const isBelow = Math.abs(one.y - other.y) >= one.reach + other.reach;
        assert.ok(isBeside || isBelow, `${on}: ${one.x} ${one.y}, ${other.x} ${other.y}`);
      }
  }
});

test('a complete suit that is home shows its king in every palette', () => {
  const sheets = Object.values(SHEETS).map((draw) => draw());
  for (const css of sheets.filter((each) => each.includes('"KS"')))
    for (const [, before = '', suit = ''] of css.matchAll(/^(.*)\[data-card="K(\w)"\],/gm))
      assert.ok(css.includes(`,${before}[data-home][data-card="A${suit}"]{`), `${before} ${suit}`);
  assert.ok(sheets.join('').includes('[data-home][data-card="AS"]'));
});
