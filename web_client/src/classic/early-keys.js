// The keys of 1987 between two games, until their code is loaded: they are queued and pressed again.

import { preference } from '../browser/storage.js';
import { offerRetry } from '../page/lazy-part.js';
import { keyOf, TYPING } from '../play/key-bindings.js';
import { makeKeyQueue, queueKey, queueUntil } from '../play/key-queue.js';
import { screenOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { listen } from '../widgets/element.js';

/** @import {App} from '../page/app.d.ts' */

/** The keys that may have a command between two games. */
const KEYS = /^(F[67]|[\dcgq])$/i;

/** Return whether a key is pressed between two games, and not for a field or a dialog. @param {App} app @param {KeyboardEvent} event */
export function isBetweenGames(app, event) {
  const isOnPage = ['room', 'results'].includes(screenOf(app.state()));
  if (!isOnPage || preference('keys') !== 'classic' || event.defaultPrevented) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  const isTyping = target instanceof Element && target.closest(TYPING);
  return !isTyping && !document.querySelector('dialog[open]');
}

/**
 * Queue these keys until their code is loaded; each key after a failure loads it again.
 * @param {App} app
 * @param {() => Promise<() => void>} load resolves with the function that binds the keys
 */
export function bindEarlyKeys(app, load) {
  let hasKeys = false;
  const queue = makeKeyQueue(() => hasKeys && app.announce(strings.NOT_LOADED));
  const unbind = listen(document, 'keydown', (event) => {
    if (!KEYS.test(keyOf(event)) || !isBetweenGames(app, event)) return;
    if (queue.loads === 0) start();
    hasKeys = true;
    queueKey(queue, event);
  });

  /** Load the code, then bind the keys. */
  function start() {
    hasKeys = false;
    const loading = load();
    queueUntil(
      queue,
      offerRetry(
        'classic',
        loading.then((bind) => () => {
          unbind();
          bind();
        }),
        () => queue.loads === 0 && start(),
      ),
    );
  }

  start();
}
