// What is heard of a message: one tone at most, that of the greatest thing it tells.

/**
 * @import {Message, State} from './reducer.js'
 * @typedef {'tick' | 'go' | 'put' | 'turn' | 'deal' | 'no' | 'buzz' | 'home' | 'other' | 'won'} Tone
 */

/** @param {State} state */
const done = ({ standings, me }) =>
  standings.filter(({ seat, state }) => state === 'FINISHED' && seat !== me?.seat).length;

/**
 * @param {State} before
 * @param {State} after
 * @param {Message} message
 * @returns {Tone | null}
 */
export function toneOf(before, after, message) {
  if (message.type === 'acted') {
    const was = before.play?.base.counts;
    const act = before.play?.flying.find(({ id }) => id === message.id)?.action.type;
    if (message.outcome === 'won') return 'won';
    if (message.counts.suits > (was?.suits ?? 0)) return 'home';
    if (act === 'deal') return 'deal';
    return message.counts.face_down < (was?.face_down ?? 0) ? 'turn' : 'put';
  }
  const racing = before.room?.state === 'RUNNING' && before.room.code === after.room?.code;
  return racing && before.standings.length > 0 && done(after) > done(before) ? 'other' : null;
}
