// What is known about the rest of this player's game. The page asks when the player pauses where
// nothing can be dealt, once in a position; the server knows whether there is anything to say.

import { isLegal } from '../game/table.js';
import { isIdle, plays } from '../state/state.js';

/**
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** The pause of a player after which the page asks. */
export const PAUSE_MS = 1_500;

/** Return what is known about the rest of the game, if the table has not changed since. @param {State} state */
export const assessedInForce = ({ assessed, play }) =>
  isIdle(play) && assessed?.at === play?.base.at && !play?.base.outcome ? assessed : null;

/** Return whether the page may ask the server what can still become of this player's game. @param {State} state */
export function isOpenQuestion(state) {
  const { play, room, synced, assessed } = state;
  if (!play || !synced || !plays(state) || !isIdle(play)) return false;
  const { base } = play;
  // A server of an earlier release has no such setting, and does not know the question.
  if (room?.settings.autoplay === undefined || base.outcome || base.stuck) return false;
  return assessed?.at !== base.at && !isLegal(base, { type: 'deal' });
}

/** Make the question. @param {App} app */
export function makeOutlook(app) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** The table for which the timer runs, or which was asked about last, on its connection. */
  let waiting = '';
  let asked = '';

  /** Return the name of a table. @param {State} state */
  const nameOf = ({ play, room, me }) =>
    me ? `${room?.code} ${room?.round?.n} ${play?.base.at}` : '';

  /** Ask, unless it was asked about this table before. */
  function ask() {
    clearTimeout(timer);
    waiting = '';
    const state = app.state();
    if (!isOpenQuestion(state) || nameOf(state) === asked) return;
    asked = nameOf(state);
    app.send({ type: 'assess' });
  }

  return {
    ask,
    /** @param {State} state */
    update(state) {
      if (!state.synced) asked = ''; // the answer is lost with its connection
      const name = isOpenQuestion(state) ? nameOf(state) : '';
      if (name === waiting) return;
      clearTimeout(timer);
      waiting = name === asked ? '' : name;
      if (waiting) timer = setTimeout(ask, PAUSE_MS);
    },
    unbind: () => clearTimeout(timer),
  };
}
