// Drawing at most so often: changes in between are drawn together when the time has come.

/**
 * Make a throttle.
 *
 * @param {number} everyMs
 * @param {() => void} draw
 */
export function makeThrottle(everyMs, draw) {
  let drawnAt = -everyMs;
  let timer = 0;

  function now() {
    clearTimeout(timer);
    timer = 0;
    drawnAt = performance.now();
    draw();
  }

  return {
    /** Draw at once. */
    now,
    /** Draw now if the last drawing is long enough ago, or else when it is. */
    request() {
      const wait = drawnAt + everyMs - performance.now();
      if (wait <= 0) now();
      else timer ||= setTimeout(now, wait); // one that fires a little early draws all the same
    },
    stop() {
      clearTimeout(timer);
      timer = 0;
    },
  };
}
