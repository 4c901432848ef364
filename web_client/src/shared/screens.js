// Each screen's code comes when it is first needed or somebody begins to play, so that the
// front page is there at once. What does not come though the server answers belongs to another
// build of the page: then only loading it anew helps.

import { sheet } from './sheets.js';

/**
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @typedef {{update: (state: State) => void, unbind: () => void}} Bound
 * @typedef {(root: HTMLElement, app: App, code: string) => Bound} Binder
 * @typedef {'landing' | 'join' | 'waiting' | 'room' | 'countdown' | 'race' | 'results'
 *   | 'finished' | 'strategy'} Screen
 */

/** What shows tables and standings; later sheets count on the earlier. */
const tables = () => Promise.all(['race', 'board', 'results'].map(sheet));

/** @type {Record<Screen, () => Promise<Binder>>} */
const LOADERS = {
  landing: async () => (await import('../landing/landing.js')).bindLanding,
  join: async () => (await import('../landing/landing.js')).bindJoin,
  waiting: async () => (await import('../room/join-requests.js')).bindWaiting,
  room: async () => (await import('../room/room.js')).bindRoom,
  countdown: async () => (await import('../race/countdown.js')).bindCountdown,
  race: async () => {
    const [race] = await Promise.all([import('../race/race.js'), tables()]);
    return race.bindRace;
  },
  results: async () => {
    const [results] = await Promise.all([import('../results/results.js'), tables()]);
    return results.bindResults;
  },
  finished: async () => {
    const [finished] = await Promise.all([import('../results/finished.js'), tables()]);
    return finished.bindFinished;
  },
  strategy: async () => {
    const [strategy] = await Promise.all([import('../strategy/strategy.js'), sheet('strategy')]);
    return strategy.bindStrategy;
  },
};

const RETRY = 1_000;
const TRIES = 3;
let failed = 0;

/** Whether the server answers at all. */
const isThere = async () => (await fetch('/', { method: 'HEAD' }).catch(() => null))?.ok ?? false;

/** Screens that are at hand. @type {Map<Screen, Binder>} */
const ready = new Map();

/**
 * The binder of a screen, at once if it is at hand.
 *
 * @param {Screen} name
 * @param {() => void} loaded called when it is, if it was not, and when it is time to ask again
 * @param {() => void} outlived called when this page cannot load it any more
 * @returns {Binder | undefined}
 */
export function binder(name, loaded, outlived) {
  const found = ready.get(name);
  if (!found)
    LOADERS[name]().then(
      (bind) => {
        failed = 0;
        ready.set(name, bind);
        loaded();
      },
      async () => {
        if (await isThere()) failed += 1;
        if (failed === TRIES) outlived();
        else setTimeout(loaded, RETRY);
      },
    );
  return found;
}

/** Brings all screens of a race, while somebody types a name or the room fills. */
export function fetchAhead() {
  const { strategy: _aside, ...race } = LOADERS;
  for (const [name, load] of Object.entries(race))
    load().then(
      (bind) => ready.set(/** @type {Screen} */ (name), bind),
      () => {}, // asked for again when it is needed
    );
}
