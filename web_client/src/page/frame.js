// What is around every screen: the looks of the page, which follow from preferences, the states that
// style sheets read, and its foot with the status line and the state of the connection.

import { onPreference, preference } from '../browser/storage.js';
import { strings } from '../strings/language.js';
import { languageField } from '../widgets/controls.js';
import { h, listen, loadSheet, restartAnimation, set, writeSpoken } from '../widgets/element.js';

/**
 * @import {Preferences} from '../browser/storage.js'
 * @import {App, News} from './app.d.ts'
 * @import {State} from '../state/state.js'
 * @typedef {ReturnType<typeof bindStatus>} Status
 */

/** @type {('table' | 'cards' | 'backs' | 'indices' | 'light' | 'motion' | 'keys')[]} */
const LOOKS = ['table', 'cards', 'backs', 'indices', 'light', 'motion', 'keys'];

const READING_TIME_MS = 4_000;
const RETRY_MS = 500;
/** A player is still typing this long after a letter; and the longest wait for the end of that. */
const TYPING_MS = 3_000;
const LONGEST_WAIT_MS = 20_000;
const TICK_MS = 100;
/** The time for which a connection that is back is shown. */
const RESTORED_MS = 4_000;

const lessMotion = () => matchMedia('(prefers-reduced-motion: reduce)');

/** Return whether nothing may move: the player or the system asks for less motion. */
export const isCalm = () => preference('motion') === 'less' || lessMotion().matches;

/** Load the card faces of a palette, or those with German letters; until then the ordinary faces remain. @param {Preferences['cards'] | 'german'} name */
export function fetchFaces(name) {
  // `two`, the faces in two colours, are the default, which the page loads anyway.
  if (name !== 'two') loadSheet(`cards-${name}`).catch(() => {});
}

/** Set the attributes of the page, load what they need, and give the browser's own bars the page's colour. */
function applyLooks() {
  const root = document.documentElement;
  for (const name of LOOKS) root.dataset[name] = preference(name);
  if (isCalm()) root.dataset.motion = 'less'; // also if only the system asks for it
  fetchFaces(preference('cards'));
  if (preference('indices') === 'german') fetchFaces('german');
  const bar = getComputedStyle(root).getPropertyValue('--rail').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', bar);
}

/** Apply the preferences, now and whenever they or the system's change. */
export function bindAppearance() {
  applyLooks();
  listen(lessMotion(), 'change', applyLooks);
  onPreference(applyLooks);
}

/**
 * Write a state on the document and its body, as `data-NAME`: not all browsers that play know `:has()`.
 * @param {'screen' | 'chat' | 'connection' | 'forOne' | 'watching'} name
 * @param {string} value
 */
export function setPageState(name, value) {
  for (const each of [document.documentElement, document.body])
    if (each.dataset[name] !== value) each.dataset[name] = value;
}

/**
 * Draw the head of the page: the way out and the middle as given, language and preferences at the right.
 * @param {HTMLElement} top
 * @param {App} app
 * @param {Node[] | null} [nodes] the way out and the middle; by default the wordmark and its links
 */
export function drawTop(top, app, nodes = topLinks(app)) {
  const heading = /** @type {HTMLElement} */ (top.firstElementChild);
  top.replaceChildren(heading);
  set(top, { 'data-bare': nodes === null });
  if (nodes === null) return;
  const preferences = h('button', {
    class: 'icon icon-sliders top-icon',
    id: 'preferences',
    'data-kind': 'quiet',
    title: strings.PREFERENCES_TITLE,
    'aria-label': strings.PREFERENCES_TITLE,
    onclick: app.openPreferences,
  });
  top.append(...nodes, languageField(app.speak), preferences);
}

/** Make the wordmark, which leads to the front page, and the links beside it. @param {App} app */
export function topLinks(app) {
  const { tips, yours, lesson: text } = strings.LANDING;
  const name = h('span', { class: 'text-spoken' }, 'Spider Race');
  const quiet = { 'data-kind': 'quiet', class: 'buttons-link' };
  const links = [
    h('button', { 'data-kind': 'quiet', id: 'how-to-play', text, onclick: app.openLesson }),
    h('a', { ...quiet, id: 'tips', href: '/strategy', text: tips }),
    h('a', { ...quiet, id: 'to-yours', href: '/yours', text: yours }),
  ];
  return [
    h('a', { class: 'top-home wordmark', href: '/' }, name),
    h('nav', { class: 'top-links' }, ...links),
  ];
}

/** Bind the status line. @param {HTMLElement} element @param {() => string} screen names the screen that the state asks for, which may still be loading */
export function bindStatus(element, screen) {
  let toldAt = -READING_TIME_MS; // local time, in ms
  let typedAt = -TYPING_MS; // local time of the latest letter, in ms
  let shownOn = ''; // the screen on which the sentence was shown
  let spokenOn = ''; // the screen on which a sentence was last read out alone
  let waitingTimer = 0;
  let countTimer = 0;
  const spoken = h('p', { class: 'text-spoken', id: 'spoken', role: 'status' });
  element.after(spoken);
  listen(document, 'beforeinput', () => {
    typedAt = performance.now();
  });

  /** Show a sentence, if there is one. @param {string} text @param {string} [aside] the part of it that only screen readers read out */
  function say(text, aside = '') {
    if (!text) return;
    clearInterval(countTimer);
    toldAt = performance.now();
    shownOn = screen();
    // What a countdown has set goes. Without the old text, an equal one is read out again.
    set(element, { text: '', 'aria-live': 'polite', 'data-counts': false });
    restartAnimation(element, 'data-fresh');
    writeSpoken(element, text, aside);
  }

  /** Let screen readers read a sentence that eyes find elsewhere. @param {string} text */
  function readOut(text) {
    if (!text) return;
    spokenOn = screen();
    set(spoken, { text: '' }); // so that the same sentence is read out again
    set(spoken, { text });
  }

  /**
   * Show a sentence that counts the seconds down, until none is left or another one is shown.
   * @param {(seconds: number) => string} words
   * @param {() => number} secondsLeft whole ones
   */
  function count(words, secondsLeft) {
    let shown = secondsLeft();
    say(words(shown));
    set(element, { 'data-counts': true });
    countTimer = setInterval(() => {
      if (secondsLeft() === shown) return;
      shown = secondsLeft();
      if (shown === 0) clearInterval(countTimer);
      // Screen readers read it out once, not every second.
      set(element, { 'aria-live': 'off', text: shown > 0 ? words(shown) : '' });
    }, TICK_MS);
  }

  /**
   * Show a sentence once the player stops typing (or has typed for long) and has had time to read the last one.
   * It replaces a sentence that is still waiting.
   * @param {() => string} words '' if the sentence is out of place by then
   * @param {(text: string) => void} [show]
   * @param {number} [since] local time in ms
   */
  function sayLater(words, show = say, since = performance.now()) {
    clearTimeout(waitingTimer);
    const now = performance.now();
    const isTyping = now - typedAt < TYPING_MS && now - since < LONGEST_WAIT_MS;
    if (isTyping || now - toldAt < READING_TIME_MS)
      waitingTimer = setTimeout(() => sayLater(words, show, since), RETRY_MS);
    else {
      const text = words();
      if (text) toldAt = now; // also of one that is only read out
      show(text);
    }
  }

  return {
    say,
    sayLater,
    readOut,
    /** Show news, or let screen readers read it. @param {News} news @param {() => number} now the server's time */
    tell(news, now) {
      if (typeof news === 'string') say(news);
      else if ('text' in news) say(news.text, news.aside);
      else if ('spoken' in news) readOut(news.spoken);
      else if ('collected' in news) sayLater(news.collected, news.isSpoken ? readOut : say);
      else {
        const secondsLeft = () => Math.max(0, Math.ceil((news.until - now()) / 1_000));
        // What counts before the eyes of the player is only read out.
        if (news.isSeen) readOut(news.words(secondsLeft()));
        else count(news.words, secondsLeft);
      }
    },
    clear() {
      for (const timer of [waitingTimer, countTimer]) clearTimeout(timer);
      set(element, { text: '' });
      set(spoken, { text: '' });
    },
    /** Drop the sentences of the old screen: another one is shown now. Those that still wait come on the new one. */
    changeScreen() {
      if (spokenOn !== screen()) set(spoken, { text: '' });
      if (shownOn === screen()) return;
      clearInterval(countTimer);
      set(element, { text: '' });
    },
  };
}

/**
 * Bind the sign of the connection, which describes it in words. The page reconnects without it.
 * @param {HTMLElement} element
 * @param {() => void} retry reconnects at once
 */
export function bindConnectionSign(element, retry) {
  const words = h('span', { class: 'status-connection-words', id: 'connection-words' });
  const tryNow = h('button', { id: 'connection-now', 'data-size': 'small', onclick: retry });
  element.replaceChildren(words, tryNow);
  let shown = '';
  let hadTrouble = false;
  let restoredTimer = 0;

  /** Show that the connection is back, which this function ends after a moment. @param {boolean} isBack */
  function markRestored(isBack) {
    clearTimeout(restoredTimer);
    set(element, { 'data-restored': isBack });
    if (isBack) restoredTimer = setTimeout(markRestored, RESTORED_MS, false);
  }

  return {
    /** Show the connection. @param {State | null} state null if the page has none @param {number} seconds until the next try */
    show(state, seconds) {
      const isOffline = !navigator.onLine && state?.connection !== 'on'; // one that is on shows the contrary
      const current = isOffline ? 'offline' : (state?.connection ?? 'idle');
      setPageState('connection', current);
      const text = state ? strings.connectionState(state, seconds) : '';
      set(words, { text: isOffline ? strings.OFFLINE : text });
      // The button stays during a try, so that it keeps the focus, which goes to the board afterwards.
      if (current === 'on' && shown !== 'on' && document.activeElement === tryNow)
        document.getElementById('board')?.focus();
      if (current !== shown) markRestored(current === 'on' && hadTrouble);
      // A try after a loss belongs to the trouble, the first one of a page does not.
      const isTrouble = current === 'waiting' || current === 'offline';
      hadTrouble = isTrouble || (hadTrouble && current === 'connecting');
      set(tryNow, {
        text: strings.TRY_NOW,
        hidden: !state || ['on', 'closed', 'idle'].includes(current),
        'aria-disabled': String(current === 'connecting'),
      });
      const title = current === 'on' ? strings.CONNECTED_ABOUT : null;
      set(element, { 'data-connection': current, title });
      shown = current;
    },
  };
}
