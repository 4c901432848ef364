// Draws the card faces: `npm run generate` writes css/cards*.css, `npm run check` compares them.
//
// All drawings are of this project: four pips, thirteen ranks in strokes and two German ones, three
// figures, and the rules that combine them. Small cards have a large index and one big pip, large
// cards the usual pips and figures. The strong palette is large print: its cards look like small ones
// at any size.

import { readFileSync, writeFileSync } from 'node:fs';

/** Pips in a box of 20 by 20, centred on 0. */
const PIPS = {
  S: 'M0-10C3-5 9-2 9 3.5 9 8.5 3.5 9 1.2 5.500Q1.5 8.5 4 10H-4Q-1.5 8.5-1.2 5.500C-3.5 9-9 8.5-9 3.5-9-2-3-5 0-10Z',
  H: 'M0 10C-3 5.5-9.5 1-9.5-4.5-9.5-10-2.5-11 0-5.5 2.5-11 9.5-10 9.5-4.5 9.5 1 3 5.5 0 10Z',
  D: 'M0-10.500Q3.5-4 8 0 3.5 4 0 10.5-3.5 4-8 0-3.5-4 0-10.500Z',
  C: 'M0-10A4.6 4.6 0 0 1 3.6-2.4 4.6 4.6 0 1 1 1.3 4.800Q1.6 8.5 4 10H-4Q-1.6 8.5-1.3 4.800A4.6 4.6 0 1 1-3.6-2.4 4.6 4.6 0 0 1 0-10Z',
};

/** Ranks as strokes in a box of 10 by 14. */
const RANKS = {
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

/** The pips of a large card: each in one of three columns, at a height. */
const PLACES = {
  2: 'M43 M97',
  3: 'M43 M70 M97',
  4: 'L43 R43 L97 R97',
  5: 'L43 R43 M70 L97 R97',
  6: 'L43 R43 L70 R70 L97 R97',
  7: 'L43 R43 M56.5 L70 R70 L97 R97',
  8: 'L43 R43 M56.5 L70 R70 M83.5 L97 R97',
  9: 'L39 R39 L60 R60 M70 L80 R80 L101 R101',
  T: 'L39 R39 M49.5 L60 R60 L80 R80 M90.5 L101 R101',
};
const COLUMNS = { L: 25, M: 50, R: 75 };

/** What the shapes of figures are filled and drawn with. COLOUR is the colour of the suit. */
const FILLS = { suit: 'COLOUR', gold: '#e3a72f', skin: '#f7dcc0', hair: '#7a4a21', none: 'none' };
const PENS = {
  '-': '',
  edge: "stroke='COLOUR' stroke-width='1' stroke-linejoin='round'",
  fine: "stroke='COLOUR' stroke-width='1'",
  ink: "stroke='#1b2026' stroke-width='1.6' stroke-linecap='round'",
  red: "stroke='#b3202c' stroke-width='1.6' stroke-linecap='round'",
  skin: "stroke='#f7dcc0' stroke-width='1.4' stroke-linecap='round'",
  gold: "stroke='#e3a72f' stroke-width='2.600' stroke-linecap='round'",
  stem: "stroke='#13753b' stroke-width='2'",
  white: "stroke='#fff' stroke-width='1'",
};

/**
 * The upper halves of jack, queen and king, which are drawn twice, as on every pack of cards. A line is a
 * shape: its fill, its pen and its path, in the box from 24 to 76 and from 30 to 70.
 */
const HALVES = {
  J: `
    suit - M27 71C28 61 38 59 44 58H56C62 59 72 61 73 71Z
    hair - M40 40V54C44 57 45 52 44.500 47V40ZM60 40V54C56 57 55 52 55.500 47V40Z
    skin edge M43 40H57V49.500C57 59 43 59 43 49.500Z
    suit - M40 41C38 34 44 31.500 51 32.500 58 32 63 36 60 41 54 38.500 46 38.500 40 41Z
    gold edge M57 36C60 29 68 29 73 33 69 39 62 40 57 36Z
    gold edge M44 58 50 66 56 58 60 60 50 70 40 60Z
    gold edge M32 70V44L30 40 33.500 34 37 40 35 44V70Z
    none ink M45.500 46h2M52.500 46h2`,
  Q: `
    suit - M27 71C28 63 36 60 43 60H57C64 60 72 63 73 71Z
    hair - M42 38C36 44 37 56 35 62 40 65 45 62 45 56H55C55 62 60 65 65 62 63 56 64 44 58 38Z
    skin edge M43 40H57V49.500C57 59 43 59 43 49.500Z
    none red M47.500 52.500Q50 54 52.500 52.500
    gold edge M42 41 39.500 33 45 37 50 31 55 37 60.500 33 58 41Q50 38.500 42 41Z
    gold edge M42 60C44 67 56 67 58 60L54 57.500Q50 60 46 57.500Z
    none stem M67 70V56
    suit white M67 57C61 55 62 48 67 49.500 72 48 73 55 67 57Z
    none ink M45.500 46h2M52.500 46h2`,
  K: `
    suit - M26 71C27 60 37 58 43 57H57C63 58 73 60 74 71Z
    gold edge M40 57 50 70H44L35 60ZM60 57 50 70H56L65 60Z
    skin edge M43 40H57V49.500C57 59 43 59 43 49.500Z
    hair - M42 44C40 58 44 65 50 66 56 65 60 58 58 44 57 50 54 51 50 50.500 46 51 43 50 42 44Z
    none skin M47.500 54H52.500
    gold edge M41 41 38 31 44.500 35.500 50 29.500 55.500 35.500 62 31 59 41Q50 38.500 41 41Z
    none fine M48.500 34.500H51.500M50 33V36
    none gold M69 70V38M65 43.500H73
    none ink M45.500 46h2M52.500 46h2`,
};

/** Draw a figure. @param {string} rank */
function figure(rank) {
  const lines = HALVES[rank].matchAll(/(\S+) (\S+) (.+)/g);
  const shapes = Array.from(
    lines,
    ([, fill, pen, path]) => `<path d='${path}' fill='${FILLS[fill]}' ${PENS[pen]}/>`,
  );
  const half = shapes.join('');
  return `${half}<g transform='rotate(180 50 70)'>${half}</g>`;
}

/** @param {number} x */
const tidy = (x) => String(Math.round(x * 100) / 100);

function pip(suit, x, y, size, upsideDown = false) {
  const scale = tidy((upsideDown ? -1 : 1) * (size / 20));
  return `<path d='${PIPS[suit]}' transform='translate(${x} ${y})scale(${scale})'/>`;
}

/** Draw a rank `high` units high, with its left edge at x and its top at y. */
function glyph(rank, x, y, high, weight, letters) {
  const scale = high / 14;
  return (
    `<path d='${letters[rank]}' transform='translate(${tidy(x)} ${tidy(y)})scale(${tidy(scale)})' ` +
    `fill='none' stroke='COLOUR' stroke-width='${tidy(weight / scale)}' ` +
    `stroke-linecap='round' stroke-linejoin='round'/>`
  );
}

function svg(colour, ...parts) {
  const body = parts.join('').replaceAll('COLOUR', colour);
  const tag = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 140'`;
  return `${tag} fill='${colour}'>${body}</svg>`.replace(/[#<>]/g, encodeURIComponent);
}

/** Draw a large card: an index at two corners, and pips or a figure between. */
function large(rank, suit, colour, letters) {
  const index = glyph(rank, rank === 'T' ? 8.5 : 8, 8, 17, 3.6, letters) + pip(suit, 32, 16.5, 15);
  const corners = `${index}<g transform='rotate(180 50 70)'>${index}</g>`;
  if (rank === 'A') return svg(colour, corners, pip(suit, 50, 70, 46));
  if (rank in HALVES) {
    const place = "transform='translate(-8 -11.2)scale(1.16)'";
    return svg(colour, corners, `<g ${place}>${figure(rank)}</g>`);
  }
  const pips = PLACES[rank].split(' ').map((place) => {
    const y = Number(place.slice(1));
    return pip(suit, COLUMNS[place[0]], y, '9T'.includes(rank) ? 16 : 19, y > 70);
  });
  return svg(colour, corners, ...pips);
}

/** Draw a small card: its index and pip fit in the visible strip of a fanned card. */
function small(rank, suit, colour, letters) {
  const index = glyph(rank, rank === 'T' ? 12 : 10, 9, 35, 7.5, letters) + pip(suit, 71, 27, 38);
  return svg(colour, index, pip(suit, 50, 96, 56));
}

/**
 * Return the rules of faces. A suit that is home shows its king, since eight aces look alike; its ace,
 * which lies on top, carries the number of the suit.
 */
function rulesOf(letters, scope, colours, draw) {
  const within = scope && `${scope.trim()} `;
  return Object.entries(colours).flatMap(([suit, colour]) =>
    Object.keys(letters).map((rank) => {
      const king = rank === 'K' ? `,${within}[data-home][data-card="A${suit}"]` : '';
      const face = `url("data:image/svg+xml,${draw(rank, suit, colour, letters)}")`;
      return `${within}[data-card="${rank}${suit}"]${king}{background-image:${face}}`;
    }),
  );
}

/** Return the sheet of palettes. @param {string} language the scope of the letters */
function sheet(letters, language, ...palettes) {
  const rules = palettes.flatMap(({ scope, colours, draws }) =>
    draws.flatMap(([size, draw]) => rulesOf(letters, language + scope + size, colours, draw)),
  );
  return `/* Generated by art/faces.js; do not edit. */\n@layer widgets {\n${rules.join('\n')}\n}\n`;
}

const RED = '#c8202f';
const BLACK = '#1b2026';
const BY_SIZE = [
  ['', large],
  [' [data-small]', small],
];
/** The colours that a palette changes. The strong ones have a contrast of 7:1 on white. */
const [two, four, strong] = [
  { scope: '', colours: { S: BLACK, H: RED, D: RED, C: BLACK }, draws: BY_SIZE },
  { scope: '[data-cards="four"]', colours: { D: '#1560c4', C: '#13753b' }, draws: BY_SIZE },
  {
    scope: '[data-cards="strong"]',
    colours: { S: '#000', H: '#b00018', D: '#0a3fb0', C: '#00591f' },
    draws: [['', small]],
  },
];
/** The sheets by name. The page loads the first, and the others when the player chooses them. */
const SHEETS = {
  'cards.css': sheet(RANKS, '', two),
  'cards-four.css': sheet(RANKS, '', four),
  'cards-strong.css': sheet(RANKS, '', strong),
  'cards-german.css': sheet(GERMAN, '[data-indices="german"]', two, four, strong),
};

for (const [name, text] of Object.entries(SHEETS)) {
  const target = new URL(`../css/${name}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write(`css/${name} is out of date: run \`node art/faces.js\`\n`);
    process.exitCode = 1;
  }
}
