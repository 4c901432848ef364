// Keys that wait for code. While a module that a key needs is being loaded, all later keys are kept,
// and pressed again in their order once it is there.

/**
 * @typedef {Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'preventDefault'>} Key
 * @typedef {object} KeyQueue
 * @property {Key[]} keys the kept ones
 * @property {number} loads the modules that are being loaded
 * @property {(key: Key) => void} press presses a key again
 * @property {() => void} failed called if a module is not there in time
 * @property {boolean} closed
 */

/** More keys are dropped, as a keyboard without room in its buffer does. */
const MAX_KEYS = 32;
/** Nobody expects a key to act later than this. */
const MAX_WAIT_MS = 10_000;

/**
 * Make a queue.
 *
 * @param {() => void} failed
 * @param {(key: Key) => void} [press]
 * @returns {KeyQueue}
 */
export function makeKeyQueue(failed, press = pressAgain) {
  return { keys: [], loads: 0, press, failed, closed: false };
}

/** Keep a key if earlier ones wait. @param {KeyQueue} queue @param {Key} key @returns {boolean} whether it is kept */
export function keep(queue, key) {
  if (queue.loads === 0) return false;
  key.preventDefault();
  if (queue.keys.length < MAX_KEYS) queue.keys.push(key);
  return true;
}

/**
 * Let later keys wait until a module is loaded; then use it, and press them. If it cannot be loaded
 * in time, they are dropped.
 *
 * @param {KeyQueue} queue
 * @param {Promise<() => void>} loading resolved with what is to be done first
 */
export async function hold(queue, loading) {
  queue.loads += 1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, MAX_WAIT_MS);
  });
  const act = await Promise.race([loading, late]).catch(() => null);
  clearTimeout(timer);
  queue.loads -= 1;
  if (queue.closed) return;
  if (act) act();
  else {
    queue.keys.length = 0;
    queue.failed();
  }
  while (queue.loads === 0) {
    const key = queue.keys.shift();
    if (!key) return;
    queue.press(key);
  }
}

/** Drop what waits: its screen is gone. @param {KeyQueue} queue */
export function close(queue) {
  queue.closed = true;
  queue.keys.length = 0;
}

/** Press a key where the focus is now: the key before it may have opened a dialog. @param {Key} key */
function pressAgain({ key, code, shiftKey }) {
  const event = new KeyboardEvent('keydown', {
    ...{ key, code, shiftKey },
    ...{ bubbles: true, cancelable: true },
  });
  const free = (document.activeElement ?? document.body).dispatchEvent(event);
  // The browser itself acts on real keys only.
  const dialog = document.querySelector('dialog[open]');
  if (free && key === 'Escape' && dialog instanceof HTMLDialogElement) dialog.close();
}
