// The ghost in the standings of a room for one: the game that is raced again, the computer player you chose
// for today's race, or in practice your best game. It comes with the load after a race; the race does not wait
// for it.

import { keptOf, preference } from '../browser/storage.js';
import { GAMES } from '../contract/protocol.js';
import { keepFetching } from '../page/loads.js';
import { parseCards } from '../state/entries.js';
import { nextLog, raceEvents } from '../state/race-events.js';
import { isForOne, leader, NOTHING } from '../state/state.js';
import { every } from '../widgets/element.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {Ghost} from '../results/duel.js'
 * @import {Log} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @typedef {typeof import('../after-load.js')} AfterRace
 */

/** How often a ghost moves. */
const STEP_MS = 500;
/** Computer players may still play the deal of a day when a person begins. */
const AGAIN_MS = 30_000;

/** Make the record of what a ghost has shown; there was none at `ms` Infinity. */
const makeShown = () => ({
  /** The state with the ghost in it. */
  state: NOTHING,
  /** The state of this player, to which the ghost was added. */
  own: NOTHING,
  /** The events of both. */
  log: /** @type {Log | null} */ (null),
  /** The time since the start at which it was shown. */
  ms: Infinity,
});

/** Let a ghost run in the standings. @param {App} app @param {{update: (state: State) => void}} standings */
export function bindRunningGhost(app, standings) {
  let own = NOTHING;
  /** The round for which a ghost was looked for. */
  let looked = '';
  /** @type {{code: AfterRace, ghost: Ghost} | null} */
  let found = null;
  let shown = makeShown();
  let stopFetching = () => {};

  /** Look for the ghost of a round, once. @param {RoomView | null} room */
  function look(room) {
    const round = room?.round;
    const name = `${room?.code} ${round?.n}`;
    if (!room || !round || name === looked || room.state !== 'RUNNING') return;
    looked = name;
    found = null;
    shown = makeShown();
    stopFetching();
    if (!isForOne(room)) return;
    const pace = round.key && preference('pace');
    const cards = round.cards ?? '';
    const { isGame, isContinued } = parseCards(cards);
    if (isContinued) return; // it has no start in common with another game
    const best = cards ? null : keptOf('best-course', room.settings.game);
    if (pace ? pace === 'nobody' : !isGame && !best) return;
    app.after.use('ghost', (/** @type {AfterRace} */ code) => {
      if (looked !== name) return; // another round is on
      const take = (/** @type {Ghost | null | undefined} */ ghost) => {
        if (looked !== name) return 0;
        if (!ghost) return pace ? AGAIN_MS : 0;
        found = { code, ghost };
        shown.log = { race: name, events: app.log() };
        draw();
        return 0;
      };
      const fetchIt = () => (pace ? code.fetchComputer(cards, pace) : code.fetchGhost(cards));
      if (best) take(code.ownBest(best));
      else ({ stop: stopFetching } = keepFetching(fetchIt, take));
    });
  }

  /** Add the ghost to the state of this player, as it was at a time, and log what has happened by then. @param {State} state @param {number} ms since the start */
  function moveTo(state, ms) {
    const { room } = state;
    if (!found || !room?.round) return;
    const { state: before, log } = shown;
    const row = found.code.ghostRow(found.ghost, ms, GAMES[room.settings.game]);
    const both = found.code.withGhost(state, row);
    const lastLeader = leader(both.standings)?.seat ?? before.lastLeader;
    const next = { ...both, lastLeader };
    const change = { before, after: next, events: raceEvents(before, next) };
    shown = { state: next, own: state, log: log && nextLog(log, change, room.round.t0 + ms), ms };
  }

  /** Draw the standings, with the ghost if there is one. A hidden tab seldom draws: each move counts at its own time. */
  function draw() {
    if (!found || !own.room?.round) {
      standings.update(own);
      return;
    }
    const { log, ms: shownMs, own: shownOwn } = shown;
    const { course, standing } = found.ghost;
    const ms = app.now() - own.room.round.t0;
    for (const each of [...course.ms, standing.finished_ms ?? 0])
      if (each > shownMs && each < ms) moveTo(shownOwn, each);
    moveTo(own, ms);
    standings.update(shown.state);
    if (shown.log !== log) app.redraw();
  }

  const stopMoving = every(STEP_MS, () => {
    if (found && own.room?.state === 'RUNNING') draw();
  });
  return {
    /** Return whether a ghost runs. */
    isOn: () => found !== null,
    /** The page as the events see it: with the ghost. @type {App} */
    app: {
      ...app,
      state: () => (found ? shown.state : app.state()),
      log: () => shown.log?.events ?? app.log(),
    },
    /** @param {State} state */
    update(state) {
      own = state;
      look(state.room);
      draw();
    },
    unbind() {
      stopMoving();
      looked = '';
      stopFetching();
    },
  };
}
