// The face of Spider Race: one spider and one wordmark. `npm run generate` writes them wherever they
// are shown, and a test compares the files.
//
// The spider is a spade with eight legs, in a box of 64 by 64. The wordmark is written with the pen of
// the cards' ranks, leaning as runners do.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SHAPES } from '../src/replay/line-marker.js';
import { RANKS } from './faces.js';

export const SPIDER = {
  body: 'M32 17C37 25 45 30 45 39 45 47 37 48 34 44Q34.5 48 37 51H27Q29.5 48 30 44C27 48 19 47 19 39 19 30 27 25 32 17Z',
  legs: 'M25 30 15 24 10 10M22 36 11 34 4 24M22 41 11 44 6 55M26 46 18 52 16 61M39 30 49 24 54 10M42 36 53 34 60 24M42 41 53 44 58 55M38 46 46 52 48 61',
  /** The weight of the pen. */
  pen: 3.6,
};

/** The letters of the wordmark as strokes in a box of 10 by 14, with the way to the next one. */
export const LETTERS = /** @type {const} */ ({
  S: { path: 'M9.5 2.6C8.2-.8.8-1 .8 3.5.8 8 9.8 6 9.8 10.5 9.8 15 1.4 14.8.2 11.2', width: 14 },
  P: { path: 'M.8 14V0H5.5C11.3 0 11.3 7.6 5.5 7.6H.8', width: 13.4 },
  I: { path: 'M.8 0V14', width: 5.6 },
  D: { path: 'M.8 0V14H3.5C12.4 14 12.4 0 3.5 0Z', width: 14.4 },
  E: { path: 'M9 0H.8V14H9M.8 6.8H7.6', width: 13 },
  R: { path: 'M.8 14V0H5.5C11.3 0 11.3 7.6 5.5 7.6H.8M5 7.6 9.8 14', width: 14 },
  C: { path: 'M9.8 2.6C7.5-1.2.3-1 .3 7 .3 15 7.5 15.2 9.8 11.4', width: 13.6 },
  A: { path: RANKS.A, width: 13.4 },
});

/** What the wordmark says; a space is as wide as a thin letter. */
const NAME = 'SPIDER RACE';
const SPACE = 7.6;
const WORD_PEN = 2.5;

/** Return the letters of the wordmark with their places, and the width of all. */
export function wordmarkLetters() {
  let x = 0;
  const letters = [...NAME].flatMap((name) => {
    const letter = name in LETTERS ? LETTERS[/** @type {keyof typeof LETTERS} */ (name)] : null;
    const at = x;
    x += letter?.width ?? SPACE;
    return letter ? [{ path: letter.path, x: at }] : [];
  });
  return { letters, width: x - 3, pen: WORD_PEN };
}

const tidy = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);

/** Return the spider as elements of SVG. @param {string} paint @param {string} [pen] */
const spider = (paint, pen = String(SPIDER.pen)) =>
  `<path d='${SPIDER.legs}' fill='none' stroke='${paint}' stroke-width='${pen}' ` +
  `stroke-linecap='round' stroke-linejoin='round'/><path d='${SPIDER.body}' fill='${paint}'/>`;

const FELT = '#14523f';

/** The icon as elements of SVG in a box of 64 by 64; its legs are drawn with a thick pen for small sizes. */
export const ICON = `<rect width='64' height='64' rx='14' fill='${FELT}'/>${spider('#fff', '4.2')}`;

/** Return a drawing. @param {string} box @param {string} body */
const drawing = (box, body) =>
  `<svg xmlns='http://www.w3.org/2000/svg' viewBox='${box}'>${body}</svg>`;

/** Return a drawing as an address in a sheet. @param {string} svg */
const address = (svg) =>
  `data:image/svg+xml,${svg.replaceAll('#', '%23').replaceAll('<', '%3C').replaceAll('>', '%3E')}`;

/** Return the wordmark behind its spider, as elements of SVG and the width of their box, which is 24 high. @param {string} paint */
function wordmarkIn(paint) {
  const { letters, width, pen } = wordmarkLetters();
  const paths = letters.map(
    ({ path, x }) => `<path d='${path}' transform='translate(${tidy(x)})'/>`,
  );
  const words =
    `<g transform='translate(30 5)skewX(-9)' fill='none' stroke='${paint}' stroke-width='${pen}' ` +
    `stroke-linecap='round' stroke-linejoin='round'>${paths.join('')}</g>`;
  return { width: width + 32, body: `<g transform='scale(.375)'>${spider(paint)}</g>${words}` };
}

/** Return the wordmark as a drawing. @param {string} paint */
function wordmark(paint) {
  const { width, body } = wordmarkIn(paint);
  return drawing(`0 0 ${tidy(width)} 24`, body);
}

/** Return the dark tone of a player's colour. @param {string} sheet with the marks @param {string} colour */
function toneOf(sheet, colour) {
  const [, tone] =
    sheet.match(`\\[data-colour="${colour}"\\] \\{\\s+--mark: (#[0-9a-f]{6});`) ?? [];
  if (!tone) throw new Error(`no tone for ${colour}`);
  return tone;
}

/** Return the drawings as a module for the server, which draws results with them. */
function serverDrawings() {
  const sheet = readFileSync(new URL('../css/mark.css', import.meta.url), 'utf8');
  const { body } = wordmarkIn('#fff');
  const rows = (/** @type {(colour: string) => string} */ drawn) =>
    Object.keys(SHAPES)
      .map((colour) => `    "${colour}": "${drawn(colour)}",\n`)
      .join('');
  return `"""The wordmark and the marks of players. ${NOTE}"""

from collections.abc import Mapping
from typing import Final

WORDMARK: Final = "${body}"  # noqa: E501  # a drawing
"""The wordmark in white, as elements of SVG in a box of 24 units' height."""

TONES: Final[Mapping[str, str]] = {
${rows((colour) => toneOf(sheet, colour))}}
"""The colours of players on light grounds."""

SHAPES: Final[Mapping[str, str]] = {
${rows((colour) => SHAPES[colour] ?? '')}}
"""Their marks as paths around 0,0, filled by the rule evenodd."""
`;
}

/** Replace what stands between two texts. @param {string} file @param {string} before @param {string} after @param {string} by */
function between(file, before, after, by) {
  const from = file.indexOf(before) + before.length;
  const to = file.indexOf(after, from);
  if (from < before.length || to < 0) throw new Error(`no place for the drawing: ${before}`);
  return file.slice(0, from) + by + file.slice(to);
}

const NOTE = 'Generated by art/identity.js; do not edit.';

/** The files with the drawings, made from what is in them. @type {Record<string, (file: string) => string>} */
export const FILES = {
  'favicon.svg': () =>
    `${drawing('0 0 64 64', `<title>Spider Race</title>${ICON}`).replaceAll("'", '"')}\n`,
  'css/start/page.css': (file) =>
    between(file, '--wordmark: url("', '")', address(wordmark('#fff'))),
  'src/tab/icon.js': (file) =>
    between(file, 'const ICON =\n  "', '";', ICON.replaceAll('#', '%23')),
  'offline.html': (file) => between(file, '<img src="', '" alt=""', address(wordmark('#fff'))),
  '../server/views/drawings.py': serverDrawings,
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, draw] of Object.entries(FILES)) {
    const target = new URL(`../${name}`, import.meta.url);
    const before = /\.(svg|py)$/.test(name) ? '' : readFileSync(target, 'utf8');
    writeFileSync(target, draw(before));
  }
