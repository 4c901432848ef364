// The bar at the foot of a room's pages: its buttons stay below the pointer while they are pressed, and sheets
// know its height.

/**
 * When a press counts as ended: a menu that opens can swallow its end, and the event of a finger's click can come a
 * little after the finger has left.
 */
const PRESS_MS = { pointerdown: 1_000, pointerup: 50, pointercancel: 50 };

/**
 * Make a function that draws at once, or after the press while an element is pressed. A drawing could move the
 * pressed button away from the pointer, and the click would miss it.
 * @param {HTMLElement} element
 * @param {() => void} draw
 * @returns {() => void}
 */
export function makeSteadyDraw(element, draw) {
  let timer = 0; // runs until the press has ended
  let isWaiting = false;
  function release() {
    timer = 0;
    if (isWaiting) draw();
    isWaiting = false;
  }
  for (const [type, ms] of Object.entries(PRESS_MS))
    element.addEventListener(type, () => {
      clearTimeout(timer);
      timer = setTimeout(release, ms);
    });
  return () => {
    if (timer) isWaiting = true;
    else draw();
  };
}

/**
 * Tell sheets the height of the bar at the foot, which depends on its words. The status line and the chat stand
 * above it.
 * @param {HTMLElement} bar
 * @returns {() => void} the unbinder
 */
export function shareHeight(bar) {
  const { style } = document.documentElement;
  const watcher = new ResizeObserver(() =>
    style.setProperty('--next-bar', `${bar.offsetHeight}px`),
  );
  watcher.observe(bar);
  return () => {
    watcher.disconnect();
    style.removeProperty('--next-bar');
  };
}
