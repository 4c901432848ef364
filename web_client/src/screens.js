// The screens of the page: the code, sentences and style sheets that each needs. They are loaded when
// the screen is first needed or a player begins to play, so that the front page is shown at once.

/** @import {Screens} from './page/stage.js' */

/** @type {Screens} */
export const SCREENS = {
  landing: { code: async () => (await import('./landing/landing.js')).bindLanding, strings: [] },
  join: {
    code: async () => (await import('./landing/join.js')).bindJoin,
    strings: [],
    sheets: ['mark'],
  },
  missing: {
    code: async () => (await import('./landing/missing.js')).bindMissing,
    strings: [],
  },
  waiting: {
    code: async () => (await import('./room/join-requests.js')).bindWaiting,
    strings: ['race'],
  },
  room: {
    code: async () => (await import('./room/room.js')).bindRoom,
    strings: ['race', 'after'],
    sheets: ['mark', 'room', 'lesson'],
  },
  countdown: {
    code: async () => (await import('./race/countdown.js')).bindCountdown,
    strings: ['race'],
    sheets: ['mark', 'room'],
  },
  race: {
    code: async () => (await import('./race/race.js')).bindRace,
    strings: ['race'],
    sheets: ['mark', 'board', 'race'],
  },
  results: {
    code: async () => (await import('./results/results.js')).bindResults,
    strings: ['race', 'after'],
    sheets: ['mark', 'room', 'board', 'results', 'replay'],
  },
  finished: {
    code: async () => (await import('./results/finished.js')).bindFinished,
    strings: ['race', 'after'],
    sheets: ['mark', 'board', 'results', 'replay'],
  },
  strategy: {
    code: async () => (await import('./strategy/strategy.js')).bindStrategy,
    strings: ['race', 'after'],
    sheets: ['strategy'],
  },
};
