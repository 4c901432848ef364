// The lock that keeps the screen on while this player races. Pages of plain HTTP have no such lock.

/** Bind the lock; return the function that requests or releases it. */
export function bindWakeLock() {
  let wanted = false;
  let requesting = false;
  /** @type {WakeLockSentinel | null} */
  let held = null;

  /** Request or release the lock, as wanted. */
  async function apply() {
    if (!wanted) {
      held?.release().catch(() => {});
      held = null;
      return;
    }
    // The system releases the lock when the page is hidden, so it is requested again.
    if (requesting || (held && !held.released) || document.visibilityState !== 'visible') return;
    requesting = true;
    held = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null;
    requesting = false;
    if (!wanted) apply();
  }

  document.addEventListener('visibilitychange', apply);
  return (/** @type {boolean} */ isWanted) => {
    if (isWanted === wanted) return;
    wanted = isWanted;
    apply();
  };
}
