// What style sheets read of the page: its looks, which follow from preferences, and its states.

import { onPreference, preference, preferNext } from '../browser/storage.js';
import { loadSheet } from '../widgets/element.js';

/** @import {Preferences} from '../browser/storage.js' */

/** @type {(keyof Preferences)[]} */
const LOOKS = ['table', 'cards', 'backs', 'indices', 'light', 'motion', 'keys'];

/** @type {MediaQueryList | undefined} */
let reduced;

/** Return whether the system asks for less motion. */
function prefersLessMotion() {
  reduced ??= matchMedia('(prefers-reduced-motion: reduce)');
  return reduced.matches;
}

/** Return whether nothing may move: the player or the system asks for less motion. */
export const isCalm = () => preference('motion') === 'less' || prefersLessMotion();

/** Change to the next theme of the table. */
export const nextTable = () => preferNext('table');

/** Load the card faces of a palette beyond the ordinary one. @param {Preferences['cards']} palette */
export function fetchFaces(palette) {
  if (palette !== 'two') loadSheet(`cards-${palette}`).catch(() => {}); // the ordinary faces remain
}

/** Load the German letters of the cards. */
const fetchIndices = () => loadSheet('cards-german').catch(() => {}); // the ordinary faces remain

/** Set the attributes of the page, and load what they need. */
function apply() {
  const root = document.documentElement;
  for (const name of LOOKS) root.dataset[name] = String(preference(name));
  fetchFaces(preference('cards'));
  if (preference('indices') === 'german') fetchIndices();
  tintBrowser();
}

/** Give the browser's own bars the colour of the page's. */
function tintBrowser() {
  const root = document.documentElement;
  const meta = document.querySelector('meta[name="theme-color"]');
  meta?.setAttribute('content', getComputedStyle(root).getPropertyValue('--bar').trim());
}

/** Apply the preferences, now and whenever they change. */
export function bindAppearance() {
  apply();
  return onPreference((name) => {
    if (LOOKS.includes(name)) apply();
  });
}

/**
 * Write a state on the document and its body, as `data-NAME`: not all browsers that play know `:has()`.
 * @param {'screen' | 'chat' | 'connection' | 'acts' | 'forOne' | 'watching'} name
 * @param {string} value
 */
export function setPageState(name, value) {
  for (const each of [document.documentElement, document.body])
    if (each.dataset[name] !== value) each.dataset[name] = value;
}
