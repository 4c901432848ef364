// Which sound a message makes: one at most, that of the greatest thing in it.

import { raceNews } from './race-news.js';
import { leader } from './reducer.js';

/**
 * @import {Message, State} from './reducer.js'
 * @typedef {'tick' | 'go' | 'put' | 'turn' | 'deal' | 'no' | 'buzz' | 'home' | 'other' | 'suit' | 'lead'
 *   | 'won'} Cue
 */

/** Return the leader's seat, if somebody leads. @param {State} state */
const led = ({ standings }) => leader(standings)?.seat;

/** Count the other players who have finished. @param {State} state */
const othersFinished = ({ standings, me }) =>
  standings.filter(({ seat, state }) => state === 'FINISHED' && seat !== me?.seat).length;

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
    const was = before.play?.base.counts ?? { suits: 0, face_down: 0 };
    const { suits, face_down } = { ...was, ...message.counts };
    const act = before.play?.inFlight.find(({ id }) => id === message.id)?.action.type;
    if (message.outcome === 'won') return 'won';
    if (suits > was.suits) return 'home';
    if (act === 'deal') return 'deal';
    return face_down < was.face_down ? 'turn' : 'put';
  }
  const racing = before.room?.state === 'RUNNING' && before.room.code === after.room?.code;
  if (!racing || before.standings.length === 0 || before.standings === after.standings) return null;
  if (othersFinished(after) > othersFinished(before)) return 'other';
  const [was, is] = [led(before), led(after)];
  if (was !== undefined && is !== undefined && was !== is) return 'lead';
  const news = raceNews(before.standings, after.standings, after.me?.seat ?? -1);
  return news.some(({ kind }) => kind === 'suit') ? 'suit' : null;
}
