// The loader of parts of the page. A part that cannot be loaded is offered to the player again. A part
// without which the player cannot go on is tried again after waits with full jitter, as the connection
// is; a part that only belongs to the page, seldom; and what the player asked for, not at all.

import { jitteredWait } from '../connection/backoff.js';

/**
 * @typedef {'needed' | 'wanted' | 'asked-for'} Need
 * @typedef {object} Part a part that is being loaded, or could not be loaded
 * @property {() => Promise<any>} load
 * @property {(loaded: any) => void} use called once it is loaded
 * @property {Need} need
 * @property {((error: unknown) => void) | undefined} [failed] called after each failure
 * @property {boolean} loading
 * @property {number} failures in a row
 * @property {boolean} offered whether the player is offered to try again
 * @property {boolean} asked whether the player has asked for the current try
 * @property {ReturnType<typeof setTimeout> | undefined} [timer] of the next try
 * @typedef {ReturnType<typeof makePartLoader>} PartLoader
 */

/** The least wait before a part is tried again without which the player can go on. */
const SELDOM_MS = 30_000;

/** Return the wait before the next try, in ms. @param {Part} part */
const waitOf = ({ need, failures }) =>
  jitteredWait(failures, Math.random()) + (need === 'needed' ? 0 : SELDOM_MS);

/** Make a loader. @param {() => void} changed called when `isOffering` may have changed */
export function makePartLoader(changed) {
  /** The parts that are being loaded, and those that failed, by their names. @type {Map<string, Part>} */
  const parts = new Map();

  /** Try to load a part. @param {string} name @param {Part} part */
  async function attempt(name, part) {
    clearTimeout(part.timer);
    part.timer = undefined;
    part.loading = true;
    let loaded;
    try {
      loaded = await part.load();
    } catch (error) {
      part.loading = false;
      if (parts.get(name) === part) fail(name, part, error);
      return;
    }
    if (parts.get(name) !== part) return;
    parts.delete(name);
    changed();
    part.use(loaded);
  }

  /** Offer to try again, and plan the next try. @param {string} name @param {Part} part @param {unknown} error */
  function fail(name, part, error) {
    // An offer that the player has closed stays closed while the page tries on.
    if (part.asked || part.failures === 0) part.offered = true;
    part.asked = false;
    if (part.need !== 'asked-for') part.timer = setTimeout(() => attempt(name, part), waitOf(part));
    part.failures += 1;
    changed();
    part.failed?.(error);
  }

  return {
    /** Return whether the player is offered to try again. */
    isOffering: () => [...parts.values()].some((part) => part.offered),

    /**
     * Load a part, and use it. Calls for a part that is being loaded, or waits for its next try, change
     * nothing.
     * @param {string} name
     * @param {Pick<Part, 'load' | 'use' | 'need' | 'failed'>} how
     */
    load(name, how) {
      const old = parts.get(name);
      if (old?.loading || old?.timer) return;
      /** @type {Part} */
      const part = { ...how, loading: false, failures: 0, offered: false, asked: false };
      parts.set(name, part);
      attempt(name, part);
    },

    /** Offer to call a function again. @param {string} name @param {() => void} again */
    offer(name, again) {
      const load = () => {
        parts.delete(name);
        again();
        return new Promise(() => {}); // the function offers it again if it fails again
      };
      parts.set(name, {
        ...{ load, use() {}, need: /** @type {Need} */ ('asked-for') },
        ...{ loading: false, failures: 1, offered: true, asked: false },
      });
      changed();
    },

    /** Load no longer what is not needed any more. @param {string} name */
    forget(name) {
      clearTimeout(parts.get(name)?.timer);
      if (parts.delete(name)) changed();
    },

    /** Try all parts that failed again, because the player asks for it. */
    retry() {
      for (const [name, part] of [...parts]) {
        if (part.loading) continue;
        Object.assign(part, { offered: false, asked: true });
        attempt(name, part);
      }
      changed();
    },

    /** Try all but what the player asked for again, because the network is back. */
    resume() {
      for (const [name, part] of [...parts]) if (part.timer) attempt(name, part);
    },

    /** Close the offer; all but what the player asked for is tried on. */
    dismiss() {
      for (const [name, part] of [...parts]) {
        part.offered = false;
        if (part.need === 'asked-for' && !part.loading) parts.delete(name);
      }
      changed();
    },
  };
}
