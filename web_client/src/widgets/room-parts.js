// What the pages of a room before and after a race share.

import { strings } from '../strings/language.js';
import { h } from './element.js';

/** A menu that opens can swallow the end of a press, so a press counts as ended after this time. */
const MAX_PRESS_MS = 1_000;
/** The event of a finger's click can come this long after the finger has left. */
const CLICK_MS = 50;

/**
 * Make a function that draws at once or, while an element is pressed, after the press: the drawing could
 * move the pressed button from below the pointer, and the click would miss it.
 * @param {HTMLElement} element
 * @param {() => void} draw
 * @returns {() => void}
 */
export function makeSteadyDraw(element, draw) {
  let pressed = false;
  let waiting = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** End the press, and draw if that has waited. */
  function release() {
    pressed = false;
    if (!waiting) return;
    waiting = false;
    draw();
  }
  /** End the press after a time. @param {number} ms */
  function releaseIn(ms) {
    clearTimeout(timer);
    timer = setTimeout(release, ms);
  }
  element.addEventListener('pointerdown', () => {
    pressed = true;
    releaseIn(MAX_PRESS_MS);
  });
  for (const type of ['pointerup', 'pointercancel'])
    element.addEventListener(type, () => releaseIn(CLICK_MS));
  return () => {
    if (pressed) waiting = true;
    else draw();
  };
}

/**
 * Let sheets know the height of the bar at the foot, which depends on its words. The status line and the
 * chat stand above it.
 * @param {HTMLElement} bar
 * @returns {() => void} the unbinder
 */
export function shareHeight(bar) {
  const { style } = document.documentElement;
  const watcher = new ResizeObserver(() =>
    style.setProperty('--next-bar', `${bar.offsetHeight}px`),
  );
  watcher.observe(bar);
  return () => {
    watcher.disconnect();
    style.removeProperty('--next-bar');
  };
}

/** Make the line about fairness, which unfolds to its explanation. */
export const fairLine = () =>
  h(
    'details',
    { class: 'help-fair text-small' },
    h('summary', { text: strings.FAIR.line }),
    ...strings.FAIR.check.map((text) => h('p', { text })),
  );
