// The report of a race: the track, and what has happened in words. A small race has it below its
// leaderboard, and spectators have it in the place of boards that are hidden.
//
// There is a fixed line for each place in the list. A new event rewrites the lines and moves none of them,
// so the layout does not shift, and the list only seems to glide down. The status line announces events.

import { GAMES } from '../contract/games.js';
import { isCalm } from '../page/appearance.js';
import { makeThrottle } from '../page/throttle.js';
import { AT_START, MAX_EVENTS, reported } from '../state/race-report.js';
import { coloursOf } from '../state/seat-colours.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { writeName } from '../widgets/marks.js';
import { bindTrack } from './track.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 * @import {RaceEvent} from '../state/race-report.js'
 */

/** The least time between two drawings. */
const DRAWING_MS = 400;
const GLIDE = { duration: 230, easing: 'ease-out' };
/** The numbers of players of a small race, which leaves room below its leaderboard. */
const [FEWEST, MOST] = [2, 4];

/** Bind the report. @param {HTMLElement} element @param {App} app */
export function bindReport(element, app) {
  const track = bindTrack();
  const list = h('ol', { class: 'report-events', id: 'events', 'aria-label': strings.REPORT });
  const lines = Array.from({ length: MAX_EVENTS }, () => h('li', { hidden: true }));
  /** The event that each line shows. @type {(RaceEvent | undefined)[]} */
  let drawn = [];
  list.append(...lines);
  element.append(track.element, h('div', { class: 'report-log' }, list));
  let report = AT_START;
  let round = '';
  /** @type {State['standings']} */
  let latest = [];
  let isSeen = false;

  /**
   * Write an event into its line, with new elements: old ones in another place would shift the layout.
   * @param {HTMLElement} line
   * @param {RaceEvent | undefined} event
   */
  function drawLine(line, event) {
    line.hidden = !event;
    if (!event) return;
    const { room, me } = app.state();
    const { kind, at, standing } = event;
    const game = GAMES[room?.settings.game ?? ''];
    const isOwn = standing !== null && standing.seat === me?.seat;
    const name = h('bdi');
    if (standing) {
      const colour = coloursOf(room)(standing.seat);
      writeName(name, isOwn ? strings.YOU : standing.name, undefined, colour);
    }
    const text = strings.eventWords(event, isOwn, game?.foundations ?? 0, !game?.face_down);
    line.dataset.kind = kind;
    line.replaceChildren(
      h('span', { class: 'report-time', text: strings.clock(at) }),
      h('span', { class: 'report-words' }, ...(standing ? [name] : []), h('span', { text })),
    );
  }

  const throttle = makeThrottle(DRAWING_MS, () => {
    const { events } = report;
    for (const [i, line] of lines.entries()) if (events[i] !== drawn[i]) drawLine(line, events[i]);
    const newer = drawn[0] ? events.indexOf(drawn[0]) : 0;
    drawn = [...events];
    const height = newer > 0 && !isCalm() ? (lines[0]?.offsetHeight ?? 0) : 0;
    if (height > 0)
      list.animate(
        [{ transform: `translateY(${-height * newer}px)` }, { transform: 'none' }],
        GLIDE,
      );
    track.update(app.state());
  });

  return {
    /** Collect the events of a state, and draw them when it is time. @param {State} state */
    update({ room, standings }) {
      const current = `${room?.code}/${room?.round?.n}`;
      if (current !== round) [report, round, latest] = [AT_START, current, []];
      const isNew = standings !== latest;
      if (isNew) {
        const now = app.now() - (room?.round?.t0 ?? 0);
        const isOpen = !GAMES[room?.settings.game ?? '']?.face_down;
        report = reported(report, latest, standings, now, isOpen);
        latest = standings;
      }
      const isSmall = standings.length >= FEWEST && standings.length <= MOST;
      element.toggleAttribute('data-small', isSmall);
      // The report is hidden at the side of a large race, where drawing it would waste a frame.
      const wasSeen = isSeen;
      isSeen = isSmall || element.closest('.board-grid') !== null;
      if (isSeen && (isNew || !wasSeen)) throttle.request();
    },
    unbind: () => throttle.stop(),
  };
}
