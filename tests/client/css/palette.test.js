import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHOICES } from '../../../web_client/src/core/preferences.js';

const css = (/** @type {string} */ name) =>
  readFileSync(new URL(`../../../web_client/css/${name}.css`, import.meta.url), 'utf8');

/** @param {string} hex */
const channels = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** @param {readonly number[]} rgb */
function luminance(rgb) {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {readonly number[]} a @param {readonly number[]} b */
function contrast(a, b) {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Return the mixture of two colours. @param {string} a @param {string} b @param {number} share of `a` */
const mix = (a, b, share) =>
  channels(a).map((value, i) => value * share + (channels(b)[i] ?? 0) * (1 - share));

const base = css('base');
const looks = [
  ...`${base}${css('tables')}`.matchAll(
    /data-table="(\w+)"\] \{\s+--cloth: (#[0-9a-f]{6});\s+--shade: (#[0-9a-f]{6})/g,
  ),
].map(([, name = '', cloth = '', shade = '']) => ({ name, cloth, shade }));
const cloths = looks.map(({ cloth }) => cloth);
const dark =
  /--panel: var\(--day, #fff\) var\(--night, color-mix\(in srgb, var\(--cloth\) (\d+)%, (#\w{6})\)\)/;
const [, part = '', ground = ''] = dark.exec(base) ?? [];
const lines = [
  ...css('replay').matchAll(
    /--line-\d: var\(--day, (#[0-9a-f]{6})\) var\(--night, (#[0-9a-f]{6})\)/g,
  ),
].map(([, light = '', shade = '']) => ({ light, shade }));

test('each line of a chart stands out from the panel, by day and by night, on every table', () => {
  assert.equal(lines.length, 8);
  assert.ok(cloths.length === 16 && part && ground);
  for (const { light, shade } of lines) {
    assert.ok(contrast(channels(light), channels('#ffffff')) >= 3, light);
    for (const cloth of cloths) {
      const panel = mix(cloth, ground, Number(part) / 100);
      assert.ok(contrast(channels(shade), panel) >= 3, `${shade} on ${cloth}`);
    }
  }
});

test('every line has a dash of its own', () => {
  const dashes = lines.map((_, i) => {
    const rule = new RegExp(`\\.chart-line-${i} \\{[^}]*?stroke-dasharray: ([^;]+);`);
    return rule.exec(css('replay'))?.[1] ?? 'none';
  });
  assert.equal(new Set(dashes).size, lines.length);
});

test('there are 16 backgrounds of their own colours, and three sets of cards', () => {
  assert.deepEqual(
    looks.map(({ name }) => name),
    CHOICES.table,
  );
  assert.equal(new Set(cloths).size, 16);
  assert.equal(CHOICES.table.length * CHOICES.cards.length, 48);
});

/** Return the colours of the suits in a sheet: of its drawings as a whole. @param {string} sheet */
const inks = (sheet) => [
  ...new Set(
    [...css(sheet).matchAll(/viewBox='0 0 100 140' fill='%23([0-9a-f]{6})'/g)].map(
      ([, ink]) => `#${ink}`,
    ),
  ),
];

test('all 48 combinations can be read, by day and by night', () => {
  const sheets = { two: 'cards', four: 'cards-four', strong: 'cards-strong' };
  for (const [palette, sheet] of Object.entries(sheets)) {
    const card = palette === 'strong' ? ['#ffffff'] : ['#fdfdfb', '#ecece6'];
    const found = inks(sheet);
    assert.ok(found.length >= 2, sheet);
    for (const paper of card)
      for (const ink of found)
        assert.ok(contrast(channels(ink), channels(paper)) >= 4.5, `${ink} on ${paper}`);
    for (const { name, cloth, shade } of looks)
      for (const [felt, dim] of /** @type {const} */ ([
        [cloth, 1],
        [cloth, 0.78],
        [shade, 1],
        [shade, 0.7],
      ])) {
        const background = mix(felt, '#000000', dim);
        const white = channels('#ffffff');
        const soft = white.map((value, i) => value * 0.78 + (background[i] ?? 0) * 0.22);
        const about = `${palette} on ${name}, ${dim}`;
        assert.ok(contrast(white, background) >= 4.5, about);
        assert.ok(contrast(soft, background) >= 4.5, `softly, ${about}`);
        for (const paper of card) assert.ok(contrast(channels(paper), background) >= 3, about);
        assert.ok(contrast(channels('#f2b632'), background) >= 3, `gold, ${about}`);
      }
  }
});
