// The flight of pips that are thrown up from below. Pure: the random numbers come from a function.

/** The time until the last pip has gone. */
export const DURATION_S = 3;
const PIECES = 70;
/** In px/s². */
const GRAVITY = 900;
const PIPS = /** @type {const} */ ([
  ['♠', '#f4f4ef'],
  ['♥', '#ff7b72'],
  ['♣', '#7be0b0'],
  ['♦', '#ffd766'],
]);

/**
 * @typedef {object} Piece
 * @property {string} pip
 * @property {string} colour
 * @property {number} size
 * @property {(seconds: number) => {x: number, y: number, turn: number, fade: number}} at
 */

/**
 * Make the pieces: half of them come from each of the lower corners, and they meet in the middle.
 * @param {number} width
 * @param {number} height
 * @param {() => number} chance from 0 to 1
 * @returns {Piece[]}
 */
export function confetti(width, height, chance) {
  const highest = Math.sqrt(2 * GRAVITY * height);
  return Array.from({ length: PIECES }, (_, i) => {
    const [pip, colour] = PIPS[(i >> 1) % PIPS.length] ?? PIPS[0];
    const left = i % 2 === 0;
    const start = left ? 0 : width;
    const sideways = (left ? 1 : -1) * (0.05 + chance() * 0.5) * width;
    const up = highest * (0.6 + chance() * 0.4);
    const spin = (chance() - 0.5) * 12;
    const delay = chance() * 0.35;
    return {
      pip,
      colour,
      size: Math.round(16 + chance() * 22),
      at(seconds) {
        const t = Math.max(0, seconds - delay);
        return {
          x: start + sideways * t,
          y: height + 20 - up * t + (GRAVITY * t * t) / 2,
          turn: spin * t,
          fade: Math.max(0, Math.min(1, (DURATION_S - seconds) * 2)),
        };
      },
    };
  });
}
