// Draws the card faces: `npm run generate` writes css/cards*.css, `npm run check` compares them.
//
// All drawings are of this project: four pips, thirteen ranks in strokes and two German ones, three
// figures, and the rules that combine them. Small cards have a large index and one big pip, large
// cards the usual pips and figures. The strong palette is large print: its cards look like small ones
// at any size.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { figure } from './figures.js';

const WIDTH = 100;
const HEIGHT = 140;

/** Pips in a box of 20 by 20, centred on 0. */
export const PIPS = {
  S: 'M0-10C3-5 9-2 9 3.5 9 8.5 3.5 9 1.2 5.500Q1.5 8.5 4 10H-4Q-1.5 8.5-1.2 5.500C-3.5 9-9 8.5-9 3.5-9-2-3-5 0-10Z',
  H: 'M0 10C-3 5.5-9.5 1-9.5-4.5-9.5-10-2.5-11 0-5.5 2.5-11 9.5-10 9.5-4.5 9.5 1 3 5.5 0 10Z',
  D: 'M0-10.500Q3.5-4 8 0 3.5 4 0 10.5-3.5 4-8 0-3.5-4 0-10.500Z',
  C: 'M0-10A4.6 4.6 0 0 1 3.6-2.4 4.6 4.6 0 1 1 1.3 4.800Q1.6 8.5 4 10H-4Q-1.6 8.5-1.3 4.800A4.6 4.6 0 1 1-3.6-2.4 4.6 4.6 0 0 1 0-10Z',
};

/** Ranks as strokes in a box of 10 by 14. */
export const RANKS = {
  A: 'M0 14 5 0 10 14M1.9 9.300H8.1',
  2: 'M.6 4C.6-1.3 9.4-1.3 9.4 4 9.4 7.3 4 9.3.5 14H9.7',
  3: 'M1 0H9L4.7 5.500C11.3 5.3 11.2 14 4.9 14 2.5 14 .8 12.8.2 11',
  4: 'M7.3 14V0L.2 9.900H10',
  5: 'M9 0H2L1.2 6.400C3.6 4.5 9.9 4.5 9.9 9.4 9.9 14.2 3.5 15.2.3 12.3',
  6: 'M8 0C3 2.3.3 6 .3 9.6.3 15.5 9.8 15.5 9.8 9.6 9.8 4.2 2.4 4 .7 8.5',
  7: 'M.4 0H9.700C6.7 4.2 4.6 9 4 14',
  8: 'M5 6.300C-.4 6.3 0 0 5 0 10 0 10.4 6.3 5 6.3-1.6 6.3-1.2 14 5 14 11.2 14 11.6 6.3 5 6.300Z',
  9: 'M2 14C7 11.7 9.7 8 9.7 4.4 9.7-1.5.2-1.5.2 4.4.2 9.8 7.6 10 9.3 5.5',
  T: 'M-1.5 2.2 1 0V14M8 0C3.2 0 3.2 14 8 14 12.8 14 12.8 0 8 0Z',
  J: 'M4 0H8.500V9.500C8.5 15.4 1 15.5.4 10.3',
  Q: 'M5 0C-1.6 0-1.6 14 5 14 11.6 14 11.6 0 5 0ZM6 10.2 10 14.8',
  K: 'M.8 0V14M9.6 0 .8 8.400M4.1 5.4 10 14',
};

/** Other letters on the cards of some ranks: Bube, Dame; a König has a K. */
const GERMAN = {
  J: 'M.8 0V14H5.500C11.4 14 11.4 6.6 5.5 6.600H.8M5.2 6.600C10.2 6.6 10.2 0 5.2 0H.8',
  Q: 'M.8 0V14H3.500C12.4 14 12.4 0 3.5 0Z',
};

/** The places of the pips on a large card: one of three columns, and the height. */
const L = 25;
const M = 50;
const R = 75;
const PLACES = {
  2: [
    [M, 43],
    [M, 97],
  ],
  3: [
    [M, 43],
    [M, 70],
    [M, 97],
  ],
  4: [
    [L, 43],
    [R, 43],
    [L, 97],
    [R, 97],
  ],
  5: [
    [L, 43],
    [R, 43],
    [M, 70],
    [L, 97],
    [R, 97],
  ],
  6: [
    [L, 43],
    [R, 43],
    [L, 70],
    [R, 70],
    [L, 97],
    [R, 97],
  ],
  7: [
    [L, 43],
    [R, 43],
    [M, 56.5],
    [L, 70],
    [R, 70],
    [L, 97],
    [R, 97],
  ],
  8: [
    [L, 43],
    [R, 43],
    [M, 56.5],
    [L, 70],
    [R, 70],
    [M, 83.5],
    [L, 97],
    [R, 97],
  ],
  9: [
    [L, 39],
    [R, 39],
    [L, 60],
    [R, 60],
    [M, 70],
    [L, 80],
    [R, 80],
    [L, 101],
    [R, 101],
  ],
  T: [
    [L, 39],
    [R, 39],
    [M, 49.5],
    [L, 60],
    [R, 60],
    [L, 80],
    [R, 80],
    [M, 90.5],
    [L, 101],
    [R, 101],
  ],
};

const RED = '#c8202f';
const BLACK = '#1b2026';
const TWO_COLOURS = { S: BLACK, H: RED, D: RED, C: BLACK };
const FOUR_COLOURS = { S: BLACK, H: RED, D: '#1560c4', C: '#13753b' };
/** All have a contrast of 7:1 on white. */
const STRONG_COLOURS = { S: '#000', H: '#b00018', D: '#0a3fb0', C: '#00591f' };

/** @param {number} x */
const tidy = (x) => String(Math.round(x * 100) / 100);

function pip(suit, x, y, size, upsideDown = false) {
  const scale = tidy((upsideDown ? -1 : 1) * (size / 20));
  return `<path d='${PIPS[suit]}' transform='translate(${x} ${y})scale(${scale})'/>`;
}

/** Draw a rank `high` units high, with its left edge at x and its top at y. */
function glyph(rank, x, y, high, weight, letters = RANKS) {
  const scale = high / 14;
  return (
    `<path d='${letters[rank]}' transform='translate(${tidy(x)} ${tidy(y)})scale(${tidy(scale)})' ` +
    `fill='none' stroke='COLOUR' stroke-width='${tidy(weight / scale)}' ` +
    `stroke-linecap='round' stroke-linejoin='round'/>`
  );
}

function svg(colour, ...parts) {
  const body = parts.join('').replaceAll('COLOUR', colour);
  const tag = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${WIDTH} ${HEIGHT}'`;
  return `${tag} fill='${colour}'>${body}</svg>`
    .replaceAll('#', '%23')
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E');
}

/** Draw a large card: an index at two corners, and pips or a figure between. */
function large(rank, suit, colour, letters = RANKS) {
  const index = glyph(rank, rank === 'T' ? 8.5 : 8, 8, 17, 3.6, letters) + pip(suit, 32, 16.5, 15);
  const corners = `${index}<g transform='rotate(180 50 70)'>${index}</g>`;
  if (rank === 'A') return svg(colour, corners, pip(suit, M, 70, 46));
  if ('JQK'.includes(rank))
    return svg(
      colour,
      corners,
      `<g transform='translate(-8 -11.2)scale(1.16)'>${figure(rank)}</g>`,
    );
  const pips = PLACES[rank].map(([x, y]) => pip(suit, x, y, '9T'.includes(rank) ? 16 : 19, y > 70));
  return svg(colour, corners, ...pips);
}

/** Draw a small card: its index and pip fit in the visible strip of a fanned card. */
function small(rank, suit, colour, letters = RANKS) {
  const index = glyph(rank, rank === 'T' ? 12 : 10, 9, 35, 7.5, letters) + pip(suit, 71, 27, 38);
  return svg(colour, index, pip(suit, 50, 96, 56));
}

/** @typedef {[scope: string, palette: Record<string, string>, suits: string, draw: typeof large]} Faces */

/**
 * Return the selectors of a face. A suit that is home shows its king, since eight aces look alike; its
 * ace, which lies on top, carries the number of the suit.
 * @param {string} scope
 * @param {string} rank
 * @param {string} suit
 */
const selectors = (scope, rank, suit) =>
  [
    `${scope}[data-card="${rank}${suit}"]`,
    ...(rank === 'K' ? [`${scope}[data-home][data-card="A${suit}"]`] : []),
  ].join();

/** @param {Record<string, string>} letters of the ranks to draw @param {...Faces} sets */
function sheet(letters, ...sets) {
  const rules = sets.flatMap(([scope, palette, suits, draw]) =>
    [...suits].flatMap((suit) =>
      Object.keys(letters).map(
        (rank) =>
          `${selectors(scope, rank, suit)}{background-image:` +
          `url("data:image/svg+xml,${draw(rank, suit, palette[suit], letters)}")}`,
      ),
    ),
  );
  return `/* Generated by art/faces.js; do not edit. */\n@layer widgets {\n${rules.join('\n')}\n}\n`;
}

const IN_GERMAN = '[data-indices="german"]';

/** The sheets by name. The page loads the first, and the others when the player chooses them. */
export const SHEETS = {
  'cards.css': () =>
    sheet(RANKS, ['', TWO_COLOURS, 'SHDC', large], ['[data-small] ', TWO_COLOURS, 'SHDC', small]),
  'cards-four.css': () =>
    sheet(
      RANKS,
      ['[data-cards="four"] ', FOUR_COLOURS, 'DC', large],
      ['[data-cards="four"] [data-small] ', FOUR_COLOURS, 'DC', small],
    ),
  'cards-strong.css': () => sheet(RANKS, ['[data-cards="strong"] ', STRONG_COLOURS, 'SHDC', small]),
  'cards-german.css': () =>
    sheet(
      GERMAN,
      [`${IN_GERMAN} `, TWO_COLOURS, 'SHDC', large],
      [`${IN_GERMAN} [data-small] `, TWO_COLOURS, 'SHDC', small],
      [`${IN_GERMAN}[data-cards="four"] `, FOUR_COLOURS, 'DC', large],
      [`${IN_GERMAN}[data-cards="four"] [data-small] `, FOUR_COLOURS, 'DC', small],
      [`${IN_GERMAN}[data-cards="strong"] `, STRONG_COLOURS, 'SHDC', small],
      [`${IN_GERMAN}[data-cards="strong"] [data-small] `, STRONG_COLOURS, 'SHDC', small],
    ),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, draw] of Object.entries(SHEETS)) {
    const target = new URL(`../css/${name}`, import.meta.url);
    if (!process.argv.includes('--check')) writeFileSync(target, draw());
    else if (readFileSync(target, 'utf8') !== draw()) {
      process.stderr.write(`css/${name} is out of date: run \`node art/faces.js\`\n`);
      process.exitCode = 1;
    }
  }
}
