// The flight of cards that leave their piles after a win and bounce along the lower edge, as in old
// programs. Pure: the random numbers come from a function.

/** The time until the last card has gone. */
export const DURATION_S = 6;
/** The time within which all cards leave their piles. */
const LAUNCHES_S = 3.6;
/** In px/s². */
const GRAVITY = 2_200;
/** The part of the speed that is left after a bounce. */
const BOUNCE = 0.78;
const MOST_BOUNCES = 20;

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {object} Flight
 * @property {string} face
 * @property {number} start seconds until it leaves its pile
 * @property {(seconds: number) => Point | null} at null while it has not left, and when it has gone
 */

/**
 * Make the flights: one card after another, from the piles in turn.
 * @param {{width: number, height: number, cardWidth: number, cardHeight: number}} room
 * @param {readonly Point[]} piles where the cards begin
 * @param {readonly string[]} faces in the order in which they leave
 * @param {() => number} chance from 0 to 1
 * @returns {Flight[]}
 */
export function cascade({ width, height, cardWidth, cardHeight }, piles, faces, chance) {
  const floor = height - cardHeight;
  return faces.map((face, i) => {
    const from = piles[i % piles.length] ?? { x: width / 2, y: 0 };
    const start = (i * LAUNCHES_S) / faces.length;
    const toLeft = from.x > width * (0.25 + chance() * 0.5);
    const speed = (toLeft ? -1 : 1) * width * (0.25 + chance() * 0.45);
    const up = chance() * 260;
    return {
      face,
      start,
      at(seconds) {
        const t = seconds - start;
        const x = from.x + speed * t;
        if (t < 0 || x < -cardWidth || x > width) return null;
        return { x, y: heightAfter(Math.min(from.y, floor), -up, floor, t) };
      },
    };
  });
}

/**
 * Return the y of a card that falls and bounces for some time.
 * @param {number} y
 * @param {number} speed downwards
 * @param {number} floor
 * @param {number} seconds
 */
function heightAfter(y, speed, floor, seconds) {
  let [from, v, rest] = [y, speed, seconds];
  for (let bounces = 0; bounces < MOST_BOUNCES; bounces += 1) {
    const fall = (Math.sqrt(v * v + 2 * GRAVITY * (floor - from)) - v) / GRAVITY;
    if (rest <= fall) return from + v * rest + (GRAVITY * rest * rest) / 2;
    rest -= fall;
    v = -(v + GRAVITY * fall) * BOUNCE;
    from = floor;
  }
  return floor;
}
