// How to play, in three pictures: cards that move once when they come into view, and again when the
// pointer comes to them. Who wants less motion sees where they go.

import { fetchStrings, strings } from '../core/language.js';
import { RANKS } from '../core/protocol.js';
import { isCalm } from '../shared/appearance.js';
import { h, loadSheet } from '../shared/element.js';
import { fairLine } from '../shared/fair.js';

/** @typedef {{card: string, x: number, y: number, moves?: boolean}} Placed in widths and heights of a card */

const SUIT = [...RANKS].toReversed().map((rank) => `${rank}S`);

/** What lies in each picture; '' is a face-down card. @type {Readonly<Record<'move' | 'deal' | 'suit', Placed[]>>} */
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

/** @param {Placed} placed @param {number} at */
function cardOf({ card, x, y, moves }, at) {
  const element = h('div', { class: card ? 'card' : 'card card-back' });
  if (card) element.dataset.card = card;
  if (moves) element.classList.add('lesson-card');
  element.style.setProperty('--x', String(x));
  element.style.setProperty('--y', String(y));
  element.style.setProperty('--at', String(at));
  return element;
}

/** @param {keyof typeof PICTURES} name */
function figure(name) {
  const stage = h(
    'div',
    { class: `lesson-stage small-cards lesson-${name}`, 'aria-hidden': 'true' },
    ...PICTURES[name].map(cardOf),
  );
  const play = () => {
    if (isCalm()) return;
    stage.classList.remove('lesson-playing');
    void stage.offsetWidth;
    stage.classList.add('lesson-playing');
  };
  const element = h(
    'figure',
    { class: 'lesson-figure', onpointerenter: play },
    stage,
    h('figcaption', { text: strings.LESSON[name] }),
  );
  new IntersectionObserver(
    ([seen], observer) => {
      if (!seen?.isIntersecting) return;
      observer.disconnect();
      play();
    },
    { threshold: 0.6 },
  ).observe(stage);
  return element;
}

/** Load what the pictures need, once. */
export const prepareLesson = () => Promise.all([fetchStrings('lesson'), loadSheet('lesson')]);

/** Make the three pictures, each with a sentence. */
export const lesson = () =>
  h('div', { class: 'lesson' }, figure('move'), figure('deal'), figure('suit'));

/** Show the pictures over a practice game. */
export async function showLesson() {
  await prepareLesson();
  if (document.querySelector('dialog[open]')) return;
  const dialog = h(
    'dialog',
    {
      id: 'lesson-dialog',
      class: 'tall-dialog',
      'aria-labelledby': 'lesson-title',
      closedby: 'any',
    },
    h('header', {}, h('h2', { id: 'lesson-title', text: strings.LESSON.title })),
    h(
      'div',
      { class: 'lesson-sheet' },
      lesson(),
      h(
        'div',
        { class: 'buttons' },
        h('button', {
          id: 'lesson-close',
          type: 'button',
          class: 'primary',
          text: strings.LESSON.close,
          onclick: () => dialog.close(),
        }),
      ),
    ),
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    document.getElementById('board')?.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Fill the panel of the front page. @param {HTMLElement} panel */
export async function fillLesson(panel) {
  await prepareLesson();
  if (panel.firstChild) return;
  panel.setAttribute('aria-labelledby', 'lesson-title');
  panel.append(h('h2', { id: 'lesson-title', text: strings.LESSON.title }), lesson(), fairLine());
}
