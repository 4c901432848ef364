// The bar at the foot of the room or of the results. The status line and the chat stand above it, and its
// height depends on its words.

/** Let sheets know the height of a bar. @param {HTMLElement} bar @returns {() => void} the unbinder */
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
