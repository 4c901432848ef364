// The celebration of a win. For the winner, suit symbols (pips) fly up like confetti; for everybody, a line about the
// first win of a race sweeps over the page. Both take a few seconds and let clicks through. With reduced motion they
// stand still. Screen readers read the status line instead.

import { isCalm } from '../page/looks.js';
import { h, set } from '../widgets/element.js';
import { seatMark } from '../widgets/names.js';

const CELEBRATION_MS = 4_000;
const SWEEP_MS = 2_000;
const PIECES = 140;
const PIPS = /** @type {const} */ ([
  ['♠', 'var(--paper)'],
  ['♥', 'var(--warn)'],
  ['♣', 'var(--good)'],
  ['♦', 'var(--gold-text)'],
]);
/** How a pip flies: it rises from the first keyframe to a middle one, and falls to the last. */
const FLIGHT = /** @type {const} */ ({ duration: 3_000, fill: 'both' });
const RISE = { transform: 'none', opacity: 1, easing: 'cubic-bezier(0.3, 0.7, 0.6, 1)' };
const FALLEN = { transform: 'none', opacity: 0 };
const SWEEP = [
  { transform: 'translateX(-101%)' },
  { transform: 'none', offset: 0.2 },
  { transform: 'none', offset: 0.82 },
  { transform: 'translateX(101%)' },
];

let celebratedRace = '';

/** Show an element for a while. @param {HTMLElement} element @param {number} ms @param {Element | null} [parent] */
function show(element, ms, parent = document.body) {
  parent?.append(element);
  setTimeout(() => element.remove(), ms);
}

/** Celebrate this player's win, but only once: race and results both call this. @param {string} race `CODE/N` */
export function celebrate(race) {
  if (race === celebratedRace) return;
  celebratedRace = race;
  const element = h('div', { id: 'celebration', 'aria-hidden': 'true' });
  if (isCalm()) {
    set(element, { class: 'celebration-sweep', text: PIPS.map(([suit]) => suit).join(' ') });
  } else {
    set(element, { class: 'celebration-confetti' });
    element.append(...makeConfetti());
  }
  show(element, CELEBRATION_MS);
}

/**
 * Let a line about a win sweep over the page. It ends after two seconds, or when another screen is shown.
 * @param {string} name of the winner, '' for this player @param {string} words after the name
 * @param {string} colour of the seat
 */
export function sweep(name, words, colour) {
  const winner = h('bdi', { class: 'text-cut', text: name });
  const element = h('div', { id: 'sweep', class: 'celebration-sweep' });
  set(element, { 'data-colour': colour, 'aria-hidden': 'true' });
  element.append(seatMark(colour), winner, h('span', { text: words }));
  show(element, SWEEP_MS, document.getElementById('screen'));
  if (!isCalm()) element.animate(SWEEP, { duration: SWEEP_MS, easing: 'ease-out' });
}

/** Make pips that fly up from both lower corners and cross in the middle. */
function makeConfetti() {
  const random = (/** @type {number} */ min, /** @type {number} */ max) =>
    min + Math.random() * (max - min);
  return Array.from({ length: PIECES }, (_, i) => {
    const isLeft = i % 2 === 0;
    // Each suit flies up from both sides.
    const [text, color] = PIPS[Math.floor(i / 2) % PIPS.length] ?? PIPS[0];
    const pip = h('span', { text });
    const fontSize = `${random(16, 38)}px`;
    Object.assign(pip.style, { color, fontSize, left: isLeft ? '0%' : '100%' });
    const timing = { ...FLIGHT, delay: random(0, 350) };
    const across = `${(isLeft ? 1 : -1) * random(10, 120)}vw 0`;
    // Fly sideways at an even speed, slowing down on the way up and speeding up on the way down.
    pip.animate({ translate: ['0 0', across], rotate: ['0turn', `${random(-2, 2)}turn`] }, timing);
    const top = { transform: `translateY(${-random(40, 105)}vh)`, offset: 0.45, opacity: 1 };
    pip.animate([RISE, { ...top, easing: 'cubic-bezier(0.4, 0, 0.7, 0.3)' }, FALLEN], timing);
    return pip;
  });
}
