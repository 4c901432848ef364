// What can be played here, asked of the server once: games, what goes with them, and presets.

/**
 * @import {Catalogue, Settings} from '../core/messages.d.ts'
 */

const RETRY = 5_000;

/** Settings that are no part of any preset. */
export const ABOUT_PEOPLE = ['public', 'locked', 'max_players', 'one_seat', 'approve'];

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
 * Which preset these settings are, whoever may find or join the room.
 *
 * @param {Catalogue} among
 * @param {Settings} settings
 */
export function presetOf(among, settings) {
  const rules = Object.keys(settings).filter((name) => !ABOUT_PEOPLE.includes(name));
  const plain = (/** @type {Settings} */ some) => JSON.stringify(some, rules.toSorted());
  return among.presets.find((each) => plain(each.settings) === plain(settings))?.id;
}
