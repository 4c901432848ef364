// What stands over the table once there is nothing more to do on it.

import { h } from './element.js';
import { strings } from './language.js';
import { mySeat } from './reducer.js';

/** @import {State} from './reducer.js' */

export function bindDone() {
  const element = h('div', { class: 'done', id: 'done', hidden: true });
  let said = '';

  /** @param {string} title @param {string} text */
  function say(title, text) {
    const key = `${title}|${text}`;
    if (said === key) return;
    said = key;
    element.replaceChildren(h('strong', { text: title }), h('span', { text }));
  }

  return {
    element,
    /** @param {State} state */
    update(state) {
      const seat = mySeat(state);
      const outcome = state.play?.base.outcome;
      const over = outcome || (seat && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(seat.state));
      const stuck = over ? null : state.play?.base.stuck;
      element.hidden = !over && !stuck;
      if (stuck) say(strings.STUCK, strings.stuckBecause(stuck));
      if (!over) return;
      const own = state.standings.find((standing) => standing.seat === seat?.seat);
      const racing = state.standings.filter((each) => each.state === 'RACING' && each !== own);
      const gaveUp = seat?.state === 'FORFEIT';
      const { home, finished, gaveUp: gone } = strings.RACE;
      const title = outcome === 'won' ? home : gaveUp ? gone : finished;
      say(title, strings.soFar(gaveUp ? null : (own?.place ?? null), racing.length));
    },
  };
}
