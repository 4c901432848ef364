// The celebration of a game that was won: the cards leave the foundations and bounce over the page,
// in a shower of pips. It is over in six seconds and blocks nothing. Players who want no motion get a
// still ornament instead.

import { RANKS as ALL_RANKS, SUITS as ALL_SUITS } from '../contract/protocol.js';
import { rank } from '../game/cards.js';
import { isCalm } from '../page/appearance.js';
import { h, loadSheet } from '../widgets/element.js';
import { DURATION_S as CASCADE_S, cascade } from './cascade.js';
import { confetti, DURATION_S } from './confetti.js';

const ORNAMENT_MS = 4_000;
const MAX_SCALE = 2;
/** The height of a card for each pixel of its width. */
const ASPECT = 1.4;
const MOST_CARDS = 52;
/** The time in which a trail has faded by about two thirds. */
const TRAIL_MS = 160;
/** The time in which the whole celebration fades at its end. */
const LEAVING_S = 0.8;
const RANKS = [...ALL_RANKS];
const SUITS = [...ALL_SUITS];

/** The event that was celebrated last. */
let latest = '';

/**
 * Celebrate an event once.
 * @param {string} event its name
 */
export function celebrate(event) {
  if (event === latest) return;
  latest = event;
  const show = isCalm() ? showOrnament : showShower;
  loadSheet('celebration').then(show, () => {}); // without its style sheet it would take room in the page
}

/** Show four suits for a while. */
function showOrnament() {
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
  setTimeout(() => element.remove(), ORNAMENT_MS);
}

/** Return where the foundations are and the cards on them; without foundations, the top of the page and all cards. */
function findFoundations() {
  const piles = [...document.querySelectorAll('[data-role="foundation"]')].map((pile) => {
    const { x, y } = pile.getBoundingClientRect();
    return { x, y };
  });
  const home = [...document.querySelectorAll('[data-in^="f"][data-card]')];
  const faces = home.map((card) => (card instanceof HTMLElement && card.dataset.card) || '');
  const cards = faces.length > 0 ? faces : SUITS.flatMap((suit) => RANKS.map((r) => r + suit));
  const middle = { x: window.innerWidth / 2, y: 60 };
  return {
    piles: piles.length > 0 ? piles : [middle],
    faces: cards.toSorted((a, b) => rank(b) - rank(a)).slice(0, MOST_CARDS),
  };
}

/**
 * Draw each face once to a canvas, since drawing the vector picture in each frame would be slow.
 * @param {readonly string[]} faces
 * @param {number} width
 * @param {number} scale
 * @returns {Map<string, HTMLCanvasElement>} by face; it is filled as the pictures are loaded
 */
function rasterize(faces, width, scale) {
  /** @type {Map<string, HTMLCanvasElement>} */
  const made = new Map();
  const probe = h('div', { class: 'card', hidden: true });
  document.body.append(probe);
  for (const face of new Set(faces)) {
    probe.dataset.card = face;
    const drawn = /url\("(.*)"\)/.exec(getComputedStyle(probe).backgroundImage)?.[1];
    if (!drawn) continue;
    const picture = new Image();
    picture.onload = () => {
      const canvas = h('canvas', {});
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(width * ASPECT * scale);
      const pen = canvas.getContext('2d');
      if (!pen) return;
      pen.beginPath();
      pen.roundRect(0.5, 0.5, canvas.width - 1, canvas.height - 1, width * 0.075 * scale);
      pen.fillStyle = '#fdfdfb';
      pen.fill();
      pen.strokeStyle = '#83837e';
      pen.stroke();
      pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
      made.set(face, canvas);
    };
    picture.src = drawn.replaceAll('\\"', '"');
  }
  probe.remove();
  return made;
}

/** Let the cards of the winner bounce over the page, among pips. */
function showShower() {
  const canvas = h('canvas', {
    class: 'celebration-shower',
    id: 'celebration',
    'data-part': 'shower',
    'aria-hidden': 'true',
  });
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const { innerWidth: width, innerHeight: height } = window;
  const scale = Math.min(MAX_SCALE, devicePixelRatio);
  canvas.width = width * scale;
  canvas.height = height * scale;
  const cardWidth = Math.round(Math.min(110, Math.max(44, width / 12)));
  const { piles, faces } = findFoundations();
  const cards = rasterize(faces, cardWidth, scale);
  const room = { width, height, cardWidth, cardHeight: cardWidth * ASPECT };
  const flights = cascade(room, piles, faces, Math.random);
  const pieces = confetti(width, height, Math.random);
  document.body.append(canvas);
  const start = performance.now();
  let drawnAt = start;

  /** Draw the cards at a time. @param {number} seconds */
  function drawCards(seconds) {
    if (!pen) return;
    pen.resetTransform();
    pen.globalAlpha = 1;
    for (const { face, at } of flights) {
      const place = at(seconds);
      const card = cards.get(face);
      if (place && card) pen.drawImage(card, place.x * scale, place.y * scale);
    }
  }

  /** Draw the pips at a time. @param {number} seconds */
  function drawPips(seconds) {
    if (!pen || seconds > DURATION_S) return;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (const piece of pieces) {
      const { x, y, turn, fade } = piece.at(seconds);
      const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale];
      pen.setTransform(cos, sin, -sin, cos, x * scale, y * scale);
      pen.globalAlpha = fade;
      pen.font = `${piece.size}px sans-serif`;
      pen.fillStyle = piece.colour;
      pen.fillText(piece.pip, 0, 0);
    }
  }

  /** Draw a frame, and request the next one. */
  function draw() {
    if (!pen) return;
    const now = performance.now();
    const seconds = (now - start) / 1_000;
    if (seconds > CASCADE_S) {
      canvas.remove();
      return;
    }
    // What was drawn fades, so that each card has a trail.
    pen.resetTransform();
    pen.globalCompositeOperation = 'destination-out';
    pen.globalAlpha = Math.min(1, (now - drawnAt) / TRAIL_MS);
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.globalCompositeOperation = 'source-over';
    drawnAt = now;
    canvas.style.opacity = String(Math.min(1, (CASCADE_S - seconds) / LEAVING_S));
    drawPips(seconds);
    drawCards(seconds);
    requestAnimationFrame(draw);
  }
  draw();
}
