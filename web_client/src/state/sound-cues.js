// The sound of a message: one at most, of the most important change in it. The lead has sounds of its
// own, since it is shown as changed at most once a second.

import { raceNews } from './race-news.js';
import { plays } from './state.js';

/**
 * @import {RaceNews} from './race-news.js'
 * @import {Message} from './reducer.js'
 * @import {State} from './state.js'
 * @typedef {'tick' | 'go' | 'put' | 'turn' | 'deal' | 'no' | 'buzz' | 'home' | 'other' | 'suit' | 'last' | 'photo' | 'react'
 *   | LeadCue | 'over' | 'won'} Cue
 * @typedef {'ahead' | 'behind' | 'lead'} LeadCue this player takes the lead, loses it, or it goes from one
 *   rival to another
 */

/**
 * Return the sound of a change of the lead; null if there is none, or if nobody led before.
 * @param {number | undefined} before the leader's seat
 * @param {number | undefined} after
 * @param {number} me this player's seat, or -1
 * @returns {LeadCue | null}
 */
export function leadCue(before, after, me) {
  if (before === undefined || after === undefined || before === after) return null;
  if (after === me) return 'ahead';
  return before === me ? 'behind' : 'lead';
}

/** Return whether news is a game that was played to its end. @param {RaceNews} news */
const isFinish = ({ kind, standing }) =>
  kind === 'finish' || (kind === 'end' && !['FORFEIT', 'TIMED_OUT'].includes(standing.state));

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
  if (message.type === 'round_over' && after.over && after.over.n !== before.over?.n)
    return after.over.winners.includes(after.me?.seat ?? -1) ? 'won' : 'over';
  if (message.type === 'room' || message.type === 'changes') {
    const isSameRoom = before.room?.code === after.room?.code;
    return isSameRoom && !plays(before) && plays(after) ? 'go' : null;
  }
  const isSameRace = before.room?.state === 'RUNNING' && before.room.code === after.room?.code;
  if (!isSameRace || before.standings.length === 0 || before.standings === after.standings)
    return null;
  const news = raceNews(before.standings, after.standings, after.me?.seat ?? -1);
  if (news.some(isFinish)) return 'other';
  return news.some(({ kind }) => kind === 'suit') ? 'suit' : null;
}
