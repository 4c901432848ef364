// The sound of a message: one at most, of the most important change in it. The lead sounds where it is
// shown, since that is at most once a second.

import { raceEvents } from './race-events.js';

/**
 * @import {RaceEventKind} from './race-events.js'
 * @import {Message} from './reducer.js'
 * @import {State} from './state.js'
 * @typedef {'tick' | 'go' | 'put' | 'turn' | 'deal' | 'no' | 'buzz' | 'home' | 'other' | 'suit' | 'last' | 'photo' | 'react'
 *   | LeadCue | 'over' | 'won'} Cue
 * @typedef {'ahead' | 'behind' | 'lead'} LeadCue this player takes the lead, loses it, or it goes from one
 *   rival to another
 */

/** The sounds of events. An own event has the sound of the act that caused it. @type {Partial<Record<RaceEventKind, Cue>>} */
const OF_EVENTS = { begin: 'go', photo: 'photo', finish: 'other', stop: 'other', suit: 'suit' };

/**
 * Return the sound of a change of the lead; null if there is none, or if nobody led before.
 * @param {number | null} before the seat that led last
 * @param {number | null} after
 * @param {number} me this player's seat, or -1
 * @returns {LeadCue | null}
 */
export function leadCue(before, after, me) {
  if (before === null || after === null || before === after) return null;
  if (after === me) return 'ahead';
  return before === me ? 'behind' : 'lead';
}

/**
 * Return the sound of a message, if it has one.
 * @param {State} before
 * @param {State} after
 * @param {Message} message
 * @returns {Cue | null}
 */
export function cueOf(before, after, message) {
  if (message.type === 'acted') {
    const old = before.play?.base.counts ?? { suits: 0, face_down: 0 };
    const { suits, face_down } = { ...old, ...message.counts };
    const act = before.play?.inFlight.find(({ id }) => id === message.id)?.action.type;
    if (message.outcome === 'won') return 'won';
    if (suits > old.suits) return 'home';
    if (act === 'deal') return 'deal';
    return face_down < old.face_down ? 'turn' : 'put';
  }
  const me = after.me?.seat ?? -1;
  if (message.type === 'round_over' && after.over && after.over.n !== before.over?.n)
    return after.over.winners.includes(me) ? 'won' : 'over';
  for (const { kind, standing } of raceEvents(before, after)) {
    const cue = OF_EVENTS[kind];
    if (cue && (standing?.seat !== me || kind === 'photo')) return cue;
  }
  return null;
}
