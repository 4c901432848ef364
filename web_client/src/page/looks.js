// The look of the page, which the player's preferences decide, and the states of the page that style sheets read.

import { onPreference, preference } from '../browser/storage.js';
import { listen, loadSheet } from '../widgets/element.js';

/** @import {Preferences} from '../browser/storage.js' */

/** The preferences that are attributes of the root. @type {('table' | 'cards' | 'backs' | 'indices' | 'light' | 'motion' | 'keys')[]} */
const LOOKS = ['table', 'cards', 'backs', 'indices', 'light', 'motion', 'keys'];

const lessMotion = () => matchMedia('(prefers-reduced-motion: reduce)');

/** Return whether to leave out animations, because the player or the system asks for less motion. */
export const isCalm = () => preference('motion') === 'less' || lessMotion().matches;

/** Load the card faces of this name. Until they arrive, cards show the ordinary faces. @param {Preferences['cards'] | 'german'} name */
export function fetchFaces(name) {
  // `two`, the faces in two colours, is the default: the page loads it anyway.
  if (name !== 'two') loadSheet(`cards-${name}`).catch(() => {});
}

/** Apply the preferences to the page: set its attributes, load the card faces, and colour the browser's own bars. */
function applyLooks() {
  const root = document.documentElement;
  for (const name of LOOKS) root.dataset[name] = preference(name);
  if (isCalm()) root.dataset.motion = 'less'; // even if only the system asks for it
  fetchFaces(preference('cards'));
  if (preference('indices') === 'german') fetchFaces('german');
  const bar = getComputedStyle(root).getPropertyValue('--rail').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', bar);
}

/** Apply the preferences now, and whenever they or the system's change. */
export function bindAppearance() {
  applyLooks();
  listen(lessMotion(), 'change', applyLooks);
  onPreference(applyLooks);
}

/**
 * Write a state of the page as `data-NAME` on root and body, for the styles of both: not all browsers know `:has()`.
 * @param {'screen' | 'chat' | 'connection' | 'forOne' | 'watching'} name @param {string} value
 */
export function setPageState(name, value) {
  for (const each of [document.documentElement, document.body])
    if (each.dataset[name] !== value) each.dataset[name] = value;
}
