// Draws the icons and the picture of links: `npm run generate` writes them; a test compares them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PIPS, RANKS } from './faces.js';
import { colour, fill, ico, linesOf, makePicture, png, rounded, stroked } from './raster.js';

/** @import {Picture, Point, Transform} from './raster.js' */

const FELT = colour('#14523f');
const DEEP = colour('#0b2f25');
const LIGHT = colour('#1d6b52');
const PAPER = colour('#fdfdfb');
const INK = colour('#1b2026');
const EDGE = colour('#83837e');
const SHADOW = colour('#051a13');

/** The spade of favicon.svg, in a box of 64 by 64. */
const SPADE =
  'M32 10c6 10 18 16 18 27 0 10-11 11-15.600 4Q35 49 40 52H24q5-3 5.600-11C25 48 14 47 14 37c0-11 12-17 18-27Z';

/** The letters of the title as strokes in a box of 10 by 14; the others are those of the cards. */
const LETTERS = {
  S: 'M9.5 2.600C8.2-.8.8-1 .8 3.500.8 8 9.8 6 9.8 10.500 9.8 15 1.4 14.8.2 11.200',
  P: 'M.8 14V0H5.500C11.3 0 11.3 7.6 5.5 7.600H.8',
  I: 'M5 0V14',
  D: 'M.8 0V14H4.200C12 14 12 0 4.2 0H.8',
  E: 'M9 0H.8V14H9M.8 6.800H7.600',
  R: 'M.8 14V0H5.500C11.3 0 11.3 7.6 5.5 7.600H.8M5 7.600 9.8 14',
  C: 'M9.8 2.600C7.5-1.2.3-1 .3 7 .3 15 7.5 15.2 9.8 11.400',
  A: RANKS.A,
};

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
  area(picture, SPADE, at((size - 64 * scale) / 2, (size - 64 * scale) / 2, scale), PAPER);
  return picture;
}

const WIDTH = 1200;
const HEIGHT = 630;
const CARD = { width: 100, height: 140 };
const CARD_SCALE = 2.25;
/** The cards turn about a point below them. */
const PIVOT = { x: WIDTH / 2, y: 596 };
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
  let x = 252;
  for (const letter of 'SPIDER RACE') {
    const path = LETTERS[letter];
    if (path) pen(picture, path, at(x, 528, 4.6), 9.5, PAPER);
    x += letter === 'I' ? 56 : 66;
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
