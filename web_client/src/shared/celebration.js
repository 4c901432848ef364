// A small celebration of a game that came home: a shower of pips, over in three seconds and in
// nobody's way. Who wants no motion gets a still ornament instead.

import { calm } from './appearance.js';
import { confetti, LASTING } from './confetti.js';
import { h } from './element.js';

const STILL = 4_000;
const SHARPEST = 2;

let last = '';

/**
 * Celebrates once.
 *
 * @param {string} what this is for: the same thing is not celebrated again
 */
export function celebrate(what) {
  if (what === last) return;
  last = what;
  if (calm()) ornament();
  else shower();
}

/** Four suits that stand for a while. */
function ornament() {
  const pips = [...'♠♥♣♦'].map((text) => h('span', { text }));
  const element = h(
    'div',
    { class: 'ornament', id: 'celebration', 'aria-hidden': 'true' },
    ...pips,
  );
  document.body.append(element);
  setTimeout(() => element.remove(), STILL);
}

function shower() {
  const canvas = h('canvas', { class: 'shower', id: 'celebration', 'aria-hidden': 'true' });
  const context = canvas.getContext('2d');
  if (!context) return;
  const { innerWidth: width, innerHeight: height } = window;
  const scale = Math.min(SHARPEST, devicePixelRatio);
  canvas.width = width * scale;
  canvas.height = height * scale;
  document.body.append(canvas);
  const pieces = confetti(width, height, Math.random);
  const start = performance.now();

  function draw() {
    if (!context) return;
    const seconds = (performance.now() - start) / 1_000;
    if (seconds > LASTING) {
      canvas.remove();
      return;
    }
    context.resetTransform();
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const piece of pieces) {
      const { x, y, turn, fade } = piece.at(seconds);
      const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale];
      context.setTransform(cos, sin, -sin, cos, x * scale, y * scale);
      context.globalAlpha = fade;
      context.font = `${piece.size}px sans-serif`;
      context.fillStyle = piece.colour;
      context.fillText(piece.pip, 0, 0);
    }
    requestAnimationFrame(draw);
  }
  draw();
}
