// The server's catalogue, fetched once: the games, the settings that each of them has, and the
// presets.

import { ABOUT_PEOPLE } from '../core/protocol.js';

/** @import {Catalogue, GameInfo, Settings} from '../core/messages.d.ts' */

const RETRY_MS = 5_000;

/** @type {Catalogue} */
let known = { games: [], presets: [] };
/** @type {Promise<void> | null} */
let fetching = null;

async function fetchCatalogue() {
  for (;;) {
    const found = await fetch('/api/catalogue')
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (found) {
      known = found;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Return the catalogue; it is empty until it is there. */
export const catalogue = () => known;

/** Return what the catalogue says about a game. @param {unknown} id @returns {GameInfo | undefined} */
export const gameInfo = (id) => known.games.find((each) => each.id === id);

/** Call back once the catalogue is there. @param {() => void} then */
export function whenKnown(then) {
  fetching ??= fetchCatalogue();
  fetching.then(then);
}

/**
 * Return the preset of these settings, whatever they say about people.
 *
 * @param {Catalogue} among
 * @param {Settings} settings
 * @returns {string | undefined}
 */
export function presetOf(among, settings) {
  const rules = Object.keys(settings).filter((name) => !ABOUT_PEOPLE.includes(name));
  const plain = (/** @type {Settings} */ some) => JSON.stringify(some, rules.toSorted());
  return among.presets.find((each) => plain(each.settings) === plain(settings))?.id;
}
