// A game to walk through: one picture at a time, with the move and the points.

import { h, write } from '../shared/element.js';

/**
 * @import {Words} from './tips.js'
 * @typedef {{picture: HTMLElement, said: string, worth: string}} Step
 */

/** Bind the walk. @param {readonly Step[]} steps @param {Words} words */
export function bindWalk(steps, words) {
  const picture = h('div', { class: 'walk-picture' });
  const at = h('p', { class: 'walk-at', 'data-part': 'at' });
  const said = h('p', { class: 'walk-said' });
  const worth = h('p', { class: 'tip-worth', 'data-part': 'worth' });
  const caption = h('div', { class: 'walk-text', 'aria-live': 'polite' }, at, said, worth);
  const back = h('button', { type: 'button', 'data-action': 'back', text: words.PAGE.back });
  const on = h('button', {
    type: 'button',
    class: 'primary',
    'data-action': 'on',
    text: words.PAGE.on,
  });
  let step = 0;

  function draw() {
    const now = steps[step];
    if (!now) return;
    picture.replaceChildren(now.picture);
    write(at, words.stepOf(step, steps.length - 1));
    write(said, now.said);
    write(worth, now.worth);
    // A disabled button would lose the focus, so these only say that they lead nowhere.
    back.setAttribute('aria-disabled', String(step === 0));
    on.setAttribute('aria-disabled', String(step === steps.length - 1));
  }

  /** @param {number} by */
  function go(by) {
    step = Math.min(Math.max(step + by, 0), steps.length - 1);
    draw();
  }

  back.addEventListener('click', () => go(-1));
  on.addEventListener('click', () => go(1));
  draw();
  return h(
    'div',
    { class: 'walk', id: 'walk' },
    picture,
    h(
      'div',
      { class: 'walk-foot', 'data-part': 'foot' },
      caption,
      h('div', { class: 'buttons' }, back, on),
    ),
  );
}
