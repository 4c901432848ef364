// The standings as a race track, for those who look on: a lane for each player, who runs from
// the deal to all cards home. Lanes stay where they are; only the runners move.

import { strings } from '../core/language.js';
import { leader } from '../core/rivals.js';
import { h, keyed, write } from '../shared/element.js';
import { way } from './places.js';

/**
 * @import {Standing} from '../core/messages.d.ts'
 */

export function bindTrack() {
  const lanes = h('ol', { class: 'lanes' });
  const element = h(
    'div',
    { class: 'track', id: 'track' },
    h('p', { class: 'track-ends', 'aria-hidden': 'true' }, ...strings.TRACK.ends.map(end)),
    lanes,
  );

  /** @param {string} text */
  function end(text) {
    return h('span', { text });
  }

  /** @param {Standing} standing */
  function make({ seat }) {
    const runner = h('span', { class: 'runner', 'aria-hidden': 'true' });
    const lane = h(
      'li',
      {},
      h('span', { class: 'who' }),
      h('span', { class: 'about' }),
      h('span', { class: 'points' }),
      h('span', { class: 'run', 'aria-hidden': 'true' }, runner),
    );
    lane.dataset.seat = String(seat);
    return lane;
  }

  return {
    element,
    /** @param {readonly Standing[]} standings best first @param {string} game */
    update(standings, game) {
      const first = leader(standings);
      // Where all cards lie open from the start, the way is the one home alone.
      element.classList.toggle('open', game === 'little-spider');
      keyed(
        lanes,
        standings.toSorted((a, b) => a.seat - b.seat),
        ({ seat }) => String(seat),
        make,
        (lane, standing) => {
          const [who, about, points, run] = lane.children;
          const runner = run?.firstElementChild;
          const far = strings.progress(standing, game === 'little-spider');
          lane.dataset.state = standing.state;
          lane.classList.toggle('won', standing.won);
          lane.classList.toggle('leads', standing.seat === first?.seat && standing.score > 0);
          if (who) write(who, standing.name);
          if (about) write(about, strings.standingState(standing) || far);
          if (points) write(points, String(standing.score));
          if (runner) write(runner, standing.place === null ? '–' : String(standing.place));
          lane.style.setProperty('--way', String(way(standing, game)));
        },
      );
    },
  };
}
