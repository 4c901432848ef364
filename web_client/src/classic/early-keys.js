// The keys of 1987 between two games, until their code is there: they are kept and pressed again.

import { strings } from '../core/language.js';
import { preference } from '../core/preferences.js';
import { screen } from '../core/reducer.js';
import { listen } from '../shared/element.js';
import { makeKeyQueue, queueKey, queueUntil } from '../shared/key-queue.js';
import { offerRetry } from '../shared/lazy-part.js';

/** @import {App} from '../main.js' */

const TYPING = 'input, select, textarea';

/** The keys that may have a meaning there. */
const KEYS = /^(F[67]|[\dcgq])$/i;

/** Return whether a key is for the page between two games. @param {App} app @param {KeyboardEvent} event */
export function isBetweenGames(app, event) {
  const here = ['room', 'results'].includes(screen(app.state()));
  if (!here || preference('keys') !== 'classic' || event.defaultPrevented) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  const typing = target instanceof Element && target.closest(TYPING);
  return !typing && !document.querySelector('dialog[open]');
}

/**
 * Keep these keys until their code is loaded; each key after a failure loads it again.
 *
 * @param {App} app
 * @param {() => Promise<() => void>} load resolved with what is to be done before the kept keys
 */
export function bindEarlyKeys(app, load) {
  let waiting = false;
  const queue = makeKeyQueue(() => waiting && app.announce(strings.NOT_LOADED));
  const unbind = listen(document, 'keydown', (event) => {
    if (!KEYS.test(event.key) || !isBetweenGames(app, event)) return;
    if (queue.loads === 0) start();
    waiting = true;
    queueKey(queue, event);
  });

  function start() {
    waiting = false;
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
