// The lesson: how to play, in three pictures. Their cards move once when they come into view, and again
// when the pointer enters. With less motion the cards are shown where they would go.

import { GAMES } from '../contract/games.js';
import { RANKS } from '../contract/protocol.js';
import { isCalm } from '../page/appearance.js';
import { strings } from '../strings/language.js';
import { h, restartAnimation } from '../widgets/element.js';
import { fairLine } from '../widgets/fairness-line.js';

/** @typedef {{card: string, x: number, y: number, moves?: boolean}} Placed in widths and heights of a card */

const SUIT = [...RANKS].toReversed().map((rank) => `${rank}S`);

/** The cards of each picture; '' is a face-down card. @type {Readonly<Record<'move' | 'deal' | 'suit', Placed[]>>} */
const PICTURES = {
  move: [
    { card: '9S', x: 1.7, y: 0 },
    { card: '', x: 0, y: 0 },
    { card: '8S', x: 0, y: 0.22, moves: true },
    { card: '7S', x: 0, y: 0.64, moves: true },
  ],
  deal: [
    { card: 'QS', x: 0, y: 0 },
    { card: '4S', x: 1.1, y: 0 },
    { card: '', x: 2.35, y: 0.66 },
    { card: '', x: 2.4, y: 0.6 },
    { card: '6S', x: 0, y: 0.42, moves: true },
    { card: 'KS', x: 1.1, y: 0.42, moves: true },
  ],
  suit: SUIT.map((card, i) => ({ card, x: 0.2, y: i ? 0.25 + i * 0.055 : 0, moves: true })),
};

/** Make a card of a picture. @param {Placed} placed @param {number} index */
function makeCard({ card, x, y, moves }, index) {
  const element = h('div', { class: 'card', 'data-back': !card, 'data-moves': moves });
  if (card) element.dataset.card = card;
  element.style.setProperty('--x', String(x));
  element.style.setProperty('--y', String(y));
  element.style.setProperty('--at', String(index));
  return element;
}

/** Make a picture with its sentence. @param {keyof typeof PICTURES} name */
function makeFigure(name) {
  const stage = h(
    'div',
    { class: 'lesson-stage', 'data-small': true, 'data-figure': name, 'aria-hidden': 'true' },
    ...PICTURES[name].map(makeCard),
  );
  const play = () => {
    if (!isCalm()) restartAnimation(stage, 'data-playing');
  };
  const element = h(
    'figure',
    { class: 'lesson-figure', onpointerenter: play },
    stage,
    h('figcaption', { text: strings.LESSON[name] }),
  );
  new IntersectionObserver(
    ([entry], observer) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      play();
    },
    { threshold: 0.6 },
  ).observe(stage);
  return element;
}

/** Make the three pictures, each with a sentence; Little Spider has sentences alone. @param {string} [game] */
export const makeLesson = (game = '') =>
  GAMES[game]?.family === 'little-spider'
    ? h('ul', { class: 'lesson-lines' }, ...strings.LITTLE_LESSON.map((text) => h('li', { text })))
    : h('div', { class: 'lesson' }, makeFigure('move'), makeFigure('deal'), makeFigure('suit'));

/** Show the pictures over a practice game. @param {() => void} closed called when the player has read them */
export function showLesson(closed) {
  if (document.querySelector('dialog[open]')) return;
  const dialog = h(
    'dialog',
    {
      id: 'lesson-dialog',
      class: 'dialog-tall lesson-dialog',
      'aria-labelledby': 'lesson-title',
      closedby: 'any',
    },
    h('header', {}, h('h2', { id: 'lesson-title', text: strings.LESSON.title })),
    h(
      'div',
      { class: 'lesson-sheet' },
      makeLesson(),
      h(
        'div',
        { class: 'buttons' },
        h('button', {
          id: 'lesson-close',
          'data-kind': 'primary',
          text: strings.LESSON.close,
          onclick: () => dialog.close(),
        }),
      ),
    ),
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    document.getElementById('board')?.focus({ preventScroll: true });
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Fill the panel of the front page. @param {HTMLElement} panel */
export function fillLesson(panel) {
  if (panel.firstChild) return;
  panel.setAttribute('aria-labelledby', 'lesson-title');
  panel.append(
    h('h2', { id: 'lesson-title', text: strings.LESSON.title }),
    makeLesson(),
    fairLine(),
  );
}
