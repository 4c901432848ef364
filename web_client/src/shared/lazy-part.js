// Parts of the page that are loaded when they are needed. If one cannot be loaded, a notice offers to
// try again; nothing else waits for it.

import { strings } from '../core/language.js';
import { h } from './element.js';

/** What to do to load a part that failed again, by its name. @type {Map<string, () => void>} */
const retries = new Map();

/** The parts that are being loaded. @type {Set<string>} */
const loading = new Set();

/**
 * Load a part of the page, and use it. If it cannot be loaded, the player can try again. Calls for a
 * part that is being loaded change nothing.
 *
 * @template T
 * @param {string} name of the part
 * @param {() => Promise<T>} load
 * @param {(part: T) => void} use
 */
export async function loadPart(name, load, use) {
  if (loading.has(name)) return;
  loading.add(name);
  let part;
  try {
    part = await load();
  } catch {
    addRetry(name, () => loadPart(name, load, use));
    return;
  } finally {
    loading.delete(name);
  }
  if (retries.delete(name)) drawOffer();
  use(part);
}

/**
 * Offer to try again if a part cannot be loaded. Return the same promise, whose failure the caller
 * handles too.
 *
 * @template T
 * @param {string} name of the part
 * @param {Promise<T>} part
 * @param {() => void} again
 */
export function offerRetry(name, part, again) {
  part.then(
    () => retries.delete(name) && drawOffer(),
    () => addRetry(name, again),
  );
  return part;
}

/** Offer to load a part again. @param {string} name @param {() => void} again */
function addRetry(name, again) {
  retries.set(name, again);
  drawOffer();
}

/** Load all parts that failed again. */
function retryAll() {
  const all = [...retries.values()];
  retries.clear();
  drawOffer();
  for (const again of all) again();
}

/** Close the offer. */
function dismiss() {
  retries.clear();
  drawOffer();
}

/** Show the offer while a part can be loaded again. */
function drawOffer() {
  const offer = document.getElementById('not-loaded');
  if (retries.size === 0) {
    if (offer?.contains(document.activeElement)) document.getElementById('board')?.focus();
    offer?.remove();
    return;
  }
  if (offer) return;
  const { text, again, close } = strings.LATE;
  document.body.append(
    h(
      'div',
      { class: 'not-loaded', id: 'not-loaded', role: 'alert' },
      h('span', { text }),
      h('button', { id: 'not-loaded-again', type: 'button', text: again, onclick: retryAll }),
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
