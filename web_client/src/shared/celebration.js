// A small celebration of a game that was won: a shower of pips, over in three seconds, which blocks
// nothing. Players who want no motion get a still ornament instead.

import { isCalm } from './appearance.js';
import { confetti, DURATION_S } from './confetti.js';
import { h, sheet } from './element.js';

const STILL_MS = 4_000;
const MAX_SCALE = 2;

let last = '';

/**
 * Celebrate an event once.
 *
 * @param {string} what names the event: the same one is not celebrated again
 */
export function celebrate(what) {
  if (what === last) return;
  last = what;
  const show = isCalm() ? ornament : shower;
  sheet('celebration').then(show, () => {}); // without its sheet it would be in the way
}

/** Show four suits for a while. */
function ornament() {
  const pips = [...'♠♥♣♦'].map((text) => h('span', { text }));
  const element = h(
    'div',
    {
      class: 'celebration-ornament',
      id: 'celebration',
      'data-part': 'ornament',
      'aria-hidden': 'true',
    },
    ...pips,
  );
  document.body.append(element);
  setTimeout(() => element.remove(), STILL_MS);
}

function shower() {
  const canvas = h('canvas', {
    class: 'celebration-shower',
    id: 'celebration',
    'data-part': 'shower',
    'aria-hidden': 'true',
  });
  const context = canvas.getContext('2d');
  if (!context) return;
  const { innerWidth: width, innerHeight: height } = window;
  const scale = Math.min(MAX_SCALE, devicePixelRatio);
  canvas.width = width * scale;
  canvas.height = height * scale;
  document.body.append(canvas);
  const pieces = confetti(width, height, Math.random);
  const start = performance.now();

  function draw() {
    if (!context) return;
    const seconds = (performance.now() - start) / 1_000;
    if (seconds > DURATION_S) {
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
