// What is told of the others while one plays: a change of lead and a finish, seldom enough to
// be listened to. What must wait is not lost, only told later, and a lead as it is by then.

import { strings } from './language.js';

/**
 * @import {Standing} from './messages.d.ts'
 */

const PACE = 10_000;

const playing = (/** @type {Standing} */ { state }) => state === 'RACING' || state === 'CHASING';

/** Who leads: the first of the ranking, if nobody shares the place. @param {readonly Standing[]} standings */
export function leader(standings) {
  const first = standings.filter(({ place }) => place === 1);
  return first.length === 1 ? first[0] : undefined;
}

/** @param {() => number} now in milliseconds */
export function makeRivals(now) {
  let toldAt = -PACE;
  /** @type {Standing[]} */
  let ended = [];
  /** The seat that was told, or known from the start, to lead. */
  let led = -1;
  /** @type {readonly Standing[]} */
  let latest = [];

  return {
    /** @param {readonly Standing[]} before @param {readonly Standing[]} after @param {number} me */
    hear(before, after, me) {
      if (before.length === 0) led = leader(after)?.seat ?? -1;
      latest = after;
      const news = after.filter(
        (each) =>
          each.seat !== me &&
          !playing(each) &&
          before.some((old) => old.seat === each.seat && playing(old)),
      );
      ended.push(...news);
    },
    /** The race is over, and what was not told yet is told by its result. */
    forget() {
      ended = [];
      latest = [];
      led = -1;
    },
    /** What is to be told now, if anything. @param {number} me */
    due(me) {
      if (now() - toldAt < PACE) return '';
      const first = leader(latest);
      // A lead of nobody's points is none, and a change is one only from somebody to somebody.
      const changed = first !== undefined && first.seat !== led;
      const lead = changed && led !== -1 ? first : undefined;
      if (changed) led = first.seat;
      const words = ended.map(strings.ended);
      if (lead && !ended.some(({ seat }) => seat === lead.seat))
        words.push(lead.seat === me ? strings.NEWS.lead : strings.leads(lead.name));
      ended = [];
      if (words.length > 0) toldAt = now();
      return words.join(' ');
    },
  };
}
