// The foot of the page: the status line with the latest news, and the state of the connection.

import { strings } from '../core/language.js';
import { h, write } from './element.js';

/**
 * @import {State} from '../core/reducer.js'
 * @typedef {ReturnType<typeof bindStatus>} Status
 */

/** A sentence about another screen stays only if it is newer than this. */
const STALE_MS = 1_000;
const READING_TIME_MS = 4_000;
const RETRY_MS = 500;
const TICK_MS = 100;

/** Bind the status line. @param {HTMLElement} element */
export function bindStatus(element) {
  let saidAt = -READING_TIME_MS;
  let waiting = 0;
  let counting = 0;

  /** Show a sentence, if there is one. @param {string} text */
  function say(text) {
    if (!text) return;
    clearInterval(counting);
    element.ariaLive = 'polite';
    saidAt = performance.now();
    element.classList.remove('status-fresh');
    write(element, '');
    void element.offsetWidth; // a layout without the class, so that the animation starts again
    element.classList.add('status-fresh');
    write(element, text);
  }

  /**
   * Show a sentence that counts the seconds down, until none is left or another one is shown.
   *
   * @param {(seconds: number) => string} words
   * @param {() => number} secondsLeft
   */
  function count(words, secondsLeft) {
    const left = () => Math.max(0, Math.ceil(secondsLeft()));
    let shown = left();
    say(words(shown));
    counting = setInterval(() => {
      if (left() === shown) return;
      shown = left();
      element.ariaLive = 'off'; // screen readers read it out once, not every second
      if (shown === 0) clearInterval(counting);
      write(element, shown > 0 ? words(shown) : '');
    }, TICK_MS);
  }

  /**
   * Show a sentence when the player is not typing and has had the time to read the last one. It
   * replaces a sentence that waits for that.
   *
   * @param {string} text
   */
  function sayLater(text) {
    clearTimeout(waiting);
    const busy = document.activeElement instanceof HTMLInputElement;
    if (busy || performance.now() - saidAt < READING_TIME_MS)
      waiting = setTimeout(() => sayLater(text), RETRY_MS);
    else say(text);
  }

  return {
    say,
    count,
    sayLater,
    /** Drop the sentence of `sayLater` that is not shown yet. */
    dropWaiting: () => clearTimeout(waiting),
    /** Drop all sentences. */
    clear() {
      clearTimeout(waiting);
      clearInterval(counting);
      write(element, '');
    },
    /** Drop the sentence of the old screen: another screen is shown now. */
    changeScreen() {
      if (performance.now() - saidAt <= STALE_MS) return;
      clearInterval(counting);
      write(element, '');
    },
  };
}

/**
 * Bind the sign of the connection, which describes it in words. The page reconnects by itself.
 *
 * @param {HTMLElement} element
 * @param {() => void} retry reconnects at once
 */
export function bindConnectionSign(element, retry) {
  const words = h('span', { class: 'connection-words', id: 'connection-words' });
  const now = h('button', { type: 'button', id: 'connection-now', onclick: retry });
  element.replaceChildren(words, now);
  let shown = '';

  return {
    /**
     * @param {State | null} state null if there is no connection
     * @param {number} seconds until the next try
     */
    show(state, seconds) {
      const offline = !navigator.onLine && state?.connection !== 'on';
      const key = offline ? 'offline' : (state?.connection ?? 'idle');
      element.dataset.connection = key;
      const text = state ? strings.connectionState(state, seconds) : '';
      write(words, offline ? strings.OFFLINE : text);
      write(now, strings.TRY_NOW);
      // The button stays during a try, so that it keeps the focus.
      if (key === 'on' && shown !== 'on' && document.activeElement === now)
        document.getElementById('board')?.focus();
      now.hidden = !state || key === 'on' || key === 'closed' || key === 'idle';
      now.setAttribute('aria-disabled', String(key === 'connecting'));
      element.title = key === 'on' ? strings.CONNECTED_ABOUT : '';
      shown = key;
    },
  };
}
