// A race against the computer, from the front page: the room is made, a computer player is added,
// and the race starts. Pure.

import { hasComputer, mySeat } from './state.js';

/**
 * @import {AddBot} from '../contract/messages.d.ts'
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {Message} from './reducer.js'
 * @import {State} from './state.js'
 * @typedef {object} Rival the computer player of a race that is on its way
 * @property {AddBot['level']} level
 * @property {NonNullable<AddBot['pace']>} [pace]
 * @property {boolean} [isAsked] whether it was asked for: the connection repeats that if it has to
 */

/**
 * Return the message with which the race comes nearer, if there is one to send.
 * @param {Rival} rival
 * @param {State} state after the message that was received
 * @returns {ClientMessage | null}
 */
export function nextMessage({ level, pace = 'usual', isAsked }, state) {
  if (state.room?.state !== 'LOBBY') return null;
  if (!hasComputer(state.room)) return isAsked ? null : { type: 'add_bot', level, pace };
  // The computer player is ready: the countdown begins once this player is.
  return mySeat(state)?.state === 'READY' ? null : { type: 'ready', ready: true };
}

/**
 * Return whether the race is no longer on its way: it has started, or the server refused a step.
 * @param {State} state after the message
 * @param {Message} message
 */
export const hasArrived = ({ room }, { type }) =>
  type === 'refused' || (room !== null && room.state !== 'LOBBY');
