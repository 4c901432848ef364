// The celebration of a win. For the winner pips fly up from below; the first win of a race sweeps over the
// page once. Both are over in a few seconds and catch no pointer. Without motion they stand still. The
// status line says the same to screen readers.

import { isCalm } from '../page/frame.js';
import { seatMark } from '../widgets/controls.js';
import { h, set } from '../widgets/element.js';

const CELEBRATION_MS = 4_000;
const SWEEP_MS = 2_000;
const PIECES = 140;
const PIPS = /** @type {const} */ ([
  ['♠', 'var(--paper)'],
  ['♥', 'var(--warn)'],
  ['♣', 'var(--good)'],
  ['♦', 'var(--gold-text)'],
]);

/** The event that was celebrated last. */
let latest = '';

/** Show an element for a while. @param {HTMLElement} element @param {number} ms @param {Element | null} [place] */
function show(element, ms, place = document.body) {
  place?.append(element);
  setTimeout(() => element.remove(), ms);
}

/** Celebrate a win of this player once: the table and the results both tell of it. @param {string} event the round, `CODE/N` */
export function celebrate(event) {
  if (event === latest) return;
  latest = event;
  const element = h('div', { id: 'celebration', 'aria-hidden': 'true' });
  if (isCalm()) {
    const suits = PIPS.map(([suit]) => suit).join(' ');
    set(element, { class: 'celebration-sweep', text: suits });
  } else {
    set(element, { class: 'celebration-confetti' });
    element.append(...makeConfetti());
  }
  show(element, CELEBRATION_MS);
}

/**
 * Show a win for two seconds, or until another screen is shown.
 * @param {string} name '' for this player
 * @param {string} words after the name
 * @param {string} colour of the seat
 */
export function sweep(name, words, colour) {
  const winner = h('bdi', { class: 'text-cut', text: name });
  const element = h('div', { id: 'sweep', class: 'celebration-sweep mark-tone' });
  set(element, { 'data-colour': colour, 'aria-hidden': 'true' });
  element.append(seatMark(colour), winner, h('span', { text: words }));
  show(element, SWEEP_MS, document.getElementById('screen'));
}

/** Make pips that fly up, half of them from each of the lower corners; they meet in the middle. */
function makeConfetti() {
  const chance = (/** @type {number} */ least, /** @type {number} */ most) =>
    least + Math.random() * (most - least);
  return Array.from({ length: PIECES }, (_, i) => {
    const isLeft = i % 2 === 0;
    // A pip of the same suit flies up from either side.
    const [text, colour] = PIPS[Math.floor(i / 2) % PIPS.length] ?? PIPS[0];
    return h('span', {
      ...{ text, '--colour': colour, '--from': isLeft ? '0%' : '100%' },
      '--across': `${(isLeft ? 1 : -1) * chance(10, 120)}vw`,
      '--up': `${-chance(40, 105)}vh`,
      '--turn': `${chance(-2, 2)}turn`,
      '--delay': `${chance(0, 0.35)}s`,
      '--size': `${chance(16, 38)}px`,
    });
  });
}
