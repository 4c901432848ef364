// The sentences of the page of the own races, loaded when it is opened.

import race from './race.js';
import basics from './start.js';

const { count, list } = basics;

const en = {
  lead: 'Kept in this browser only and never sent anywhere.',
  unstorable:
    'This browser’s storage is switched off or full: new races are forgotten when you close this page.',
  empty: 'No races yet. Every race you finish from now on shows up here, practice too.',
  none: 'No races yet',
  menu: 'Save, import or delete',
  games: 'By game',
  FACTS: ['won', 'best', 'average'],
  races: (/** @type {number} */ n, /** @type {number} */ wins) =>
    `${count(n, 'race')} · ${wins} finished`,
  FORM: {
    title: (/** @type {string} */ game) => `Latest places, ${game.toLowerCase()}`,
    won: (/** @type {number} */ n, /** @type {number} */ of) => `${n} of the last ${of} won`,
    spoken: 'Oldest first:',
  },
  RIVALS: { title: 'Rivals', about: 'You ahead : behind' },
  list: 'All races',
  more: (/** @type {number} */ n) => `Show all ${n}`,
  open: 'race still open',
  /** What a game was, if it was no race. */
  KINDS: { practice: 'practice', day: 'Today’s race', ghost: 'against a ghost' },
  csv: 'Save as CSV',
  json: 'Save as JSON',
  read: 'Import a file…',
  noFile: 'This isn’t a file of saved races.',
  added: (/** @type {number} */ n) =>
    n > 0 ? `${count(n, 'race')} added.` : 'All races in this file are here already.',
  delete: 'Delete all…',
  DELETE: {
    title: 'Delete all your races?',
    text: 'They are deleted from this browser, and can’t be brought back.',
    yes: 'Delete',
    no: 'Cancel',
  },
  deleted: 'Your races are deleted.',
  locale: 'en-GB',
  placeOf: (/** @type {number} */ place, /** @type {number} */ of) =>
    `${race.ordinal(place)} of ${of}`,
  moves: (/** @type {number} */ n) => count(n, 'move'),
  met: (/** @type {readonly string[]} */ names) => `with ${list(names)}`,
};

export default en;
