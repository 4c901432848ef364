// The standings as a race track: each player has a lane, which leads from the deal to all cards home.
// Lanes keep their places; only the runners move.

import { GAMES } from '../contract/games.js';
import { coloursOf } from '../state/seat-colours.js';
import { leader, programSeats, shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, write } from '../widgets/element.js';
import { seatMark, writeName } from '../widgets/marks.js';
import { progress } from './progress.js';

/** @import {State} from '../state/state.js' */
/** @import {Standing} from '../contract/messages.d.ts' */

/** Make the lane of a player. @param {Standing} standing */
function makeLane({ seat }) {
  const runner = h('span', { class: 'track-runner', 'data-part': 'runner' }, seatMark(''));
  const lane = h(
    'li',
    { class: 'mark-tone' },
    h('span', { class: 'track-place', 'data-part': 'place' }),
    h('span', { class: 'text-cut track-name', 'data-part': 'name', dir: 'auto' }),
    h('span', { class: 'text-cut track-about' }),
    h('span', { class: 'track-points', 'data-part': 'points' }),
    h(
      'span',
      { class: 'track-lane', 'aria-hidden': 'true' },
      h('span', { class: 'track-rail' }, runner),
    ),
  );
  lane.dataset.seat = String(seat);
  return lane;
}

/** Bind the track. */
export function bindTrack() {
  const lanes = h('ol', { class: 'track-lanes' });
  const ends = strings.TRACK.ends.map((text) => h('span', { class: 'text-cut', text }));
  const element = h(
    'div',
    { class: 'track', id: 'track' },
    h('p', { class: 'track-ends', 'aria-hidden': 'true' }, ...ends),
    lanes,
  );
  return {
    element,
    /** Draw the standings. @param {State} state */
    update({ standings, room }) {
      const game = room?.settings.game ?? '';
      const programs = programSeats(room);
      const colours = coloursOf(room);
      const leadingStanding = leader(standings);
      // In a game without face-down cards the track has one part, not two.
      const allFaceUp = !GAMES[game]?.face_down;
      element.toggleAttribute('data-open', allFaceUp);
      element.style.setProperty('--lanes', String(standings.length));
      keyed(
        lanes,
        standings.toSorted((a, b) => a.seat - b.seat),
        ({ seat }) => String(seat),
        makeLane,
        (lane, standing) => {
          const [place, name, about, points, track] = lane.children;
          const mark = track?.querySelector('[data-part=mark]');
          lane.dataset.state = standing.state;
          lane.toggleAttribute('data-won', standing.won);
          const leads = standing.seat === leadingStanding?.seat && standing.score > 0;
          lane.toggleAttribute('data-leads', leads);
          const colour = colours(standing.seat);
          lane.dataset.colour = colour;
          if (mark instanceof HTMLElement) mark.dataset.colour = colour;
          const shown = shownPlace(standing);
          if (place) write(place, shown === null ? '' : strings.ordinal(shown));
          if (name) writeName(name, standing.name, programs.get(standing.seat), colour);
          if (about)
            write(about, strings.standingState(standing) || strings.progress(standing, allFaceUp));
          if (points) write(points, String(standing.score));
          lane.style.setProperty('--way', String(progress(standing, game)));
        },
      );
    },
  };
}
