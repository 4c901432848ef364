// One card on the board: at rest it has left and top, while it glides an animation and nothing else.

import { isCalm } from '../shared/appearance.js';

/**
 * @typedef {object} Sprite
 * @property {HTMLElement} el
 * @property {string} face '' for a card that lies face down
 * @property {string} pile
 * @property {number} index
 * @property {number} x of its place of rest
 * @property {number} y
 * @property {Animation | null} motion
 * @property {[number, number]} from the start of the motion, from the place of rest
 */

const SHORTEST_MS = 160;
const LONGEST_MS = 230;
const SHAKE_MS = 240;
const EASE = 'cubic-bezier(.2,.7,.25,1)';
/** Cards that go one after another: the time between two, and how long each flies. */
const SUIT_STEP_MS = 38;
const SUIT_FLIGHT_MS = 320;
/** All cards of a deal are on their way within this time. */
const DEAL_MS = 520;
const DEAL_FLIGHT_MS = 240;
/** Gliding cards are above all cards at rest. */
const ABOVE = 500;

/** Make a card that has no face and no place yet. @returns {Sprite} */
export function makeSprite() {
  const el = document.createElement('div');
  el.className = 'card';
  return { el, face: '-', pile: '', index: -1, x: 0, y: 0, motion: null, from: [0, 0] };
}

/** Return how far the card is seen from its place of rest. @param {Sprite} sprite */
function away({ motion, from: [x, y] }) {
  const progress = motion?.effect?.getComputedTiming().progress;
  if (!motion || motion.playState === 'finished') return [0, 0];
  const eased = 1 - (1 - (progress ?? 0)) ** 3;
  return [x * (1 - eased), y * (1 - eased)];
}

/**
 * Put a card in its place; it glides there from where it is seen now.
 *
 * @param {Sprite} sprite
 * @param {number} x
 * @param {number} y
 * @param {boolean | 'back' | 'home'} glide `back` from a drag without result: quickly, however far;
 *   `home` as one of a complete suit
 * @param {number} [turn] how many cards of its suit go home before it
 */
export function place(sprite, x, y, glide, turn = 0) {
  if (sprite.x === x && sprite.y === y) return;
  const [ax = 0, ay = 0] = away(sprite);
  const dx = sprite.x + ax - x;
  const dy = sprite.y + ay - y;
  stop(sprite);
  sprite.x = x;
  sprite.y = y;
  sprite.el.style.left = `${x}px`;
  sprite.el.style.top = `${y}px`;
  if (!glide || isCalm()) return;
  const far = glide === 'back' ? 0 : Math.hypot(dx, dy);
  const home = glide === 'home';
  const duration = home ? SUIT_FLIGHT_MS : Math.min(LONGEST_MS, SHORTEST_MS + far * 0.12);
  fly(sprite, dx, dy, duration, home ? turn * SUIT_STEP_MS : 0);
}

/** End the motion of a card, which is no longer above the others. @param {Sprite} sprite */
export function stop(sprite) {
  if (!sprite.motion) return;
  sprite.motion.cancel();
  sprite.motion = null;
  sprite.el.style.zIndex = String(sprite.index);
}

/** Let a card glide to its place of rest. @param {Sprite} sprite @param {number} dx where it comes from @param {number} dy @param {number} duration @param {number} delay */
function fly(sprite, dx, dy, duration, delay) {
  sprite.from = [dx, dy];
  sprite.el.style.zIndex = String(ABOVE + sprite.index);
  const frames = [{ transform: `translate(${dx}px,${dy}px)` }, { transform: 'none' }];
  const motion = sprite.el.animate(frames, { duration, delay, easing: EASE, fill: 'backwards' });
  sprite.motion = motion;
  motion.onfinish = () => {
    if (sprite.motion !== motion) return;
    sprite.motion = null;
    sprite.el.style.zIndex = String(sprite.index);
  };
}

/**
 * Let cards that rest in their places fly there from the stock, one after another. They can be taken
 * at once, where they will be.
 *
 * @param {readonly Sprite[]} sprites in the order of dealing
 * @param {{x: number, y: number}} stock
 */
export function dealOut(sprites, stock) {
  if (isCalm()) return;
  sprites.forEach((sprite, i) => {
    const delay = (i * DEAL_MS) / sprites.length;
    fly(sprite, stock.x - sprite.x, stock.y - sprite.y, DEAL_FLIGHT_MS, delay);
  });
}

/** @param {Sprite} sprite */
export function turnUp(sprite) {
  if (isCalm() || sprite.motion) return;
  const frames = [{ transform: 'scaleX(.05)' }, { transform: 'none' }];
  sprite.el.animate(frames, { duration: SHORTEST_MS, easing: 'ease-out' });
}

/** @param {Sprite} sprite */
export function shake({ el }) {
  if (isCalm()) return;
  const frames = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  el.animate(frames, { duration: SHAKE_MS });
}
