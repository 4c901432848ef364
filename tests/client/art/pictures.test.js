// The pictures are those that art/pictures.js draws. Their pixels are compared and not their bytes:
// another version of zlib packs them in another way.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { PICTURES } from '../../../web_client/art/pictures.js';
import { bytesOf, linesOf, png } from '../../../web_client/art/raster.js';

const CLIENT = new URL('../../../web_client/', import.meta.url);

/** Return the unpacked rows of a PNG file. @param {Buffer} file */
function rows(file) {
  const parts = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return inflateSync(Buffer.concat(parts));
}

/** Return the share of bytes that differ. @param {Buffer} one @param {Buffer} other */
const difference = (one, other) =>
  one.reduce((found, value, at) => found + Number(value !== other[at]), 0) / one.length;

for (const [name, draw] of Object.entries(PICTURES))
  test(`${name} is what art/pictures.js draws`, () => {
    const kept = rows(readFileSync(new URL(name, CLIENT)));
    const drawn = rows(png(draw()));
    assert.equal(kept.length, drawn.length, 'run `npm run generate` in web_client');
    // A processor may round a hundredth of the edges another way.
    assert.ok(difference(kept, drawn) < 0.01, 'run `npm run generate` in web_client');
  });

test('a path is read as lines, with curves in steps', () => {
  assert.deepEqual(linesOf('M1 2H4V6L0-1.500Z'), [
    [
      [1, 2],
      [4, 2],
      [4, 6],
      [0, -1.5],
      [1, 2],
    ],
  ]);
  const [curve] = linesOf('M0 0q2 4 4 0');
  assert.deepEqual(curve?.at(-1), [4, 0]);
  assert.deepEqual(curve?.[6], [2, 2]);
});

test('an icon is green with a white spade, and round only where it is not cut', () => {
  const [round, full] = ['icons/icon-192.png', 'icons/full-192.png'].map((name) =>
    bytesOf(/** @type {any} */ (PICTURES[name])()),
  );
  const pixel = (/** @type {any} */ bytes, /** @type {number} */ x, /** @type {number} */ y) => [
    ...bytes.subarray((y * 192 + x) * 4, (y * 192 + x) * 4 + 4),
  ];
  assert.deepEqual(pixel(round, 96, 96), [253, 253, 251, 255]);
  assert.deepEqual(pixel(round, 96, 10), [20, 82, 63, 255]);
  assert.equal(pixel(round, 0, 0)[3], 0);
  assert.deepEqual(pixel(full, 0, 0), [20, 82, 63, 255]);
});
