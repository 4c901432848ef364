// The status line, which is a toast and a live region, and a hidden live region for sentences that are only read out.

import { h, listen, restartAnimation, set, writeSpoken } from '../widgets/element.js';

/**
 * @import {News} from './app.d.ts'
 * @typedef {ReturnType<typeof bindStatus>} Status
 */

const READING_TIME_MS = 4_000;
const RETRY_MS = 500; // the pause before checking again whether a waiting sentence can be shown
const TYPING_MS = 3_000; // a player counts as typing for this long after a letter
const LONGEST_WAIT_MS = 20_000; // a sentence waits no longer than this for the player to stop typing
const TICK_MS = 100;

/** Bind the status line. @param {HTMLElement} element @param {() => string} screen returns the key of the wanted screen, which may still be loading */
export function bindStatus(element, screen) {
  const spoken = h('p', { class: 'text-spoken', id: 'spoken', role: 'status' });
  element.after(spoken);
  const status = {
    element,
    spoken, // the element for sentences that are only read out
    screen,
    saidAt: -READING_TIME_MS, // when the latest sentence was shown or read out, in local ms
    typedAt: -TYPING_MS, // when the latest letter was typed, in local ms
    shownOn: '', // the screen that showed the latest sentence
    spokenOn: '', // the screen that was shown when the latest sentence was read out
    waitingTimer: 0, // shows the sentence that is waiting
    countTimer: 0, // counts down in the sentence that is shown
  };
  listen(document, 'beforeinput', () => {
    status.typedAt = performance.now();
  });
  return status;
}

/** Show a sentence, unless it is empty. @param {Status} status @param {string} text @param {string} [aside] the part that only screen readers read out */
export function say(status, text, aside = '') {
  if (!text) return;
  const { element } = status;
  clearInterval(status.countTimer);
  status.saidAt = performance.now();
  status.shownOn = status.screen();
  // Undo what a countdown has set. The text is emptied first, since the same text would not be read out again.
  set(element, { text: '', 'aria-live': 'polite', 'data-counts': false });
  restartAnimation(element, 'data-fresh');
  writeSpoken(element, text, aside);
}

/** Have screen readers read out a sentence that the screen shows elsewhere. @param {Status} status @param {string} text */
export function readOut(status, text) {
  if (!text) return;
  status.spokenOn = status.screen();
  set(status.spoken, { text: '' }); // so that the same sentence is read out again
  set(status.spoken, { text });
}

/**
 * Show a sentence that counts the seconds down, until none are left or another sentence is shown.
 * @param {Status} status @param {(seconds: number) => string} words returns the sentence
 * @param {() => number} secondsLeft returns a whole number
 */
function sayCountdown(status, words, secondsLeft) {
  let shown = secondsLeft();
  say(status, words(shown));
  set(status.element, { 'data-counts': true });
  status.countTimer = setInterval(() => {
    if (secondsLeft() === shown) return;
    shown = secondsLeft();
    if (shown === 0) clearInterval(status.countTimer);
    // Screen readers read it out once, not every second.
    set(status.element, { 'aria-live': 'off', text: shown > 0 ? words(shown) : '' });
  }, TICK_MS);
}

/**
 * Show a sentence once the player has had time to read the last one and isn't typing. It replaces a waiting sentence.
 * @param {Status} status
 * @param {() => string} words returns the sentence, or '' if it no longer applies
 * @param {(status: Status, text: string) => void} [show] `say` by default, or `readOut`
 * @param {number} [since] when it started to wait, in local ms
 */
export function sayLater(status, words, show = say, since = performance.now()) {
  clearTimeout(status.waitingTimer);
  const now = performance.now();
  const isTyping = now - status.typedAt < TYPING_MS && now - since < LONGEST_WAIT_MS;
  if (isTyping || now - status.saidAt < READING_TIME_MS)
    status.waitingTimer = setTimeout(sayLater, RETRY_MS, status, words, show, since);
  else {
    const text = words();
    if (text) status.saidAt = now; // even if it is only read out
    show(status, text);
  }
}

/** Show news, or have screen readers read it out. @param {Status} status @param {News} news @param {() => number} now returns the server's time in ms */
export function tell(status, news, now) {
  if (typeof news === 'string') say(status, news);
  else if ('text' in news) say(status, news.text, news.aside);
  else if ('spoken' in news) readOut(status, news.spoken);
  else if ('collected' in news) sayLater(status, news.collected, news.isSpoken ? readOut : say);
  else {
    const secondsLeft = () => Math.max(0, Math.ceil((news.until - now()) / 1_000));
    // The player sees this countdown on the screen.
    if (news.isSeen) readOut(status, news.words(secondsLeft()));
    else sayCountdown(status, news.words, secondsLeft);
  }
}

/** Clear all sentences, including one that is waiting. @param {Status} status */
export function clear(status) {
  for (const timer of [status.waitingTimer, status.countTimer]) clearTimeout(timer);
  for (const element of [status.element, status.spoken]) set(element, { text: '' });
}

/** Clear the sentences of the old screen when another one is shown. A waiting sentence will appear on the new screen. @param {Status} status */
export function clearOldScreen(status) {
  if (status.spokenOn !== status.screen()) set(status.spoken, { text: '' });
  if (status.shownOn === status.screen()) return;
  clearInterval(status.countTimer);
  set(status.element, { text: '' });
}
