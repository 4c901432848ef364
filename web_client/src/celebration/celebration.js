// The celebration of a win. For the winner pips fly up from below; the win of a rival sweeps over the
// page once. Both are over in a few seconds and catch no pointer. Without motion they stand still. The
// status line says the same to screen readers.

import { isCalm } from '../page/appearance.js';
import { h, loadSheet } from '../widgets/element.js';
import { seatMark } from '../widgets/marks.js';

const ORNAMENT_MS = 4_000;
const SWEEP_MS = 2_000;
/** The time until the last pip has gone. */
const CONFETTI_S = 3;
const PIECES = 70;
/** In px/s². */
const GRAVITY = 900;
const MAX_SCALE = 2;
const PIPS = /** @type {const} */ ([
  ['♠', '#f4f4ef'],
  ['♥', '#ff7b72'],
  ['♣', '#7be0b0'],
  ['♦', '#ffd766'],
]);

/** The event that was celebrated last. */
let latest = '';

/** Celebrate an event of this player once. @param {string} event its name */
export function celebrate(event) {
  if (event === latest) return;
  latest = event;
  showWithSheet(isCalm() ? showOrnament : showConfetti);
}

/**
 * Show the win of a rival for two seconds, or until another screen is shown.
 * @param {string} name
 * @param {string} words after the name
 * @param {string} colour of the seat
 */
export function sweep(name, words, colour) {
  const element = h(
    'div',
    {
      class: 'celebration-sweep mark-tone',
      id: 'sweep',
      'data-colour': colour,
      'aria-hidden': 'true',
    },
    h(
      'p',
      { class: 'celebration-winner' },
      seatMark(colour),
      h('bdi', { class: 'text-cut', text: name }),
      h('span', { text: words }),
    ),
  );
  showWithSheet(() => {
    document.getElementById('screen')?.append(element);
    setTimeout(() => element.remove(), SWEEP_MS);
  });
}

/** Show something once its style sheet is there: without it it would take room in the page. @param {() => void} show */
const showWithSheet = (show) => loadSheet('celebration').then(show, () => {});

/** Show four suits for a while. */
function showOrnament() {
  const element = h(
    'div',
    { class: 'celebration-ornament', id: 'celebration', 'aria-hidden': 'true' },
    ...PIPS.map(([text]) => h('span', { text })),
  );
  document.body.append(element);
  setTimeout(() => element.remove(), ORNAMENT_MS);
}

/**
 * Make the flights of the pips: half of them come from each of the lower corners, and they meet in the
 * middle.
 * @param {number} width
 * @param {number} height
 */
function makeFlights(width, height) {
  const highest = Math.sqrt(2 * GRAVITY * height);
  return Array.from({ length: PIECES }, (_, i) => {
    const [pip, colour] = PIPS[(i >> 1) % PIPS.length] ?? PIPS[0];
    const fromLeft = i % 2 === 0;
    const sideways = (fromLeft ? 1 : -1) * (0.05 + Math.random() * 0.5) * width;
    const up = highest * (0.6 + Math.random() * 0.4);
    const spin = (Math.random() - 0.5) * 12;
    const delay_s = Math.random() * 0.35;
    return {
      pip,
      colour,
      size: Math.round(16 + Math.random() * 22),
      /** Return the place and the turn at a time. @param {number} seconds */
      at(seconds) {
        const t = Math.max(0, seconds - delay_s);
        const x = (fromLeft ? 0 : width) + sideways * t;
        return { x, y: height + 20 - up * t + (GRAVITY * t * t) / 2, turn: spin * t };
      },
    };
  });
}

/** Let pips fly over the page. */
function showConfetti() {
  const canvas = h('canvas', {
    class: 'celebration-confetti',
    id: 'celebration',
    'aria-hidden': 'true',
  });
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const { innerWidth: width, innerHeight: height } = window;
  const scale = Math.min(MAX_SCALE, devicePixelRatio);
  canvas.width = width * scale;
  canvas.height = height * scale;
  const flights = makeFlights(width, height);
  document.body.append(canvas);
  const start = performance.now();

  /** Draw a frame, and request the next one. @param {CanvasRenderingContext2D} on */
  function draw(on) {
    const seconds = (performance.now() - start) / 1_000;
    if (seconds > CONFETTI_S) {
      canvas.remove();
      return;
    }
    on.resetTransform();
    on.clearRect(0, 0, canvas.width, canvas.height);
    on.globalAlpha = Math.min(1, (CONFETTI_S - seconds) * 2);
    on.textAlign = 'center';
    on.textBaseline = 'middle';
    for (const { pip, colour, size, at } of flights) {
      const { x, y, turn } = at(seconds);
      const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale];
      on.setTransform(cos, sin, -sin, cos, x * scale, y * scale);
      on.font = `${size}px sans-serif`;
      on.fillStyle = colour;
      on.fillText(pip, 0, 0);
    }
    requestAnimationFrame(() => draw(on));
  }
  draw(pen);
}
