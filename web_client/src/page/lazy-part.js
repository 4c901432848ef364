// Parts of the page that are loaded when they are needed. If one cannot be loaded, a notice offers to
// try again; nothing else waits for it.

import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { isOfOtherVersion } from './page-version.js';
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

/** A part that failed so often because the server has no such file ends this version of the page. */
const MAX_MISFITS = 3;

/**
 * Load a part without which the player cannot go on, and use it. If it cannot be loaded, it is tried
 * again soon, after waits that become longer, unless the server has another version of it.
 *
 * @template T
 * @param {string} name of the part
 * @param {() => Promise<T>} load
 * @param {(part: T) => void} use
 * @param {() => void} outdated this version of the page cannot load it any more
 */
export function needPart(name, load, use, outdated) {
  let misfits = 0;
  const failed = (/** @type {unknown} */ error) => {
    misfits = isOfOtherVersion(error) ? misfits + 1 : 0;
    if (misfits < MAX_MISFITS) return;
    forgetPart(name);
    outdated();
  };
  loader.load(name, { load, use, need: 'needed', failed });
}

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
      h('button', { id: 'not-loaded-again', text: again, onclick: loader.retry }),
      h('button', {
        id: 'not-loaded-close',
        'data-kind': 'quiet',
        'aria-label': close,
        text: '×',
        onclick: loader.dismiss,
      }),
    ),
  );
}
