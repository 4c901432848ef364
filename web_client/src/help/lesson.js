// The lesson: how to play, in three pictures. It is a part of the help and of the front page, and is
// shown alone before the first game of practice. The cards of a picture move once when they come into
// view, and again when the pointer enters. With less motion they are shown where they would go.

import { GAMES } from '../contract/games.js';
import { RANKS } from '../contract/protocol.js';
import { isCalm } from '../page/appearance.js';
import { strings } from '../strings/language.js';
import { h, restartAnimation, set } from '../widgets/element.js';
import { fairLine } from '../widgets/room-parts.js';

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
  const element = h('div', {
    class: 'card',
    'data-back': !card,
    'data-card': card || null,
    'data-moves': moves,
  });
  set(element, { '--x': x, '--y': y, '--at': index });
  return element;
}

/** Make a picture with its sentence. @param {keyof typeof PICTURES} name */
function makeFigure(name) {
  const stage = h(
    'div',
    { class: 'help-stage', 'data-small': true, 'data-figure': name, 'aria-hidden': 'true' },
    ...PICTURES[name].map(makeCard),
  );
  const play = () => {
    if (!isCalm()) restartAnimation(stage, 'data-playing');
  };
  const watcher = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      watcher.disconnect();
      play();
    },
    { threshold: 0.6 },
  );
  watcher.observe(stage);
  return h(
    'figure',
    { class: 'help-figure', onpointerenter: play },
    stage,
    h('figcaption', { text: strings.LESSON[name] }),
  );
}

/** Make the three pictures, each with a sentence; Little Spider has sentences alone. @param {string} [game] */
export const makeLesson = (game = '') =>
  GAMES[game]?.family === 'little-spider'
    ? makeLines(strings.LITTLE_LESSON)
    : h(
        'div',
        { class: 'help-lesson' },
        makeFigure('move'),
        makeFigure('deal'),
        makeFigure('suit'),
      );

/** Make a list of sentences. @param {readonly string[]} lines @param {string} [id] */
export const makeLines = (lines, id) =>
  h('ul', { id, class: 'help-lines' }, ...lines.map((text) => h('li', { text })));

/**
 * Open the dialog of the help, or of the lesson alone; a closed one is removed from the page.
 * @param {'help' | 'lesson'} name
 * @param {string} close the words of its button
 * @param {...(Node | null)} sections
 */
export function openDialog(name, close, ...sections) {
  const id = `${name}-dialog`;
  const dialog = h(
    'dialog',
    { id, class: 'dialog-tall help', 'aria-labelledby': `${name}-title`, closedby: 'any' },
    h(
      'header',
      {},
      h('h2', { id: `${name}-title`, text: strings.LESSON.title }),
      h('button', {
        id: `${name}-close`,
        'data-kind': 'primary',
        text: close,
        onclick: () => dialog.close(),
      }),
    ),
    h('div', { class: 'dialog-sections' }, ...sections),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Show the lesson over a practice game. @param {() => void} closed called when the player has read it */
export function showLesson(closed) {
  if (document.querySelector('dialog[open]')) return;
  openDialog('lesson', strings.LESSON.close, makeLesson()).addEventListener('close', () => {
    document.getElementById('board')?.focus({ preventScroll: true });
    closed();
  });
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
