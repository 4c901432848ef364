// One card on the board: at rest it has left and top, on its way an animation and nothing else.

import { calm } from '../shared/appearance.js';

/**
 * @typedef {object} Sprite
 * @property {HTMLElement} el
 * @property {string} face '' while it lies face down
 * @property {string} pile
 * @property {number} index
 * @property {number} x where it rests
 * @property {number} y
 * @property {Animation | null} motion
 * @property {[number, number]} from what the motion started at, from the place of rest
 * @property {string} marks
 */

const SHORTEST = 160;
const LONGEST = 230;
const EASE = 'cubic-bezier(.2,.7,.25,1)';
/** Cards on their way are above all that rest. */
const ABOVE = 500;

/** @returns {Sprite} */
export function makeSprite() {
  const el = document.createElement('div');
  el.className = 'card';
  return { el, face: '-', pile: '', index: -1, x: 0, y: 0, motion: null, from: [0, 0], marks: '' };
}

/** How far the eye sees the card from its place of rest. @param {Sprite} sprite */
function away({ motion, from: [x, y] }) {
  const progress = motion?.effect?.getComputedTiming().progress;
  if (!motion || motion.playState === 'finished') return [0, 0];
  const eased = 1 - (1 - (progress ?? 0)) ** 3;
  return [x * (1 - eased), y * (1 - eased)];
}

/**
 * Puts a card in its place, gliding there from where it is seen now.
 *
 * @param {Sprite} sprite
 * @param {number} x
 * @param {number} y
 * @param {boolean | 'back'} glide `back` from a drag that came to nothing: at once, however far
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
  if (!glide || calm()) return;
  const far = glide === 'back' ? 0 : Math.hypot(dx, dy);
  const duration = Math.min(LONGEST, SHORTEST + far * 0.12);
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
  if (calm() || sprite.motion) return;
  const frames = [{ transform: 'scaleX(.05)' }, { transform: 'none' }];
  sprite.el.animate(frames, { duration: SHORTEST, easing: 'ease-out' });
}

/** @param {Sprite} sprite */
export function shake({ el }) {
  if (calm()) return;
  const frames = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  el.animate(frames, { duration: 240 });
}
