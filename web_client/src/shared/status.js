// The one line that says what has happened: politely, for the eye and the ear.

import { write } from './element.js';

/** Words of another screen are not kept unless they have only just been said. */
const STALE = 1_000;
const READING_TIME = 4_000;
const PATIENCE = 500;

/** @param {HTMLElement} element */
export function bindStatus(element) {
  let saidAt = -READING_TIME;
  let waiting = 0;

  /** @param {string} text */
  function say(text) {
    if (!text) return;
    saidAt = performance.now();
    element.classList.remove('fresh');
    write(element, '');
    void element.offsetWidth;
    element.classList.add('fresh');
    write(element, text);
  }

  /** Says what can wait until nobody types and what was said last has been read. @param {string} text */
  function murmur(text) {
    clearTimeout(waiting);
    const busy = document.activeElement instanceof HTMLInputElement;
    if (busy || performance.now() - saidAt < READING_TIME)
      waiting = setTimeout(() => murmur(text), PATIENCE);
    else say(text);
  }

  return {
    say,
    murmur,
    /** What was to be murmured is not needed any more. */
    hush: () => clearTimeout(waiting),
    /** Nothing is left of what was said. */
    clear() {
      clearTimeout(waiting);
      write(element, '');
    },
    /** Another screen comes up. */
    turn() {
      if (performance.now() - saidAt > STALE) write(element, '');
    },
  };
}
