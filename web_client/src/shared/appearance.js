// What the page looks like: the player's taste becomes attributes that the style sheets read.

import { fetchStrings } from '../core/language.js';
import { CHOICES, onPreference, preference, preferNext } from '../core/preferences.js';
import { sheet } from './element.js';

/** @import {Preferences} from '../core/preferences.js' */

/** @type {(keyof Preferences)[]} */
const LOOKS = ['table', 'cards', 'light', 'motion'];

const FIRST_TABLES = 8;

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether nothing is to glide. */
export const calm = () => preference('motion') === 'less' || still.matches;

export const nextTable = () => preferNext('table');
export const nextCards = () => preferNext('cards');

/** Faces beyond the ordinary come when they are wanted. @param {Preferences['cards']} palette */
export function fetchFaces(palette) {
  if (palette !== 'two') sheet(`cards-${palette}`).catch(() => {}); // ordinary ones do as well
}

/** So do tables beyond the first ones. */
export const fetchTables = () => sheet('tables').then(tint, () => {});

function show() {
  const root = document.documentElement;
  for (const name of LOOKS) root.dataset[name] = String(preference(name));
  fetchFaces(preference('cards'));
  if (CHOICES.table.indexOf(preference('table')) >= FIRST_TABLES) fetchTables();
  tint();
}

/** The browser's own bars have the colour of ours. */
function tint() {
  const root = document.documentElement;
  const meta = document.querySelector('meta[name="theme-color"]');
  meta?.setAttribute('content', getComputedStyle(root).getPropertyValue('--bar').trim());
}

/** Shows the player's taste, now and whenever it changes. */
export function bindAppearance() {
  show();
  return onPreference((name) => {
    if (LOOKS.includes(name)) show();
  });
}

/** Opens the dialog of all preferences. */
export async function openOptions() {
  const [{ openDialog }] = await Promise.all([
    import('../preferences/preferences-dialog.js'),
    fetchStrings('preferences'),
    sheet('options'),
  ]);
  openDialog();
}
