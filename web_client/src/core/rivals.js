// News of the other players during a race: changes of lead and finishes, seldom enough to be
// listened to. News that has to wait is announced later, and a lead as it is by then.

import { strings } from './language.js';
import { isPlaying, leader } from './reducer.js';

/** @import {Standing} from './messages.d.ts' */

const PAUSE_MS = 10_000;

/** Make the collector of news. @param {() => number} now in milliseconds */
export function makeRivals(now) {
  let announcedAt = -PAUSE_MS;
  /** @type {Standing[]} */
  let ended = [];
  /** The seat whose end has been announced with what it means for the others. */
  let known = -1;
  /** The leader's seat as it was announced, or known from the start. */
  let led = -1;
  /** @type {readonly Standing[]} */
  let latest = [];

  return {
    /**
     * Collect the news of new standings.
     *
     * @param {readonly Standing[]} before
     * @param {readonly Standing[]} after
     * @param {number} me this player's seat, or -1
     */
    update(before, after, me) {
      if (before.length === 0) led = leader(after)?.seat ?? -1;
      latest = after;
      const news = after.filter(
        (each) =>
          each.seat !== me &&
          each.seat !== known &&
          !isPlaying(each) &&
          before.some((old) => old.seat === each.seat && isPlaying(old)),
      );
      ended.push(...news);
    },
    /** Announce no more that the game of a player has ended. @param {number} seat */
    announced(seat) {
      known = seat;
      ended = ended.filter((each) => each.seat !== seat);
    },
    /** Drop the rest when the race is over: its result says it all. */
    clear() {
      ended = [];
      latest = [];
      led = -1;
      known = -1;
    },
    /** Return the news that is due, or ''. @param {number} me this player's seat, or -1 */
    due(me) {
      if (now() - announcedAt < PAUSE_MS) return '';
      const first = leader(latest);
      // The first lead of a race is no change.
      const changed = first !== undefined && first.seat !== led;
      const lead = changed && led !== -1 ? first : undefined;
      if (changed) led = first.seat;
      const sentences = ended.map(strings.ended);
      if (lead && !ended.some(({ seat }) => seat === lead.seat))
        sentences.push(lead.seat === me ? strings.NEWS.lead : strings.leads(lead.name));
      ended = [];
      if (sentences.length > 0) announcedAt = now();
      return sentences.join(' ');
    },
  };
}
