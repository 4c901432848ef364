// Parts of the page that are loaded when they are needed. If one cannot be loaded, a notice offers to
// try again; nothing else waits for it.

import { strings } from '../core/language.js';
import { h } from './element.js';
import { makePartLoader } from './part-loader.js';

const loader = makePartLoader(drawOffer);

/**
 * Load a part that the player asked for, and use it. If it cannot be loaded, the player can try
 * again. Calls for a part that is being loaded change nothing.
 *
 * @template T
 * @param {string} name of the part
 * @param {() => Promise<T>} load
 * @param {(part: T) => void} use
 */
export const loadPart = (name, load, use) => loader.load(name, { load, use, need: 'asked-for' });

/**
 * Load a part that belongs to the page, and use it. If it cannot be loaded, the page works without it;
 * it is tried again seldom, and at once if the player wants. Calls for a part that is being loaded or
 * waits for its next try change nothing.
 *
 * @template T
 * @param {string} name of the part
 * @param {() => Promise<T>} load
 * @param {(part: T) => void} use
 */
export const keepPart = (name, load, use) => loader.load(name, { load, use, need: 'wanted' });

/**
 * Load a part without which the player cannot go on, and use it. If it cannot be loaded, it is tried
 * again soon, after waits that become longer.
 *
 * @template T
 * @param {string} name of the part
 * @param {() => Promise<T>} load
 * @param {(part: T) => void} use
 * @param {(error: unknown) => void} failed called after each failure
 */
export const needPart = (name, load, use, failed) =>
  loader.load(name, { load, use, need: 'needed', failed });

/** Try the parts that failed again, but for what the player asked for: the network is back. */
export const resumeParts = () => loader.resume();

/** Load a part no longer: it is not needed any more. @param {string} name */
export const forgetPart = (name) => loader.forget(name);

/**
 * Bind a part of a screen. Until it is loaded, its place is empty.
 *
 * @template T
 * @template S
 * @param {string} name of the part
 * @param {() => Promise<T>} load
 * @param {(part: T) => {update: (state: S) => void, unbind: () => void}} bind
 */
export function bindPart(name, load, bind) {
  /** @type {ReturnType<typeof bind> | null} */
  let bound = null;
  /** @type {S | undefined} */
  let latest;
  keepPart(name, load, (part) => {
    bound = bind(part);
    if (latest) bound.update(latest);
  });
  return {
    update(/** @type {S} */ state) {
      latest = state;
      bound?.update(state);
    },
    unbind() {
      forgetPart(name);
      bound?.unbind();
    },
  };
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
    () => loader.forget(name),
    () => loader.offer(name, again),
  );
  return part;
}

/** Show the offer while a part can be loaded again. */
function drawOffer() {
  const offer = document.getElementById('not-loaded');
  if (!loader.isOffering()) {
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
      h('button', {
        id: 'not-loaded-again',
        type: 'button',
        text: again,
        onclick: loader.retry,
      }),
      h('button', {
        id: 'not-loaded-close',
        type: 'button',
        class: 'quiet',
        'aria-label': close,
        text: '×',
        onclick: loader.dismiss,
      }),
    ),
  );
}
