// The screen stays on while this player races. Plain HTTP has no such lock.

/** Bind the lock; returns the function that wants it, or gives it back. */
export function bindWakeLock() {
  let wanted = false;
  let requesting = false;
  /** @type {WakeLockSentinel | null} */
  let held = null;

  async function settle() {
    if (!wanted) {
      held?.release().catch(() => {});
      held = null;
      return;
    }
    // The system releases it when the page is hidden.
    if (requesting || (held && !held.released) || document.visibilityState !== 'visible') return;
    requesting = true;
    held = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null;
    requesting = false;
    if (!wanted) settle();
  }

  document.addEventListener('visibilitychange', settle);
  return (/** @type {boolean} */ on) => {
    if (on === wanted) return;
    wanted = on;
    settle();
  };
}
