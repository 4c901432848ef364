// Parts of the page that come late. One that cannot be loaded says so, beside everything else, and can
// be tried again: nothing else waits for it.

import { strings } from '../core/language.js';
import { h } from './element.js';

/** What is to be tried again, by the name of the part. @type {Map<string, () => void>} */
const failed = new Map();

/** The parts that are being loaded. @type {Set<string>} */
const loading = new Set();

/**
 * Load a part of the page, and use it. If it cannot be loaded, the player can try again; until then
 * further calls for the same part change nothing.
 *
 * @template T
 * @param {string} name of the part
 * @param {() => Promise<T>} load
 * @param {(part: T) => void} use
 */
export async function late(name, load, use) {
  if (loading.has(name)) return;
  loading.add(name);
  let part;
  try {
    part = await load();
  } catch {
    offer(name, () => late(name, load, use));
    return;
  } finally {
    loading.delete(name);
  }
  if (failed.delete(name)) show();
  use(part);
}

/**
 * Offer to try again if a part cannot be loaded. The promise stays the caller's.
 *
 * @template T
 * @param {string} name of the part
 * @param {Promise<T>} part
 * @param {() => void} again
 */
export function orOffer(name, part, again) {
  part.then(
    () => failed.delete(name) && show(),
    () => offer(name, again),
  );
  return part;
}

/** Offer to try something again. @param {string} name @param {() => void} again */
function offer(name, again) {
  failed.set(name, again);
  show();
}

function tryAll() {
  const all = [...failed.values()];
  failed.clear();
  show();
  for (const again of all) again();
}

function dismiss() {
  failed.clear();
  show();
}

/** Show the offer while there is something to try again. */
function show() {
  const shown = document.getElementById('not-loaded');
  if (failed.size === 0) {
    if (shown?.contains(document.activeElement)) document.getElementById('board')?.focus();
    shown?.remove();
    return;
  }
  if (shown) return;
  const { text, again, close } = strings.LATE;
  document.body.append(
    h(
      'div',
      { class: 'not-loaded', id: 'not-loaded', role: 'alert' },
      h('span', { text }),
      h('button', { id: 'not-loaded-again', type: 'button', text: again, onclick: tryAll }),
      h('button', {
        id: 'not-loaded-close',
        type: 'button',
        class: 'quiet',
        'aria-label': close,
        text: '×',
        onclick: dismiss,
      }),
    ),
  );
}
