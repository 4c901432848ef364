// The standings as a race track, for spectators: each player has a lane, which leads from the deal to
// all cards home. Lanes keep their places; only the runners move.

import { strings } from '../core/language.js';
import { leader } from '../core/reducer.js';
import { h, keyed, write } from '../shared/element.js';
import { hasFaceDown, progress } from './places.js';

/** @import {Standing} from '../core/messages.d.ts' */

/** Make the lane of a player. @param {Standing} standing */
function makeLane({ seat }) {
  const runner = h('span', {
    class: 'track-runner',
    'data-part': 'runner',
    'aria-hidden': 'true',
  });
  const lane = h(
    'li',
    {},
    h('span', { class: 'track-name' }),
    h('span', { class: 'track-about' }),
    h('span', { class: 'track-points' }),
    h('span', { class: 'track-lane', 'aria-hidden': 'true' }, runner),
  );
  lane.dataset.seat = String(seat);
  return lane;
}

/** Bind the track. */
export function bindTrack() {
  const lanes = h('ol', { class: 'track-lanes' });
  const ends = strings.TRACK.ends.map((text) => h('span', { text }));
  const element = h(
    'div',
    { class: 'track', id: 'track' },
    h('p', { class: 'track-ends', 'aria-hidden': 'true' }, ...ends),
    lanes,
  );
  return {
    element,
    /** Draw the standings. @param {readonly Standing[]} standings best first @param {string} game */
    update(standings, game) {
      const leadingStanding = leader(standings);
      // In a game without face-down cards the track has one part, not two.
      const allFaceUp = !hasFaceDown(game);
      element.classList.toggle('track-open', allFaceUp);
      keyed(
        lanes,
        standings.toSorted((a, b) => a.seat - b.seat),
        ({ seat }) => String(seat),
        makeLane,
        (lane, standing) => {
          const [name, about, points, track] = lane.children;
          const runner = track?.firstElementChild;
          lane.dataset.state = standing.state;
          lane.classList.toggle('track-won', standing.won);
          const leads = standing.seat === leadingStanding?.seat && standing.score > 0;
          lane.toggleAttribute('data-leads', leads);
          if (name) write(name, standing.name);
          if (about)
            write(about, strings.standingState(standing) || strings.progress(standing, allFaceUp));
          if (points) write(points, String(standing.score));
          if (runner) write(runner, String(standing.place ?? ''));
          lane.style.setProperty('--way', String(progress(standing, game)));
        },
      );
    },
  };
}
