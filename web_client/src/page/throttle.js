// Drawing at most once in an interval; changes within it are drawn together at its end.

/** Make a throttle. @param {number} intervalMs @param {() => void} draw */
export function makeThrottle(intervalMs, draw) {
  let drawnAt = -intervalMs;
  let timer = 0;

  /** Draw, and begin a new interval. */
  function drawNow() {
    clearTimeout(timer);
    timer = 0;
    drawnAt = performance.now();
    draw();
  }

  return {
    /** Draw at once. */
    drawNow,
    /** Draw at once, or at the end of the interval if the last drawing was within it. */
    request() {
      const wait = drawnAt + intervalMs - performance.now();
      if (wait <= 0) drawNow();
      else timer ||= setTimeout(drawNow, wait); // a timer that fires a little early draws too
    },
    stop() {
      clearTimeout(timer);
      timer = 0;
    },
  };
}
