// The screens: how each is loaded, and which of them are at hand.
//
// The code, style sheets and sentences of a screen come when it is first needed or somebody begins
// to play, so that the front page is there at once. A screen that cannot be loaded although the
// server answers belongs to another build of the page: then only a reload helps.

import { fetchStrings } from '../core/language.js';
import { sheet } from './element.js';

/**
 * @import {Feature} from '../core/language.js'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @typedef {{update: (state: State) => void, unbind: () => void}} Bound
 * @typedef {(root: HTMLElement, app: App, code: string) => Bound} Binder
 * @typedef {'landing' | 'join' | 'waiting' | 'room' | 'countdown' | 'race' | 'results'
 *   | 'finished' | 'strategy'} Screen
 * @typedef {object} Parts
 * @property {() => Promise<Binder>} code
 * @property {readonly Feature[]} strings
 * @property {readonly string[]} sheets in order: later ones refine the earlier
 */

/** @type {Readonly<Record<Screen, Parts>>} */
const SCREENS = {
  landing: {
    code: async () => (await import('../landing/landing.js')).bindLanding,
    strings: [],
    sheets: [],
  },
  join: {
    code: async () => (await import('../landing/landing.js')).bindJoin,
    strings: [],
    sheets: [],
  },
  waiting: {
    code: async () => (await import('../room/join-requests.js')).bindWaiting,
    strings: ['admission'],
    sheets: [],
  },
  room: {
    code: async () => (await import('../room/room.js')).bindRoom,
    strings: ['room', 'admission', 'rules', 'match', 'deal', 'host'],
    sheets: [],
  },
  countdown: {
    code: async () => (await import('../race/countdown.js')).bindCountdown,
    strings: ['deal'],
    sheets: [],
  },
  race: {
    code: async () => (await import('../race/race.js')).bindRace,
    strings: ['race', 'board', 'host', 'admission'],
    sheets: ['race', 'board', 'results'],
  },
  results: {
    code: async () => (await import('../results/results.js')).bindResults,
    strings: ['results', 'replay', 'board', 'match', 'deal'],
    sheets: ['race', 'board', 'results'],
  },
  finished: {
    code: async () => (await import('../results/finished.js')).bindFinished,
    strings: ['results', 'replay', 'board', 'deal'],
    sheets: ['race', 'board', 'results'],
  },
  strategy: {
    code: async () => (await import('../strategy/strategy.js')).bindStrategy,
    strings: [],
    sheets: ['strategy'],
  },
};

const RETRY_MS = 1_000;
const MAX_FAILURES = 3;
let failures = 0;

/** Screens that are at hand. @type {Map<Screen, Binder>} */
const ready = new Map();

/** @param {Screen} name @returns {Promise<Binder>} */
async function load(name) {
  const { code, strings, sheets } = SCREENS[name];
  const [bind] = await Promise.all([code(), fetchStrings(...strings), ...sheets.map(sheet)]);
  ready.set(name, bind);
  return bind;
}

/** Return whether the server answers at all. */
const answers = async () => (await fetch('/', { method: 'HEAD' }).catch(() => null))?.ok ?? false;

/**
 * Return the binder of a screen if it is at hand, and load it otherwise.
 *
 * @param {Screen} name
 * @param {() => void} loaded called when it is at hand, and when it is time to ask again
 * @param {() => void} outdated called when this page cannot load it any more
 * @returns {Binder | undefined}
 */
export function binder(name, loaded, outdated) {
  const found = ready.get(name);
  if (!found)
    load(name).then(
      () => {
        failures = 0;
        loaded();
      },
      async () => {
        if (await answers()) failures += 1;
        if (failures === MAX_FAILURES) outdated();
        else setTimeout(loaded, RETRY_MS);
      },
    );
  return found;
}

/** Load all screens of a race, while somebody types a name or the room fills. */
export function fetchAhead() {
  const { strategy: _aside, ...race } = SCREENS;
  for (const name of /** @type {Screen[]} */ (Object.keys(race))) load(name).catch(() => {});
}
