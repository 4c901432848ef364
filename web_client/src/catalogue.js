// What can be played here, asked of the server once: games, what goes with them, and presets.

/**
 * @import {Catalogue, Settings} from './protocol.d.ts'
 */

const RETRY = 5_000;

/** @type {Catalogue} */
let known = { games: [], presets: [] };
/** @type {Promise<void> | null} */
let asking = null;

async function fill() {
  for (;;) {
    const answer = await fetch('/api/catalogue').catch(() => null);
    if (answer?.ok) {
      known = await answer.json();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}

/** Empty until it is known. */
export const catalogue = () => known;

/** Calls back once it is known. @param {() => void} then */
export function whenKnown(then) {
  asking ??= fill();
  asking.then(then);
}

/**
 * Which preset these settings are, whether the room is on the front page or not.
 *
 * @param {Catalogue} among
 * @param {Settings} settings
 */
export function presetOf(among, settings) {
  const plain = (/** @type {Settings} */ some) =>
    JSON.stringify({ ...some, public: false }, Object.keys(settings).toSorted());
  return among.presets.find((each) => plain(each.settings) === plain(settings))?.id;
}
