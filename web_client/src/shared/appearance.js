// The looks of the page: preferences become attributes that the style sheets read.

import { fetchStrings } from '../core/language.js';
import { CHOICES, onPreference, preference, preferNext } from '../core/preferences.js';
import { sheet } from './element.js';
import { late } from './late.js';

/** @import {Preferences} from '../core/preferences.js' */

/** @type {(keyof Preferences)[]} */
const LOOKS = ['table', 'cards', 'indices', 'light', 'motion'];

/** Tables whose colours are in base.css; the others are in tables.css. */
const FIRST_TABLES = 8;

/** @type {MediaQueryList | undefined} */
let reduced;

/** Return whether the system asks for less motion. */
function prefersLess() {
  reduced ??= matchMedia('(prefers-reduced-motion: reduce)');
  return reduced.matches;
}

/** Return whether no card may glide. */
export const isCalm = () => preference('motion') === 'less' || prefersLess();

export const nextTable = () => preferNext('table');
export const nextCards = () => preferNext('cards');

/** Load the card faces of a palette beyond the ordinary one. @param {Preferences['cards']} palette */
export function fetchFaces(palette) {
  if (palette !== 'two') sheet(`cards-${palette}`).catch(() => {}); // the ordinary faces remain
}

/** Load the German letters of the cards. */
export const fetchIndices = () => sheet('cards-german').catch(() => {}); // the ordinary faces remain

/** Load the colours of the tables beyond the first ones. */
export const fetchTables = () => sheet('tables').then(tint, () => {});

function show() {
  const root = document.documentElement;
  for (const name of LOOKS) root.dataset[name] = String(preference(name));
  fetchFaces(preference('cards'));
  if (preference('indices') === 'german') fetchIndices();
  if (CHOICES.table.indexOf(preference('table')) >= FIRST_TABLES) fetchTables();
  tint();
}

/** Give the browser's own bars the colour of the page's. */
function tint() {
  const root = document.documentElement;
  const meta = document.querySelector('meta[name="theme-color"]');
  meta?.setAttribute('content', getComputedStyle(root).getPropertyValue('--bar').trim());
}

/** Apply the preferences, now and whenever they change. */
export function bindAppearance() {
  show();
  return onPreference((name) => {
    if (LOOKS.includes(name)) show();
  });
}

/** Open the dialog of all preferences. */
export function openPreferences() {
  const load = () =>
    Promise.all([
      import('../preferences/preferences-dialog.js'),
      fetchStrings('preferences'),
      sheet('preferences'),
    ]);
  late('preferences', load, ([{ openDialog }]) => openDialog());
}
