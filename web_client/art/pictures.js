// Draws the icons and the picture of links: `npm run generate` writes them; a test compares them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PIPS, RANKS } from './faces.js';
import { SPIDER, wordmarkLetters } from './identity.js';
import { colour, fill, ico, linesOf, makePicture, png, rounded, stroked } from './raster.js';

/** @import {Picture, Point, Transform} from './raster.js' */

const FELT = colour('#14523f');
const DEEP = colour('#0b2f25');
const LIGHT = colour('#1d6b52');
const PAPER = colour('#fdfdfb');
const INK = colour('#1b2026');
const EDGE = colour('#83837e');
const SHADOW = colour('#051a13');

/** @param {number} x @param {number} y @param {number} scale @returns {Transform} */
const at =
  (x, y, scale) =>
  ([px, py]) => [x + px * scale, y + py * scale];

/** Fill a path. @param {Picture} picture @param {string} path @param {Transform} place @param {number[]} paint */
const area = (picture, path, place, paint) =>
  fill(
    picture,
    linesOf(path).map((line) => line.map(place)),
    paint,
  );

/** Draw the strokes of a path. @param {Picture} picture @param {string} path @param {Transform} place @param {number} weight @param {number[]} paint */
const pen = (picture, path, place, weight, paint) =>
  fill(
    picture,
    linesOf(path).flatMap((line) => stroked(line.map(place), weight)),
    paint,
  );

/** Draw the icon. @param {number} size @param {{full?: boolean}} [how] `full`: to the edge, as systems cut it */
function icon(size, { full = false } = {}) {
  const picture = makePicture(size, size);
  fill(picture, [rounded(0, 0, size, size, full ? 0.001 : (size * 14) / 64)], FELT);
  const scale = (size / 64) * (full ? 0.8 : 1);
  const place = at((size - 64 * scale) / 2, (size - 64 * scale) / 2, scale);
  area(picture, SPIDER.body, place, PAPER);
  pen(picture, SPIDER.legs, place, (size < 64 ? 4.6 : 4) * scale, PAPER);
  return picture;
}

const WIDTH = 1200;
const HEIGHT = 630;
const CARD = { width: 100, height: 140 };
const CARD_SCALE = 2.25;
/** The cards turn about a point below them. */
const PIVOT = { x: WIDTH / 2, y: 596 };
/** The letters lean as those of the wordmark do: the tangent of nine degrees. */
const LEAN = Math.tan(Math.PI / 20);
const FAN = /** @type {const} */ (['K', 'Q', 'J', 'T', '9']);

/** Draw a card of the fan. @param {Picture} picture @param {keyof typeof RANKS} rank @param {number} degrees */
function card(picture, rank, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  /** @type {(dx: number) => Transform} */
  const place =
    (dx) =>
    ([x, y]) => {
      const [left, top] = [(x - CARD.width / 2) * CARD_SCALE + dx, (y - 234) * CARD_SCALE + dx];
      return [PIVOT.x + left * cos - top * sin, PIVOT.y + left * sin + top * cos];
    };
  const outline = rounded(0, 0, CARD.width, CARD.height, 8);
  fill(picture, [outline.map(place(5))], SHADOW, 0.3);
  fill(picture, stroked([...outline, outline[0]].map(place(0)), 3), EDGE);
  fill(picture, [outline.map(place(0))], PAPER);
  /** @type {(transform: Transform) => Transform} */
  const on = (transform) => (point) => place(0)(transform(point));
  pen(picture, RANKS[rank], on(at(9, 9, 18 / 14)), 3.6 * CARD_SCALE, INK);
  area(picture, PIPS.S, on(at(17, 44, 0.8)), INK);
  area(picture, PIPS.S, on(at(50, 78, 2.9)), INK);
}

/** Draw the picture that messengers show for a link. */
function drawLinkPicture() {
  const picture = makePicture(WIDTH, HEIGHT);
  fill(picture, [rounded(0, 0, WIDTH, HEIGHT, 0.001)], DEEP);
  // A light over the table in steps, which are small in the file.
  for (let step = 0; step < 24; step += 1) {
    const light = step / 23;
    const ring = rounded(-600, -600, 1200, 1200, 600).map(([left, top]) =>
      at(WIDTH / 2, 240, 1.45 - light)([left, top * 0.75]),
    );
    fill(
      picture,
      [ring],
      DEEP.map((value, i) => value + (LIGHT[i] - value) * light),
    );
  }
  for (const [i, rank] of FAN.entries()) card(picture, rank, (i - 2) * 17);
  const { letters, width, pen: weight } = wordmarkLetters();
  const scale = 4.7;
  const edge = (WIDTH - (width + 30) * scale) / 2;
  const spider = at(edge, 509, (24 / 64) * scale);
  area(picture, SPIDER.body, spider, PAPER);
  pen(picture, SPIDER.legs, spider, SPIDER.pen * (24 / 64) * scale, PAPER);
  for (const { path, x } of letters) {
    /** @type {Transform} */
    const place = ([px, py]) => at(edge + 31 * scale, 531, scale)([x + px - py * LEAN, py]);
    pen(picture, path, place, weight * scale, PAPER);
  }
  return picture;
}

/** @param {number} size */
const small = (size) => ({ size, file: png(icon(size)) });

/** The pictures by name. @type {Record<string, () => Picture>} */
export const PICTURES = {
  'icons/icon-192.png': () => icon(192),
  'icons/icon-512.png': () => icon(512),
  'icons/full-192.png': () => icon(192, { full: true }),
  'icons/full-512.png': () => icon(512, { full: true }),
  'icons/touch.png': () => icon(180, { full: true }),
  'icons/share.png': drawLinkPicture,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = new URL('../', import.meta.url);
  mkdirSync(new URL('icons/', root), { recursive: true });
  for (const [name, draw] of Object.entries(PICTURES))
    writeFileSync(new URL(name, root), png(draw()));
  writeFileSync(new URL('favicon.ico', root), ico([16, 32, 48].map(small)));
}
