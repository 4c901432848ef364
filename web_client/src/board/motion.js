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
 * @param {boolean | 'back'} glide `back` from a drag without result: quickly, however far
 */
export function place(sprite, x, y, glide) {
  if (sprite.x === x && sprite.y === y) return;
  const [ax = 0, ay = 0] = away(sprite);
  const dx = sprite.x + ax - x;
  const dy = sprite.y + ay - y;
  sprite.motion?.cancel();
  sprite.motion = null;
  sprite.x = x;
  sprite.y = y;
  sprite.el.style.left = `${x}px`;
  sprite.el.style.top = `${y}px`;
  if (!glide || isCalm()) return;
  const far = glide === 'back' ? 0 : Math.hypot(dx, dy);
  const duration = Math.min(LONGEST_MS, SHORTEST_MS + far * 0.12);
  sprite.from = [dx, dy];
  sprite.el.style.zIndex = String(ABOVE + sprite.index);
  const frames = [{ transform: `translate(${dx}px,${dy}px)` }, { transform: 'none' }];
  const motion = sprite.el.animate(frames, { duration, easing: EASE });
  sprite.motion = motion;
  motion.onfinish = () => {
    if (sprite.motion !== motion) return;
    sprite.motion = null;
    sprite.el.style.zIndex = String(sprite.index);
  };
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
