// The number of wins of each player in this room: `Anna 2 – Ben 1`.

import { strings } from '../core/language.js';
import { h, write } from '../shared/element.js';

/**
 * @import {SeatView} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 */

/** The most players in the line. */
const MAX_SHOWN = 6;

/**
 * Return the players of the line, most wins first; none before the first win. If there are too many
 * players for the line, players without a win are left out, since any choice of them would be random.
 *
 * @param {readonly SeatView[]} seats
 */
export function tallyOf(seats) {
  const all = seats.filter(({ role, wins }) => role === 'player' || wins > 0);
  if (all.length < 2 || all.every(({ wins }) => wins === 0)) return [];
  const players = all.length > MAX_SHOWN ? all.filter(({ wins }) => wins > 0) : all;
  return players.toSorted((a, b) => b.wins - a.wins || a.seat - b.seat).slice(0, MAX_SHOWN);
}

/** Bind the line. */
export function bindTally() {
  const element = h('p', { class: 'tally', id: 'tally', role: 'group', hidden: true });
  let shown = '';
  return {
    element,
    /** @param {State} state */
    update({ room }) {
      const line = tallyOf(room?.seats ?? []);
      const key = JSON.stringify(line.map(({ name, wins }) => [name, wins]));
      element.hidden = line.length === 0;
      if (key === shown) return;
      shown = key;
      element.setAttribute('aria-label', strings.MATCH.wins);
      element.replaceChildren(
        ...line.map(({ name, wins }) => {
          const score = h('b');
          write(score, String(wins));
          return h('span', {}, h('bdi', { text: name }), ' ', score);
        }),
      );
    },
  };
}
