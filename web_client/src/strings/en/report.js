// The report of a race: its events in words.

import { raceNews } from './race.js';
import { count } from './start.js';

/** @import {RaceEvent} from '../../state/race-report.js' */

export const REPORT = 'What has happened';

/** The words of the first event. */
export const STARTED = 'Go!';

/**
 * Return the words of an event after the player's name, or after "You".
 * @param {RaceEvent} event
 * @param {boolean} isOwn
 * @param {number} of the number of suits of the game
 * @param {boolean} isOpen whether all cards of the game begin face up
 */
export function eventWords({ kind, standing, cards }, isOwn, of, isOpen) {
  if (kind === 'start' || !standing) return STARTED;
  if (kind === 'lead') return ' took the lead';
  if (kind === 'face-up') return ': all face up';
  if (kind === 'cards') return ` ${isOpen ? 'played' : 'turned'} ${count(cards, 'card')}`;
  if (isOwn && standing.state === 'TIMED_OUT' && kind === 'end') return ' are out of time';
  // The time stands at the beginning of the line.
  return raceNews({ kind, standing }, of).replace(/ · [\d:]+/, '');
}

/** The player who reads an event, at its beginning. */
export const YOU = 'You';
