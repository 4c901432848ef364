// The frame around every screen: the head of the page, and the connection sign at its foot.

import { strings } from '../strings/language.js';
import { languageField } from '../widgets/controls.js';
import { h, set } from '../widgets/element.js';
import { setPageState } from './looks.js';

/** @import {State} from '../state/state.js' @import {App} from './app.d.ts' */

const RESTORED_MS = 4_000; // how long the page shows that the connection is back

/**
 * Draw the head of the page: the given nodes, then at the right the language and the preferences.
 * @param {HTMLElement} top @param {App} app
 * @param {Node[] | null} [nodes] by default the wordmark and its links; null for no head
 */
export function drawTop(top, app, nodes = topLinks(app)) {
  top.replaceChildren(/** @type {HTMLElement} */ (top.firstElementChild)); // the hidden heading stays
  set(top, { 'data-bare': nodes === null });
  if (nodes === null) return;
  const title = strings.PREFERENCES_TITLE;
  const looks = { class: 'icon icon-sliders top-icon', 'data-kind': 'quiet', title };
  const named = { id: 'preferences', 'aria-label': title };
  const preferences = h('button', { ...looks, ...named, onclick: app.openPreferences });
  top.append(...nodes, languageField(app.speak), preferences);
}

/** Make the wordmark, which leads to the front page, and the links that stand beside it. @param {App} app */
export function topLinks(app) {
  const { tips, yours, lesson: text } = strings.LANDING;
  const name = h('span', { class: 'text-spoken' }, 'Spider Race');
  const quiet = { 'data-kind': 'quiet', class: 'buttons-link' };
  const links = [
    h('button', { 'data-kind': 'quiet', id: 'how-to-play', text, onclick: app.openLesson }),
    h('a', { ...quiet, id: 'tips', href: '/strategy', text: tips }),
    h('a', { ...quiet, id: 'to-yours', href: '/yours', text: yours }),
  ];
  const home = h('a', { class: 'top-home wordmark', href: '/' }, name);
  return [home, h('nav', { class: 'top-links' }, ...links)];
}

/** Bind the sign that shows whether the page is connected. @param {HTMLElement} element @param {() => void} retry reconnects at once */
export function bindConnectionSign(element, retry) {
  const words = h('span', { class: 'status-connection-words', id: 'connection-words' });
  const tryNow = h('button', { id: 'connection-now', 'data-size': 'small', onclick: retry });
  element.replaceChildren(words, tryNow);
  let shown = ''; // the state of the connection that was shown last
  let hadTrouble = false; // whether the connection was lost, or the page went offline, and it is not back yet
  let restoredTimer = 0;

  /** Show for a moment that the connection is back, or stop showing it. @param {boolean} isBack */
  function markRestored(isBack) {
    clearTimeout(restoredTimer);
    set(element, { 'data-restored': isBack });
    if (isBack) restoredTimer = setTimeout(markRestored, RESTORED_MS, false);
  }

  return {
    /** Show the state of the connection. @param {State | null} state null without a connection @param {number} seconds until the next try */
    show(state, seconds) {
      // An open connection proves that the device is online.
      const isOffline = !navigator.onLine && state?.connection !== 'on';
      const current = isOffline ? 'offline' : (state?.connection ?? 'idle');
      setPageState('connection', current);
      const text = state ? strings.connectionState(state, seconds) : '';
      set(words, { text: isOffline ? strings.OFFLINE : text });
      // The button stays during a try, so that it keeps the focus. Once connected, the board gets the focus.
      if (current === 'on' && shown !== 'on' && document.activeElement === tryNow)
        document.getElementById('board')?.focus();
      if (current !== shown) markRestored(current === 'on' && hadTrouble);
      // Connecting is a sign of trouble only after the connection was lost, not the first time.
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
