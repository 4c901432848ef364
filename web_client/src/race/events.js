// What happens in the race, on the screen. The list has all events, newest first; where there is room for
// one line only, it is the latest one, and spectators have it in the place of boards that are hidden.
// The win of a rival sweeps over the page; the start and the last seconds stand over the table for a
// moment. None of these catches a pointer. Screen readers have the status line, and the timer of the header.
//
// There is a fixed line for each place in the list. A new event rewrites the lines and moves none of them,
// so the layout does not shift, and the list only seems to glide down.

import { sweep } from '../celebration/celebration.js';
import { isCalm } from '../page/appearance.js';
import { earlierEnds, endedAt, isEnd, raceEvents, winsForCertain } from '../state/race-events.js';
import { coloursOf, isOneOfSeveral, NOTHING } from '../state/state.js';
import { strings } from '../strings/language.js';
import { seatMark } from '../widgets/controls.js';
import { h, makeThrottle, restartAnimation, set } from '../widgets/element.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {RaceEvent} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @typedef {RaceEvent & {at: number}} Logged an event and its time, in ms since the start
 */

/** The most events that are kept. */
export const MAX_EVENTS = 24;
/** Cards of a player within this time are one event. */
const CARDS_MS = 15_000;
/** A new lead within this time replaces the one before. */
const LEAD_MS = 5_000;
/** The least time between two drawings. */
const DRAWING_MS = 400;
const GLIDE = { duration: 230, easing: 'ease-out' };
const START_MS = 900;
const LAST_S = 10;
const TICK_MS = 100;

/** The log of a race that has just begun. @type {readonly Logged[]} */
export const AT_START = [{ kind: 'begin', at: 0, standing: null }];

/**
 * Return the log with more events.
 * @param {readonly Logged[]} log
 * @param {readonly RaceEvent[]} events the oldest first
 * @param {number} now in ms since the start
 * @returns {readonly Logged[]}
 */
export function logged(log, events, now) {
  const all = events.reduce((some, event) => {
    const ended = event.standing && isEnd(event) ? endedAt(event.standing) : null;
    return withEvent(some, { ...event, at: ended ?? Math.max(0, now) });
  }, log);
  return all.slice(0, MAX_EVENTS);
}

/**
 * Return the log with another event. Cards of one player are added up, and a new lead replaces one that
 * lasted only a moment.
 * @param {readonly Logged[]} log
 * @param {Logged} event
 * @returns {readonly Logged[]}
 */
function withEvent(log, event) {
  const { kind, at, standing, cards = 0 } = event;
  if (kind === 'cards') {
    const latest = log.find((each) => each.standing?.seat === standing?.seat);
    if (latest?.kind === kind && at - latest.at < CARDS_MS)
      return log.map((each) =>
        each === latest ? { ...each, standing, cards: (each.cards ?? 0) + cards } : each,
      );
  }
  const [newest] = log;
  const isBrief = kind === 'lead' && newest?.kind.endsWith('lead') && at - newest.at < LEAD_MS;
  return [event, ...(isBrief ? log.slice(1) : log)];
}

/** Bind the list. @param {App} app */
export function bindEvents(app) {
  const lines = Array.from({ length: MAX_EVENTS }, () => h('li', { hidden: true }));
  const list = h(
    'ol',
    { class: 'events-list', id: 'events', 'aria-label': strings.EVENTS },
    ...lines,
  );
  const element = h('div', { class: 'events' }, list);
  let log = AT_START;
  /** The event that each line shows. @type {readonly Logged[]} */
  let drawn = [];
  /** @type {State} */
  let latest = NOTHING;

  /**
   * Write an event into its line, with new elements: old ones in another place would shift the layout.
   * @param {HTMLElement} line
   * @param {Logged | undefined} event
   */
  function drawLine(line, event) {
    line.hidden = !event;
    if (!event) return;
    const { room, me } = latest;
    const { name, words } = strings.eventWords(event, me?.seat ?? -1, room?.settings.game ?? '');
    const mark = event.standing ? [seatMark(coloursOf(room)(event.standing.seat))] : [];
    line.dataset.kind = event.kind;
    line.replaceChildren(
      h('span', { class: 'events-time', text: strings.clock(event.at) }),
      ...mark,
      h('bdi', { class: 'text-cut', text: name }),
      h('span', { class: 'events-words', text: words }),
    );
  }

  const throttle = makeThrottle(DRAWING_MS, () => {
    const newer = drawn[0] ? log.indexOf(drawn[0]) : 0;
    for (const [i, line] of lines.entries()) if (log[i] !== drawn[i]) drawLine(line, log[i]);
    drawn = log;
    const height = newer > 0 && !isCalm() ? (lines[0]?.offsetHeight ?? 0) : 0;
    if (height > 0)
      list.animate(
        [{ transform: `translateY(${-height * newer}px)` }, { transform: 'none' }],
        GLIDE,
      );
  });

  /** Let the win of a rival who is first home sweep over the page. @param {readonly RaceEvent[]} events @param {State} state */
  function sweepWin(events, { room, me }) {
    const win = events.find(({ kind, standing }) => kind === 'finish' && standing?.place === 1);
    if (!win?.standing || win.standing.seat === me?.seat) return;
    const { seat, name } = win.standing;
    sweep(
      name,
      strings.homeFirst(winsForCertain(win.standing, room?.settings)),
      coloursOf(room)(seat),
    );
  }

  return {
    element,
    /** Note the events of a state, and draw them when it is time. @param {State} state */
    update(state) {
      const { room, standings } = state;
      const isSameRace =
        room?.code === latest.room?.code && room?.round?.n === latest.room?.round?.n;
      const before = isSameRace ? latest : NOTHING;
      latest = state;
      if (!isSameRace) log = AT_START;
      else if (before.standings === standings) return;
      const events = raceEvents(before, state).filter(({ standing }) => standing);
      const isFirst = before.standings.length === 0;
      const now = app.now() - (room?.round?.t0 ?? 0);
      log = logged(log, isFirst ? earlierEnds(standings) : events.toReversed(), now);
      sweepWin(events, state);
      throttle.request();
    },
    unbind: () => throttle.stop(),
  };
}

/** Show the start. @param {HTMLElement} felt the table */
export function showStart(felt) {
  const text = strings.NEWS.go;
  const word = h('p', { class: 'race-start', id: 'start-beat', 'aria-hidden': 'true', text });
  felt.append(word);
  setTimeout(() => word.remove(), START_MS);
}

/**
 * Return how many of the last seconds are left, begun ones counted whole; 0 before and after them.
 * @param {number | null | undefined} end of the race, if it has one
 * @param {number} now
 */
export function lastSeconds(end, now) {
  const left = typeof end === 'number' ? Math.ceil((end - now) / 1_000) : 0;
  return left > 0 && left <= LAST_S ? left : 0;
}

/** Bind the last seconds: a figure grows over the table, and the edge of the page glows. @param {App} app */
export function bindLastSeconds(app) {
  const figure = h('span', { class: 'race-last-figure' });
  const element = h(
    'div',
    { class: 'race-last', id: 'last-seconds', 'aria-hidden': 'true', hidden: true },
    h('span', { class: 'race-last-edge' }),
    figure,
  );
  let shown = 0;

  /** Show and sound the second that has begun. */
  function tick() {
    const { room } = app.state();
    const left = room?.state === 'RUNNING' ? lastSeconds(room.round?.t_end, app.now()) : 0;
    if (left === shown) return;
    shown = left;
    element.hidden = left === 0;
    if (left === 0) return;
    if (left === LAST_S && room) app.readOut(strings.endsIn(left, isOneOfSeveral(room)));
    set(figure, { text: left });
    set(element, { '--passed': 1 - left / LAST_S });
    app.sound.play('last');
    restartAnimation(element, 'data-beat');
  }
  const timer = setInterval(tick, TICK_MS);

  return { element, unbind: () => clearInterval(timer) };
}
