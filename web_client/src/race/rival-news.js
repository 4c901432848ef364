// News of the other players during a race: changes of the lead and ends of games, with pauses between
// them, so that a screen reader can read them out. A player at home is announced at once, and so is the
// end of the last rival. News that has to wait is announced later; of the lead only the state at that time.

import { newsOfGame } from '../play/answers.js';
import { hasEnded, isEnd, raceEvents, winsForCertain } from '../state/race-events.js';
import { endsSooner, leader } from '../state/state.js';
import { strings } from '../strings/language.js';

/**
 * @import {RoomView, Standing} from '../contract/messages.d.ts'
 * @import {NewsOfGame} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 */

/** The least time between two announcements. */
const PAUSE_MS = 10_000;

/** Make the collector of news. @param {() => number} now in milliseconds */
export function makeRivals(now) {
  let announcedAt = -PAUSE_MS;
  /** @type {Standing[]} */
  let ended = [];
  /** The seats whose end has been announced, here or together with its effect on the race. @type {Set<number>} */
  const announced = new Set();
  /** The seat of the leader that was announced, or that the race was first seen with. @type {number | null} */
  let knownLeader = null;

  return {
    /**
     * Collect the events of new standings. A game that the end of the race has cut off is no news: the
     * result is.
     * @param {State} before
     * @param {State} after
     */
    update(before, after) {
      knownLeader ??= before.lastLeader ?? after.lastLeader;
      for (const event of raceEvents(before, after)) {
        const { standing } = event;
        if (!standing || standing.seat === after.me?.seat || announced.has(standing.seat)) continue;
        if (!isEnd(event) || standing.state === 'TIMED_OUT') continue;
        ended = [...ended.filter(({ seat }) => seat !== standing.seat), standing];
      }
    },
    /** Drop the news that the game of a player has ended, which is announced elsewhere. @param {number} seat */
    dropEnd(seat) {
      announced.add(seat);
      ended = ended.filter((each) => each.seat !== seat);
    },
    /** Return whether the end of a player's game has been announced. @param {number} seat */
    hasAnnounced: (seat) => announced.has(seat),
    /** Return the collected news if the pause is over, or else ''. @param {State} state the latest one */
    take({ standings, me, room }) {
      const isLast = standings.every((each) => each.seat === me?.seat || hasEnded(each));
      const isUrgent = ended.length > 0 && (isLast || ended.some(({ won }) => won));
      if (!isUrgent && now() - announcedAt < PAUSE_MS) return '';
      const sentences = ended.map((each) =>
        strings.ended(each, winsForCertain(each, room?.settings)),
      );
      const leading = leader(standings);
      knownLeader ??= leading?.seat ?? null;
      if (leading && leading.seat !== knownLeader) {
        knownLeader = leading.seat;
        // Of a leader who is home, the finish is the news.
        if (!hasEnded(leading))
          sentences.push(
            leading.seat === me?.seat ? strings.TAKE_LEAD : strings.leads(leading.name),
          );
      }
      for (const { seat } of ended) announced.add(seat);
      ended = [];
      if (sentences.length > 0) announcedAt = now();
      return sentences.join(' ');
    },
  };
}

/**
 * Return the player whose win has just shortened the race, if there is one. Of a game that was stopped
 * the standings know that already: it shortens nothing.
 * @param {RoomView} old
 * @param {RoomView} room
 * @param {readonly Standing[]} standings
 */
function shorteningWinner(old, room, standings) {
  if (room.settings.after_win_s === null) return undefined;
  const hasStopped = (/** @type {number} */ number) =>
    standings.some(
      ({ seat, won, finished_ms }) => seat === number && !won && Number.isFinite(finished_ms),
    );
  return room.seats.find(
    ({ seat, state }) =>
      state === 'FINISHED' &&
      !hasStopped(seat) &&
      old.seats.some((each) => each.seat === seat && each.state === 'RACING'),
  );
}

/** Make the news of a race, for the status line of its screen. @param {() => number} now in milliseconds @returns {NewsOfGame} */
export function makeRaceNews(now) {
  const rivals = makeRivals(now);

  /** Return that a win has shortened the race, if one has. @param {RoomView} old @param {RoomView} room @param {readonly Standing[]} standings @param {number} me this player's seat, or -1 */
  function newsOfEnd(old, room, standings, me) {
    const winner = shorteningWinner(old, room, standings);
    if (!winner) return '';
    const isKnown = winner.seat === me || rivals.hasAnnounced(winner.seat);
    rivals.dropEnd(winner.seat);
    return strings.lastStretch(room.settings.after_win_s ?? 0, isKnown ? '' : winner.name);
  }

  return (before, after, message) => {
    const { room, standings } = after;
    if (room?.state !== 'RUNNING') return '';
    const me = after.me?.seat ?? -1;
    if (message.type === 'standings' || message.type === 'standings_changes')
      rivals.update(before, after);
    if (message.type === 'room' && before.room && endsSooner(before.room, room))
      return newsOfEnd(before.room, room, standings, me);
    return newsOfGame(before, after, message) || rivals.take(after);
  };
}
