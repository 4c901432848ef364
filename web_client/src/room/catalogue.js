// The server's catalogue, fetched once: the games, the settings that each of them has, and the
// presets.

import { jitteredWait } from '../connection/backoff.js';
import { ABOUT_PEOPLE } from '../contract/protocol.js';

/** @import {Catalogue, GameInfo, Settings} from '../contract/messages.d.ts' */

/** The settings that are part of no preset: those about people, and what those who do not play may see. */
const BESIDES = new Set([...ABOUT_PEOPLE, 'spectate', 'board_delay_s']);

/** @type {Catalogue} */
let loaded = { games: [], presets: [] };
/** @type {Promise<void> | null} */
let fetching = null;

/** Fetch the catalogue, with retries until the server answers. */
async function fetchCatalogue() {
  for (let failures = 0; ; failures += 1) {
    const received = await fetch('/api/catalogue')
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (received) {
      loaded = received;
      return;
    }
    const wait = jitteredWait(failures, Math.random());
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Return the catalogue; it is empty until it is loaded. */
export const catalogue = () => loaded;

/** Return what the catalogue says about a game. @param {unknown} id @returns {GameInfo | undefined} */
export const gameInfo = (id) => loaded.games.find((each) => each.id === id);

/** Load the catalogue, and call back once it is loaded. @param {() => void} callback */
export function whenLoaded(callback) {
  fetching ??= fetchCatalogue();
  fetching.then(callback);
}

/** Return whether a preset says what a setting is. @param {string} name */
export const isOfPreset = (name) => !BESIDES.has(name);

/**
 * Return the preset with the same settings; those that are part of no preset do not count.
 * @param {Catalogue} source
 * @param {Settings} settings
 * @returns {string | undefined}
 */
export function presetOf(source, settings) {
  const rules = Object.keys(settings).filter(isOfPreset);
  const rulesText = (/** @type {Settings} */ each) => JSON.stringify(each, rules.toSorted());
  return source.presets.find((each) => rulesText(each.settings) === rulesText(settings))?.id;
}
