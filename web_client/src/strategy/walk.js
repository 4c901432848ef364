// A walk through a game: one picture at a time, with its move and its points.

import { h, write } from '../widgets/element.js';

/**
 * @import {Wide} from '../strings/language.js'
 * @typedef {Wide<typeof import('../strings/en/strategy.js')>} Words
 * @typedef {{picture: HTMLElement, text: string, points: string}} Step
 */

/** Make the walk, with a button to the step before and one to the next. @param {readonly Step[]} steps @param {Words} words */
export function makeWalk(steps, words) {
  const picture = h('div');
  const number = h('p', { class: 'walk-at', 'data-part': 'at' });
  const text = h('p');
  const points = h('p', { class: 'tip-worth', 'data-part': 'worth' });
  const caption = h('div', { class: 'walk-text', 'aria-live': 'polite' }, number, text, points);
  const back = h('button', { 'data-action': 'back', text: words.PAGE.back });
  const next = h('button', { 'data-kind': 'primary', 'data-action': 'on', text: words.PAGE.on });
  let index = 0;

  /** Draw the present step. */
  function draw() {
    const step = steps[index];
    if (!step) return;
    picture.replaceChildren(step.picture);
    write(number, words.stepOf(index, steps.length - 1));
    write(text, step.text);
    write(points, step.points);
    // A disabled button would lose the focus, so at an end a button is only announced as disabled.
    back.setAttribute('aria-disabled', String(index === 0));
    next.setAttribute('aria-disabled', String(index === steps.length - 1));
  }

  /** Go to another step; at an end nothing changes. @param {number} by */
  function go(by) {
    index = Math.min(Math.max(index + by, 0), steps.length - 1);
    draw();
  }

  back.addEventListener('click', () => go(-1));
  next.addEventListener('click', () => go(1));
  draw();
  return h(
    'div',
    { class: 'walk', id: 'walk' },
    picture,
    h(
      'div',
      { class: 'walk-foot', 'data-part': 'foot' },
      caption,
      h('div', { class: 'buttons' }, back, next),
    ),
  );
}
