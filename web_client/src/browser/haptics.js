// Vibrations of a phone: short, and for what happens in the race, but for no ordinary move.

import { preference } from './storage.js';

/** @import {Cue} from '../state/sound-cues.js' */

/** Milliseconds of vibration and of rest, in turn. @type {Readonly<Partial<Record<Cue, number[]>>>} */
export const PATTERNS = {
  no: [30],
  buzz: [60],
  home: [25, 50, 25, 50, 50],
  ahead: [20, 40, 80],
  behind: [120],
  lead: [15, 60, 15],
  go: [70],
  last: [15],
  suit: [45],
  other: [80, 50, 40],
  over: [100, 100, 100],
  react: [10],
  photo: [20, 30, 20],
  won: [40, 60, 40, 60, 40, 60, 160],
};

/** Return whether this device may be able to vibrate. */
export const canVibrate = () => 'vibrate' in navigator;

/** Vibrate for a cue, if it has a pattern and the player wants it. @param {Cue} cue */
export function vibrate(cue) {
  const pattern = PATTERNS[cue];
  // Browsers refuse, with a warning, before the player has touched the page.
  if (!pattern || !preference('haptics') || !canVibrate()) return;
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate(pattern);
}
