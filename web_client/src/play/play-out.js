// A game that is as good as won, played out act by act: each act is sent when the one before it is
// answered, as if the player had made it. Anything else that happens to the table ends it.

import { isLegal } from '../game/table.js';
import { isIdle, mayTakeBack, plays } from '../state/state.js';

/**
 * @import {Action} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** The time between two acts, at least. */
export const PACE_MS = 160;

/**
 * Make the player of lines.
 * @param {App} app
 * @param {() => void} changed it has begun, has ended, or an act is made
 */
export function makePlayOut(app, changed) {
  /** The acts that are left. @type {readonly Action[]} */
  let line = [];
  /** The length of the log for which the next act is. */
  let at = -1;
  let actedAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Stop where the game is. */
  function stop() {
    clearTimeout(timer);
    timer = undefined;
    if (line.length === 0) return;
    line = [];
    changed();
  }

  /** Make the next act, if the table is the one for which it is. */
  function act() {
    timer = undefined;
    const { play } = app.state();
    const [next, ...rest] = line;
    if (!next || !play || !isIdle(play) || play.base.at !== at || !isLegal(play.base, next)) {
      stop();
      return;
    }
    line = rest;
    at += 1;
    actedAt = performance.now();
    app.act(next);
    changed();
  }

  return {
    stop,
    /** The number of acts that are left; 0 if nothing is played. */
    left: () => line.length,
    /** Play a line. @param {readonly Action[]} acts @param {number} from the length of the log for which it is */
    start(acts, from) {
      stop();
      line = acts;
      at = from;
      changed();
      act();
    },
    /** @param {State} state */
    update(state) {
      if (line.length === 0) return;
      const { play, synced } = state;
      const isOn = synced && plays(state) && !mayTakeBack(state) && play && !play.base.outcome;
      if (!isOn || (isIdle(play) && play.base.at !== at)) stop();
      else if (isIdle(play) && !timer)
        timer = setTimeout(act, Math.max(0, actedAt + PACE_MS - performance.now()));
    },
    unbind: () => clearTimeout(timer),
  };
}
