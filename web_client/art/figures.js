// The figures of jack, queen and king: half a figure, drawn twice, as on every pack of cards.
//
// A half stands in the box from 24 to 76 and from 30 to 70. COLOUR is the colour of the suit.

const GOLD = '#e3a72f';
const SKIN = '#f7dcc0';
const HAIR = '#7a4a21';
const LINE = "stroke='COLOUR' stroke-width='1' stroke-linejoin='round'";

/** @param {string} d @param {string} fill @param {string} [more] */
const shape = (d, fill, more = '') => `<path d='${d}' fill='${fill}' ${more}/>`;
const eyes = shape(
  'M45.500 46h2M52.500 46h2',
  'none',
  "stroke='#1b2026' stroke-width='1.6' stroke-linecap='round'",
);
const face = shape('M43 40H57V49.500C57 59 43 59 43 49.500Z', SKIN, LINE);

/** @type {Record<string, string>} */
const HALVES = {
  J:
    shape('M27 71C28 61 38 59 44 58H56C62 59 72 61 73 71Z', 'COLOUR') +
    shape('M40 40V54C44 57 45 52 44.500 47V40ZM60 40V54C56 57 55 52 55.500 47V40Z', HAIR) +
    face +
    shape(
      'M40 41C38 34 44 31.500 51 32.500 58 32 63 36 60 41 54 38.500 46 38.500 40 41Z',
      'COLOUR',
    ) +
    shape('M57 36C60 29 68 29 73 33 69 39 62 40 57 36Z', GOLD, LINE) +
    shape('M44 58 50 66 56 58 60 60 50 70 40 60Z', GOLD, LINE) +
    shape('M32 70V44L30 40 33.500 34 37 40 35 44V70Z', GOLD, LINE),
  Q:
    shape('M27 71C28 63 36 60 43 60H57C64 60 72 63 73 71Z', 'COLOUR') +
    shape(
      'M42 38C36 44 37 56 35 62 40 65 45 62 45 56H55C55 62 60 65 65 62 63 56 64 44 58 38Z',
      HAIR,
    ) +
    face +
    shape(
      'M47.500 52.500Q50 54 52.500 52.500',
      'none',
      "stroke='#b3202c' stroke-width='1.6' stroke-linecap='round'",
    ) +
    shape('M42 41 39.500 33 45 37 50 31 55 37 60.500 33 58 41Q50 38.500 42 41Z', GOLD, LINE) +
    shape('M42 60C44 67 56 67 58 60L54 57.500Q50 60 46 57.500Z', GOLD, LINE) +
    shape('M67 70V56', 'none', "stroke='#13753b' stroke-width='2'") +
    shape(
      'M67 57C61 55 62 48 67 49.500 72 48 73 55 67 57Z',
      'COLOUR',
      "stroke='#fff' stroke-width='1'",
    ),
  K:
    shape('M26 71C27 60 37 58 43 57H57C63 58 73 60 74 71Z', 'COLOUR') +
    shape('M40 57 50 70H44L35 60ZM60 57 50 70H56L65 60Z', GOLD, LINE) +
    face +
    shape(
      'M42 44C40 58 44 65 50 66 56 65 60 58 58 44 57 50 54 51 50 50.500 46 51 43 50 42 44Z',
      HAIR,
    ) +
    shape(
      'M47.500 54H52.500',
      'none',
      "stroke='#f7dcc0' stroke-width='1.4' stroke-linecap='round'",
    ) +
    shape(
      'M41 41 38 31 44.500 35.500 50 29.500 55.500 35.500 62 31 59 41Q50 38.500 41 41Z',
      GOLD,
      LINE,
    ) +
    shape('M48.500 34.500H51.500M50 33V36', 'none', "stroke='COLOUR' stroke-width='1'") +
    shape(
      'M69 70V38M65 43.500H73',
      'none',
      `stroke='${GOLD}' stroke-width='2.600' stroke-linecap='round'`,
    ),
};

/**
 * Draw a figure with its mirror image.
 *
 * @param {string} rank
 */
export function figure(rank) {
  const half = HALVES[rank] + eyes;
  return `${half}<g transform='rotate(180 50 70)'>${half}</g>`;
}
