// Drawing that waits while a pointer is pressed. What is drawn meanwhile could move a button or a
// box from below the pointer, and the click would miss it.

/** A menu that opens can take the end of a press away, so that is not awaited for ever. */
const MAX_PRESS_MS = 1_000;
/** A finger's click can come a moment after the finger has left. */
const CLICK_MS = 50;

/**
 * Make a function that draws at once, or after the press that is under way in an element.
 *
 * @param {HTMLElement} element
 * @param {() => void} draw
 * @returns {() => void}
 */
export function makeSteady(element, draw) {
  let pressed = false;
  let waiting = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  function release() {
    pressed = false;
    if (!waiting) return;
    waiting = false;
    draw();
  }
  /** @param {number} ms */
  function releaseIn(ms) {
    clearTimeout(timer);
    timer = setTimeout(release, ms);
  }
  element.addEventListener('pointerdown', () => {
    pressed = true;
    releaseIn(MAX_PRESS_MS);
  });
  for (const type of ['pointerup', 'pointercancel'])
    element.addEventListener(type, () => releaseIn(CLICK_MS));
  return () => {
    if (pressed) waiting = true;
    else draw();
  };
}
