// Who may watch the boards of others, and when; and the switch from this player's table to the race of
// the others.

import { isCalm, setPageState } from '../page/appearance.js';
import { isPlaying, mySeat, ownRow, plays } from '../state/state.js';

/**
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {TableView} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
 * @typedef {object} Parts
 * @property {HTMLElement} felt
 * @property {{element: HTMLElement}} gameOver
 * @property {{element: HTMLElement}} grid
 * @property {{element: HTMLElement}} events
 * @property {HTMLElement} side
 * @property {() => TableView | null} drawn the drawn table
 */

/** The time for which a table that was won is still shown. */
const WON_TABLE_MS = 2_000;

/**
 * Return the players whose boards this one may watch now, best first: in a running race those of the
 * others, once this player's own game is over.
 * @param {State} state
 * @returns {readonly Standing[]}
 */
export function watchable(state) {
  const { room, me, standings } = state;
  if (!room?.round || !me) return [];
  if (room.state === 'FINISHED') return standings;
  const isAllowed = room.settings.spectate === 'boards' && isWatching(state);
  return isAllowed ? standings.filter(({ seat }) => seat !== me.seat) : [];
}

/** Return whether this player only watches while others race. @param {State} state */
export const isWatching = (state) => state.room?.state === 'RUNNING' && !plays(state);

/** Return whether this player's own game of the running race is over. @param {State} state */
export const isDone = (state) =>
  isWatching(state) && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(mySeat(state)?.state ?? '');

/** Return whether this player can watch the boards of others once the own game is over. @param {State} state */
export const canWatchLater = ({ room, me }) =>
  room?.settings.spectate === 'boards' &&
  room.seats.some((each) => each.seat !== me?.seat && isPlaying(each));

/** Return whether this player sees boards with the delay of the room, as all but racers do. @param {State} state */
export const isDelayed = (state) => ownRow(state)?.late_ms !== null;

/**
 * Return the ms until boards that are shown late have their first moves; 0 once they can have some.
 * @param {State} state
 * @param {number} now
 */
export function firstMovesIn(state, now) {
  const { room } = state;
  if (room?.state !== 'RUNNING' || !room.round || !isDelayed(state)) return 0;
  return Math.max(0, room.round.t0 + room.settings.board_delay_s * 1_000 - now);
}

/**
 * Make the switch. A table that was won stays for a moment. The list of events stands where boards
 * are hidden, or else at the side.
 * @param {Parts} parts
 * @param {() => void} redraw
 */
export function makeWatchSwitch({ felt, gameOver, grid, events, side, drawn }, redraw) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let done = false;
  setPageState('watching', 'false');

  /** Return whether a table that was won is still shown. Call it with each state. @param {State} state */
  function showsWonTable(state) {
    const wasDone = done;
    done = isDone(state);
    if (done && !wasDone && drawn()?.outcome === 'won' && !isCalm())
      timer = setTimeout(() => {
        timer = undefined;
        redraw();
      }, WON_TABLE_MS);
    return timer !== undefined;
  }

  /** Show the race of the others, or the table. @param {boolean} watching */
  function show(watching) {
    if (grid.element.hidden !== watching) return;
    const wasFocused = felt.contains(document.activeElement);
    setPageState('watching', String(watching));
    grid.element.hidden = !watching;
    if (watching) grid.element.prepend(gameOver.element);
    else felt.append(gameOver.element);
    if (watching && wasFocused) grid.element.focus({ preventScroll: true });
  }

  return {
    /** @param {State} state */
    update(state) {
      const watching = isWatching(state) && !showsWonTable(state);
      show(watching);
      const hasReport = watching && watchable(state).length === 0;
      const place = hasReport ? grid.element : side;
      // A grid without boards can scroll, but has no element with focus: it takes the focus itself.
      grid.element.tabIndex = hasReport ? 0 : -1;
      if (events.element.parentElement !== place) place.append(events.element);
    },
    unbind: () => clearTimeout(timer),
  };
}
