// Drawing at most so often: what changes meanwhile is drawn together, when the time has come.

/**
 * @param {number} every in milliseconds
 * @param {() => void} draw
 */
export function makePace(every, draw) {
  let drawnAt = -every;
  let timer = 0;

  function now() {
    clearTimeout(timer);
    timer = 0;
    drawnAt = performance.now();
    draw();
  }

  return {
    now,
    /** Draws now if it may, or else later; a timer that fires a little early draws all the same. */
    ask() {
      const wait = drawnAt + every - performance.now();
      if (wait <= 0) now();
      else timer ||= setTimeout(now, wait);
    },
    stop() {
      clearTimeout(timer);
      timer = 0;
    },
  };
}
