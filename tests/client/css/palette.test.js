import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHOICES } from '../../../web_client/src/browser/storage.js';
import { SEAT_COLOURS } from '../../../web_client/src/contract/protocol.js';
import { SHAPES } from '../../../web_client/src/replay/line-marker.js';

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

const base = css('start/colours');
const looks = [
  ...`${base}${css('tables')}`.matchAll(
    /data-table="(\w+)"\] \{\s+--cloth: (#[0-9a-f]{6});\s+--shade: (#[0-9a-f]{6})/g,
  ),
].map(([, name = '', cloth = '', shade = '']) => ({ name, cloth, shade }));
const cloths = looks.map(({ cloth }) => cloth);
const dark =
  /--panel: var\(--day, #fff\) var\(--night, color-mix\(in srgb, var\(--cloth\) (\d+)%, (#\w{6})\)\)/;
const [, part = '', ground = ''] = dark.exec(base) ?? [];
const marks = [
  ...css('mark').matchAll(
    /data-colour="(\w+)"\] \{\s+--mark: (#[0-9a-f]{6});\s+--mark-bright: (#[0-9a-f]{6})/g,
  ),
].map(([, name = '', deep = '', bright = '']) => ({ name, deep, bright }));

test('the colour of each player stands out from panels, by day and by night, on every table', () => {
  assert.deepEqual(
    marks.map(({ name }) => name),
    SEAT_COLOURS,
  );
  assert.ok(cloths.length === 16 && part && ground);
  for (const { deep, bright } of marks) {
    // The shape of a mark is white on the colour, and its edge is white on the cloth.
    assert.ok(contrast(channels(deep), channels('#ffffff')) >= 3, deep);
    for (const { cloth, shade } of looks) {
      const panel = mix(cloth, ground, Number(part) / 100);
      assert.ok(contrast(channels(bright), panel) >= 3, `${bright} on ${cloth}`);
      // The side of the leaderboard: `--bar`.
      const bar = channels(shade).map((value) => value * 0.65);
      assert.ok(contrast(channels(bright), bar) >= 3, `${bright} beside ${cloth}`);
    }
  }
});

/** What colour-blind eyes see, in linear light (Machado, Oliveira and Fernandes, 2009). */
const EYES = {
  all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deuteranopia: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritanopia: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
};

/** Return the product of a matrix of 3 by 3 and a vector. @param {readonly number[]} matrix @param {readonly number[]} vector */
const times = (matrix, vector) =>
  [0, 3, 6].map((row) => vector.reduce((sum, value, i) => sum + value * (matrix[row + i] ?? 0), 0));

/** Return the place of a colour in Oklab, as some eyes see it. @param {string} hex @param {readonly number[]} eyes */
function oklab(hex, eyes) {
  const light = channels(hex).map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  const seen = times(eyes, light).map((value) => Math.min(1, Math.max(0, value)));
  const cones = times(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
      0.0883024619, 0.2817188376, 0.6299787005,
    ],
    seen,
  ).map(Math.cbrt);
  return times(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099,
      0.0259040371, 0.7827717662, -0.808675766,
    ],
    cones,
  );
}

/** Four times the least difference that eyes see between two areas. */
const LEAST_DISTANCE = 0.08;

test('colour-blind eyes too tell the colours of players apart, by day and by night', () => {
  for (const [name, eyes] of Object.entries(EYES))
    for (const of of /** @type {const} */ (['deep', 'bright']))
      for (const [i, one] of marks.entries())
        for (const other of marks.slice(i + 1)) {
          const [a, b] = [oklab(one[of], eyes), oklab(other[of], eyes)];
          const distance = Math.hypot(...a.map((value, axis) => value - (b[axis] ?? 0)));
          assert.ok(distance >= LEAST_DISTANCE, `${one.name}, ${other.name}: ${name}, ${of}`);
        }
});

test('every colour has a shape of its own, on marks and in charts', () => {
  const drawn = marks.map(({ name }) => {
    const rule = new RegExp(`\\.mark\\[data-colour="${name}"\\]::before \\{([^}]*)\\}`);
    return rule.exec(css('mark'))?.[1];
  });
  assert.ok(!drawn.includes(undefined));
  assert.equal(new Set(drawn).size, SEAT_COLOURS.length);
  assert.deepEqual(Object.keys(SHAPES), SEAT_COLOURS);
  assert.equal(new Set(Object.values(SHAPES)).size, SEAT_COLOURS.length);
});

test('every line of a chart has a dash of its own', () => {
  const dashes = Array.from({ length: 8 }, (_, i) => {
    const rule = new RegExp(`data-line="${i}"\\] \\{[^}]*?stroke-dasharray: ([^;]+);`);
    return rule.exec(css('replay/chart'))?.[1] ?? 'none';
  });
  assert.equal(new Set(dashes).size, 8);
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

test('the ring of the focus stands off panels and cloths, and words stand off what is hovered', () => {
  const rings = /--ring: var\(--day, (#\w{6})\) var\(--night, (#\w{6})\)/.exec(base) ?? [];
  const share = Number(/--hover: color-mix\(in srgb, var\(--accent\) (\d+)%/.exec(base)?.[1]) / 100;
  const words = /--ink: var\(--day, (#\w{6})\) var\(--night, (#\w{6})\)/.exec(base) ?? [];
  const soft = /--soft: var\(--day, (#\w{6})\) var\(--night, (#\w{6})\)/.exec(base) ?? [];
  const [, dayRing = '', nightRing = ''] = rings;
  const [white, black] = ['#ffffff', '#000000'];
  const hex = (/** @type {number[]} */ rgb) =>
    `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
  assert.ok(contrast(channels(dayRing), channels(white)) >= 3);
  for (const { cloth } of looks) {
    // On the cloth the ring is white; the cloth is at its lightest in the day.
    assert.ok(contrast(channels(white), channels(cloth)) >= 3, cloth);
    const night = mix(cloth, ground, Number(part) / 100);
    assert.ok(contrast(channels(nightRing), night) >= 3, cloth);
    // The accent by day is the cloth, by night a mixture of it with at least 60 % white.
    const hovered = [mix(cloth, white, share), mix(hex(mix(cloth, white, 0.4)), hex(night), share)];
    for (const [at, lit] of hovered.entries())
      for (const texts of [words, soft])
        assert.ok(contrast(channels(texts[at + 1] ?? black), lit) >= 4.5, `${cloth} ${at}`);
  }
});
