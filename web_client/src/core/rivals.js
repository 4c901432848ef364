// News of the other players during a race: changes of the lead and ends of games, with pauses between
// them, so that a screen reader can read them out. News that has to wait is announced later; of the
// lead only the state at that time.

import { strings } from './language.js';
import { raceNews } from './race-news.js';
import { leader } from './reducer.js';

/** @import {Standing} from './messages.d.ts' */

/** The least time between two announcements. */
const PAUSE_MS = 10_000;

/** Make the collector of news. @param {() => number} now in milliseconds */
export function makeRivals(now) {
  let announcedAt = -PAUSE_MS;
  /** @type {Standing[]} */
  let ended = [];
  /** The seat whose end has been announced elsewhere, together with its effect on the race. */
  let announcedSeat = -1;
  /** The seat of the leader that was announced, or that the race was first seen with. */
  let knownLeader = -1;
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
      if (before.length === 0) knownLeader = leader(after)?.seat ?? -1;
      latest = after;
      for (const { kind, standing } of raceNews(before, after, me)) {
        if (kind === 'suit' || standing.seat === announcedSeat) continue;
        ended = [...ended.filter(({ seat }) => seat !== standing.seat), standing];
      }
    },
    /** Drop the news that the game of a player has ended, which is announced elsewhere. @param {number} seat */
    dropEnd(seat) {
      announcedSeat = seat;
      ended = ended.filter((each) => each.seat !== seat);
    },
    /** Drop all news: the race is over, and its result is shown. */
    clear() {
      ended = [];
      latest = [];
      knownLeader = -1;
      announcedSeat = -1;
    },
    /** Return the collected news if the pause is over, or ''. @param {number} me this player's seat, or -1 */
    take(me) {
      if (now() - announcedAt < PAUSE_MS) return '';
      const leading = leader(latest);
      // The first lead of a race is no change.
      const hasChanged = leading !== undefined && leading.seat !== knownLeader;
      const lead = hasChanged && knownLeader !== -1 ? leading : undefined;
      if (hasChanged) knownLeader = leading.seat;
      const sentences = ended.map(strings.ended);
      if (lead && !ended.some(({ seat }) => seat === lead.seat))
        sentences.push(lead.seat === me ? strings.NEWS.lead : strings.leads(lead.name));
      ended = [];
      if (sentences.length > 0) announcedAt = now();
      return sentences.join(' ');
    },
  };
}
