// The report of a race: its events in words.

import { raceNews } from './race.js';

/** @import {RaceEvent} from '../../state/race-report.js' */

export const REPORT = 'Was bisher geschah';

export const STARTED = 'Los geht’s!';

/**
 * @param {RaceEvent} event
 * @param {boolean} isOwn
 * @param {number} of
 * @param {boolean} isOpen
 */
export function eventWords({ kind, standing, cards }, isOwn, of, isOpen) {
  if (kind === 'start' || !standing) return STARTED;
  if (kind === 'lead') return isOwn ? ' führst' : ' führt';
  if (kind === 'face-up') return ': alles aufgedeckt';
  if (kind === 'cards') return `: ${cards} ${isOpen ? 'abgelegt' : 'aufgedeckt'}`;
  // The time stands at the beginning of the line.
  const words = raceNews({ kind, standing }, of).replace(/ · [\d:]+/, '');
  return isOwn ? words.replace(/^ hat /, ' hast ').replace(/^ ist /, ' bist ') : words;
}

export const YOU = 'Du';
