// The last seconds of the race: a figure grows over the table, the edge of the page glows, and each second
// sounds. No pointer is caught. Screen readers read out that they begin, and have the timer of the header.

import { isOneOfSeveral } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, restartAnimation, write } from '../widgets/element.js';

/** @import {App} from '../page/app.d.ts' */

const LAST_S = 10;
const TICK_MS = 100;

/**
 * Return how many of the last seconds are left, begun ones counted whole; 0 before and after them.
 * @param {number | null | undefined} end of the race, if it has one
 * @param {number} now
 */
export function lastSeconds(end, now) {
  const left = typeof end === 'number' ? Math.ceil((end - now) / 1_000) : 0;
  return left > 0 && left <= LAST_S ? left : 0;
}

/** Bind the last seconds. @param {App} app */
export function bindLastSeconds(app) {
  const figure = h('span', { class: 'last-seconds-figure', 'data-part': 'last-figure' });
  const element = h(
    'div',
    { class: 'last-seconds', id: 'last-seconds', 'aria-hidden': 'true', hidden: true },
    h('span', { class: 'last-seconds-edge' }),
    figure,
  );
  let shown = 0;

  /** Show and sound the second that has begun. */
  function tick() {
    const { room } = app.state();
    const left = room?.state === 'RUNNING' ? lastSeconds(room.round?.t_end, app.now()) : 0;
    if (left === shown) return;
    shown = left;
    element.hidden = left === 0;
    if (left === 0) return;
    if (left === LAST_S && room) app.readOut(strings.endsIn(left, isOneOfSeveral(room)));
    write(figure, String(left));
    element.style.setProperty('--passed', String(1 - left / LAST_S));
    app.sound.play('last');
    restartAnimation(element, 'data-beat');
  }
  const timer = setInterval(tick, TICK_MS);

  return { element, unbind: () => clearInterval(timer) };
}
