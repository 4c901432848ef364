// The foot of the page: the status line with the latest news, and the state of the connection.

import { strings } from '../core/language.js';
import { h, restartAnimation, write, writeSpoken } from './element.js';
import { setPageState } from './page-state.js';

/**
 * @import {State} from '../core/reducer.js'
 * @typedef {ReturnType<typeof bindStatus>} Status
 */

/** A sentence of another screen stays only if it is newer than this. */
const STALE_MS = 1_000;
const READING_TIME_MS = 4_000;
const RETRY_MS = 500;
const TICK_MS = 100;

/**
 * Bind the status line.
 *
 * @param {HTMLElement} element
 * @param {() => string} screen names the screen that the state asks for, which may still be loading
 */
export function bindStatus(element, screen) {
  let shownAt = -READING_TIME_MS;
  let shownFor = '';
  let waitingTimer = 0;
  let countTimer = 0;

  /** Show a sentence, if there is one. @param {string} text @param {string} [aside] the part of it that only screen readers read out */
  function say(text, aside = '') {
    if (!text) return;
    clearInterval(countTimer);
    element.setAttribute('aria-live', 'polite');
    shownAt = performance.now();
    shownFor = screen();
    write(element, '');
    restartAnimation(element, 'status-fresh');
    writeSpoken(element, text, aside);
  }

  /**
   * Show a sentence that counts the seconds down, until none is left or another one is shown.
   *
   * @param {(seconds: number) => string} words
   * @param {() => number} secondsLeft
   */
  function count(words, secondsLeft) {
    const currentSeconds = () => Math.max(0, Math.ceil(secondsLeft()));
    let shown = currentSeconds();
    say(words(shown));
    countTimer = setInterval(() => {
      if (currentSeconds() === shown) return;
      shown = currentSeconds();
      element.setAttribute('aria-live', 'off'); // screen readers read it out once, not every second
      if (shown === 0) clearInterval(countTimer);
      write(element, shown > 0 ? words(shown) : '');
    }, TICK_MS);
  }

  /**
   * Show a sentence once the player is not typing and has had the time to read the last one, unless
   * it is out of place by then. It replaces a sentence that still waits.
   *
   * @param {string} text
   * @param {() => boolean} [isInPlace]
   */
  function sayLater(text, isInPlace = () => true) {
    clearTimeout(waitingTimer);
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (isTyping || performance.now() - shownAt < READING_TIME_MS)
      waitingTimer = setTimeout(() => sayLater(text, isInPlace), RETRY_MS);
    else if (isInPlace()) say(text);
  }

  return {
    say,
    count,
    sayLater,
    /** Drop all sentences. */
    clear() {
      clearTimeout(waitingTimer);
      clearInterval(countTimer);
      write(element, '');
    },
    /** Drop the sentence of the old screen: another screen is shown now. */
    changeScreen() {
      if (shownFor === screen() || performance.now() - shownAt <= STALE_MS) return;
      clearInterval(countTimer);
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
  const tryNow = h('button', { type: 'button', id: 'connection-now', onclick: retry });
  element.replaceChildren(words, tryNow);
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
      setPageState('connection', key);
      const text = state ? strings.connectionState(state, seconds) : '';
      write(words, offline ? strings.OFFLINE : text);
      write(tryNow, strings.TRY_NOW);
      // The button stays during a try, so that it keeps the focus.
      if (key === 'on' && shown !== 'on' && document.activeElement === tryNow)
        document.getElementById('board')?.focus();
      tryNow.hidden = !state || key === 'on' || key === 'closed' || key === 'idle';
      tryNow.setAttribute('aria-disabled', String(key === 'connecting'));
      element.title = key === 'on' ? strings.CONNECTED_ABOUT : '';
      shown = key;
    },
  };
}
