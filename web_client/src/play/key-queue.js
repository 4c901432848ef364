// A queue of keys. While a module that a key needs is being loaded, all later keys are queued; once it
// is loaded, they are pressed again in their order.

/**
 * @typedef {import('./key-bindings.js').Pressed & Pick<KeyboardEvent, 'preventDefault'>} Key
 * @typedef {object} KeyQueue
 * @property {Key[]} keys
 * @property {number} loads the modules that are being loaded
 * @property {(key: Key) => void} press presses a key again
 * @property {() => void} failed called if a module is not there in time
 * @property {boolean} closed
 */

/** The most keys that are queued; a keyboard with a full buffer drops further ones too. */
const MAX_KEYS = 32;
/** After this time players no longer expect a key to act. */
const MAX_WAIT_MS = 10_000;

/** Make a queue. @param {() => void} failed @param {(key: Key) => void} [press] @returns {KeyQueue} */
export function makeKeyQueue(failed, press = pressAgain) {
  return { keys: [], loads: 0, press, failed, closed: false };
}

/** Queue a key while a module is being loaded. @param {KeyQueue} queue @param {Key} key @returns {boolean} whether it is queued */
export function queueKey(queue, key) {
  if (queue.loads === 0) return false;
  key.preventDefault();
  if (queue.keys.length < MAX_KEYS) queue.keys.push(key);
  return true;
}

/**
 * Queue the next keys until a module is loaded; then call its action, and press the keys. If the
 * module cannot be loaded in time, they are dropped.
 * @param {KeyQueue} queue
 * @param {Promise<() => void>} loading resolves with the action
 */
export async function queueUntil(queue, loading) {
  queue.loads += 1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(reject, MAX_WAIT_MS);
  });
  const action = await Promise.race([loading, timeout]).catch(() => null);
  clearTimeout(timer);
  queue.loads -= 1;
  if (queue.closed) return;
  if (action) action();
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

/** Drop the queued keys: their screen is no longer shown. @param {KeyQueue} queue */
export function closeQueue(queue) {
  queue.closed = true;
  queue.keys.length = 0;
}

/** Press a key where the focus is now: the key before it may have opened a dialog. @param {Key} key */
function pressAgain({ key, code, shiftKey, ctrlKey = false, metaKey = false }) {
  const event = new KeyboardEvent('keydown', {
    key,
    code,
    shiftKey,
    ctrlKey,
    metaKey,
    bubbles: true,
    cancelable: true,
  });
  const unhandled = (document.activeElement ?? document.body).dispatchEvent(event);
  // The browser closes a dialog at a real Escape only.
  const dialog = document.querySelector('dialog[open]');
  if (unhandled && key === 'Escape' && dialog instanceof HTMLDialogElement) dialog.close();
}
