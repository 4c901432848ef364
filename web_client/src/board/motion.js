// One card on the board: its style has its place of rest, and an animation moves it there.

import { isCalm } from '../page/appearance.js';
import { h } from '../widgets/element.js';

/**
 * @typedef {object} Sprite
 * @property {HTMLElement} el
 * @property {string} face '' for a card that lies face down, `NO_FACE` for a new one
 * @property {string} pile
 * @property {number} index
 * @property {number} x of its place of rest
 * @property {number} y
 * @property {Animation | null} motion
 * @property {[number, number]} from the start of the motion, from the place of rest
 * @property {number} tilt the degrees at which it was let go, until its next motion
 */

const SHORTEST_MS = 160;
const LONGEST_MS = 230;
const SHAKE_MS = 240;
const EASE = 'cubic-bezier(.2,.7,.25,1)';
const MS_PER_PX = 0.12;
/** The time between the starts of two cards of a suit that goes home, and of the flight of each. */
const SUIT_STEP_MS = 38;
const SUIT_FLIGHT_MS = 320;
/** The time in which all cards of a deal start. */
const DEAL_MS = 520;
const DEAL_FLIGHT_MS = 240;
/** Added to the index of gliding cards, so that they are above all cards at rest. */
const GLIDING_Z_INDEX = 500;

export const NO_FACE = '-';

/** Make a card that has no face and no place yet. @returns {Sprite} */
export function makeSprite() {
  const el = h('div', { class: 'card' });
  return {
    el,
    face: NO_FACE,
    pile: '',
    index: -1,
    x: 0,
    y: 0,
    motion: null,
    from: [0, 0],
    tilt: 0,
  };
}

/** Return the distance of a card from its place of rest at this moment. @param {Sprite} sprite */
function currentOffset({ motion, from: [x, y] }) {
  const progress = motion?.effect?.getComputedTiming().progress;
  if (!motion || motion.playState === 'finished') return [0, 0];
  const eased = 1 - (1 - (progress ?? 0)) ** 3; // nearly `EASE`, which cannot be evaluated here
  return [x * (1 - eased), y * (1 - eased)];
}

/**
 * Put a card in its place; it glides there from where it is seen now.
 * @param {Sprite} sprite
 * @param {number} x
 * @param {number} y
 * @param {boolean | 'back' | 'home'} glide `back` after a drag without result: quickly from any
 *   distance; `home` as a card of a complete suit
 * @param {number} [turn] the number of cards of its suit that go home before it
 */
export function place(sprite, x, y, glide, turn = 0) {
  if (sprite.x === x && sprite.y === y) return;
  const [offsetX = 0, offsetY = 0] = currentOffset(sprite);
  const dx = sprite.x + offsetX - x;
  const dy = sprite.y + offsetY - y;
  stop(sprite);
  sprite.x = x;
  sprite.y = y;
  sprite.el.style.left = `${x}px`;
  sprite.el.style.top = `${y}px`;
  if (!glide || isCalm()) return;
  const distance = glide === 'back' ? 0 : Math.hypot(dx, dy);
  const home = glide === 'home';
  const duration = home ? SUIT_FLIGHT_MS : Math.min(LONGEST_MS, SHORTEST_MS + distance * MS_PER_PX);
  fly(sprite, dx, dy, duration, home ? turn * SUIT_STEP_MS : 0);
}

/** End the motion of a card, which is no longer above the others. @param {Sprite} sprite */
export function stop(sprite) {
  if (!sprite.motion) return;
  sprite.motion.cancel();
  sprite.motion = null;
  sprite.el.style.zIndex = String(sprite.index);
}

/**
 * Let a card glide to its place of rest.
 * @param {Sprite} sprite
 * @param {number} dx where it comes from
 * @param {number} dy
 * @param {number} duration
 * @param {number} delay
 * @param {boolean} [unseen] whether it cannot be seen before it starts
 */
function fly(sprite, dx, dy, duration, delay, unseen = false) {
  sprite.from = [dx, dy];
  sprite.el.style.zIndex = String(GLIDING_Z_INDEX + sprite.index);
  const tilt = sprite.tilt && ` rotate(${sprite.tilt}deg)`;
  sprite.tilt = 0;
  const start = { transform: `translate(${dx}px,${dy}px)${tilt || ''}` };
  const seen = unseen
    ? [
        { ...start, opacity: 0 },
        { opacity: 1, offset: 0.01 },
      ]
    : [start];
  const frames = [...seen, { transform: 'none' }];
  const motion = sprite.el.animate(frames, { duration, delay, easing: EASE, fill: 'backwards' });
  sprite.motion = motion;
  motion.onfinish = () => {
    if (sprite.motion !== motion) return;
    sprite.motion = null;
    sprite.el.style.zIndex = String(sprite.index);
  };
}

/**
 * Let cards that are in their places fly there from the stock, one after another. Meanwhile they can
 * already be taken at their places. Cards with their faces up are not shown on the stock.
 * @param {readonly Sprite[]} sprites in the order of dealing
 * @param {{x: number, y: number}} stock
 */
export function dealOut(sprites, stock) {
  if (isCalm()) return;
  sprites.forEach((sprite, i) => {
    const delay = (i * DEAL_MS) / sprites.length;
    const [dx, dy] = [stock.x - sprite.x, stock.y - sprite.y];
    fly(sprite, dx, dy, DEAL_FLIGHT_MS, delay, sprite.face !== '');
  });
}

/** Animate the turn of a card to its face. @param {Sprite} sprite */
export function turnUp(sprite) {
  if (isCalm() || sprite.motion) return;
  const frames = [{ transform: 'scaleX(.05)' }, { transform: 'none' }];
  sprite.el.animate(frames, { duration: SHORTEST_MS, easing: 'ease-out' });
}

/** Shake a card to the left and right. @param {Sprite} sprite */
export function shake({ el }) {
  if (isCalm()) return;
  const frames = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  el.animate(frames, { duration: SHAKE_MS });
}
