// The sign of the connection, which describes it in words. The page reconnects without it.

import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { setPageState } from './looks.js';

/** @import {State} from '../state/state.js' */

/** The page shows for this time that the connection is back. */
const RESTORED_MS = 4_000;

/** Bind the sign. @param {HTMLElement} element @param {() => void} retry reconnects at once */
export function bindConnectionSign(element, retry) {
  const words = h('span', { class: 'status-connection-words', id: 'connection-words' });
  const tryNow = h('button', { id: 'connection-now', 'data-size': 'small', onclick: retry });
  element.replaceChildren(words, tryNow);
  let shown = '';
  let hadTrouble = false;
  let restoredTimer = 0;

  /** Show for a moment that the connection is back. @param {boolean} isBack */
  function markRestored(isBack) {
    clearTimeout(restoredTimer);
    set(element, { 'data-restored': isBack });
    if (isBack) restoredTimer = setTimeout(markRestored, RESTORED_MS, false);
  }

  return {
    /** Show the connection. @param {State | null} state null if the page has none @param {number} seconds until the next try */
    show(state, seconds) {
      const isOffline = !navigator.onLine && state?.connection !== 'on'; // an open connection shows the contrary
      const current = isOffline ? 'offline' : (state?.connection ?? 'idle');
      setPageState('connection', current);
      const text = state ? strings.connectionState(state, seconds) : '';
      set(words, { text: isOffline ? strings.OFFLINE : text });
      // The button stays during a try, to keep the focus. Afterwards the focus goes to the board.
      if (current === 'on' && shown !== 'on' && document.activeElement === tryNow)
        document.getElementById('board')?.focus();
      if (current !== shown) markRestored(current === 'on' && hadTrouble);
      // A try after a loss is part of the trouble, the first try of a page is not.
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
