// How the line to the server is, in plain words and at any time; no touch is needed to come back.

import { strings } from '../core/language.js';
import { h, write } from './element.js';

/**
 * @import {State} from '../core/reducer.js'
 */

/**
 * @param {HTMLElement} element
 * @param {() => void} again tries at once
 */
export function bindConnection(element, again) {
  const words = h('span', { class: 'words' });
  const now = h('button', { type: 'button', id: 'connection-now', onclick: again });
  element.replaceChildren(words, now);
  let shown = '';

  return {
    /** @param {State | null} state null where there is no line yet @param {number} seconds to the next try */
    show(state, seconds) {
      const offline = !navigator.onLine && state?.line !== 'on';
      const key = offline ? 'offline' : (state?.line ?? 'idle');
      element.dataset.line = key;
      write(
        words,
        offline ? strings.OFFLINE : state ? strings.connectionState(state, seconds) : '',
      );
      write(now, strings.TRY_NOW);
      // It stays while a try is made, so that the keys do not lose their place.
      if (key === 'on' && shown !== 'on' && document.activeElement === now)
        document.getElementById('board')?.focus();
      now.hidden = !state || key === 'on' || key === 'closed' || key === 'idle';
      now.setAttribute('aria-disabled', String(key === 'connecting'));
      element.title = key === 'on' ? strings.CONNECTED_ABOUT : '';
      shown = key;
    },
  };
}
