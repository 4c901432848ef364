// The sound of a message: one at most, of the most important change in it.

import { raceNews } from './race-news.js';
import { leader } from './reducer.js';

/**
 * @import {RaceNews} from './race-news.js'
 * @import {Message, State} from './reducer.js'
 * @typedef {'tick' | 'go' | 'put' | 'turn' | 'deal' | 'no' | 'buzz' | 'home' | 'other' | 'suit' | 'lead'
 *   | 'won'} Cue
 */

/** Return the leader's seat, if there is a leader. @param {State} state */
const leaderSeat = ({ standings }) => leader(standings)?.seat;

/** Return whether news is a game that was played to its end. @param {RaceNews} news */
const isFinish = ({ kind, standing }) =>
  kind === 'finish' || (kind === 'end' && !['FORFEIT', 'TIMED_OUT'].includes(standing.state));

/**
 * Return the sound of a message, if it has one.
 *
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
  const isSameRace = before.room?.state === 'RUNNING' && before.room.code === after.room?.code;
  if (!isSameRace || before.standings.length === 0 || before.standings === after.standings)
    return null;
  const news = raceNews(before.standings, after.standings, after.me?.seat ?? -1);
  if (news.some(isFinish)) return 'other';
  const [oldLeader, newLeader] = [leaderSeat(before), leaderSeat(after)];
  if (oldLeader !== undefined && newLeader !== undefined && oldLeader !== newLeader) return 'lead';
  return news.some(({ kind }) => kind === 'suit') ? 'suit' : null;
}
