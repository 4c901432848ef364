// The sentences of the page of the own races, loaded when it is opened.

import race from './race.js';
import basics from './start.js';

const { count, list } = basics;

const en = {
  lead: 'Only this browser keeps them: nothing of it is sent anywhere. The server keeps the page of a race for a day after everyone has left.',
  unstorable:
    'This browser’s storage is switched off or full: new races are forgotten when you close this page.',
  empty: 'No races yet. Those you finish from now on will be here, and practice, too.',
  GAMES: {
    title: 'By game',
    races: 'Games',
    wins: 'Finished',
    firsts: 'Races won',
    best: 'Best time',
    average: 'Average time',
    score: 'Best score',
  },
  FORM: {
    title: 'Latest places',
    table: 'Places as a table',
    columns: ['Date', 'Place', 'Players'],
  },
  RIVALS: {
    title: 'Against whom',
    columns: ['Name', 'Races', 'Ahead', 'Behind', 'No place'],
    about: 'How often you were ahead of them, and behind. Equal names count as one player.',
  },
  list: 'All races',
  open: 'race still open',
  /** What a game was, if it was no race. */
  KINDS: { practice: 'practice', day: 'Today’s race', ghost: 'against a ghost' },
  csv: 'Save as CSV',
  json: 'Save as JSON',
  read: 'Read a saved file',
  noFile: 'This isn’t a file of saved races.',
  added: (/** @type {number} */ n) =>
    n > 0 ? `${count(n, 'race')} added.` : 'All races in this file are here already.',
  delete: 'Delete all',
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
  figures: (/** @type {number} */ score, /** @type {number} */ moves) =>
    `${count(score, 'point')} · ${count(moves, 'move')}`,
  met: (/** @type {readonly string[]} */ names) => `with ${list(names)}`,
};

export default en;
