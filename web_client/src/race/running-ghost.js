// The ghost: a finished game that is replayed in the standings of somebody playing alone. It is the earlier game
// whose cards they play, the computer player chosen for today's race, or in practice their own best game. Some of its
// code is loaded after the race's, which does not wait for it.

import { keptOf, preference } from '../browser/storage.js';
import { GAMES } from '../contract/protocol.js';
import { keepFetching } from '../page/loads.js';
import { parseCards } from '../state/entries.js';
import { nextLog, raceEvents } from '../state/race-events.js';
import { isForOne, isTodaysRace, leader, NOTHING } from '../state/state.js';
import { every } from '../widgets/element.js';

/**
 * @import {App, AppWith} from '../page/app.d.ts'
 * @import {Ghost} from '../results/duel.js'
 * @import {Log} from '../state/race-events.js'
 * @import {State} from '../state/state.js'
 * @typedef {typeof import('../after-load.js')} AfterRace
 * @typedef {AppWith<AfterRace>} RaceApp
 * @typedef {{update: (state: State) => void}} Standings
 * @typedef {ReturnType<typeof makeRun>} Run
 * @typedef {{state: State, withoutGhost: State, log: Log | null, ms: number}} Shown the state with the ghost and
 *   without it, the events of the race with the ghost, and the time since the start
 */

const STEP_MS = 500; // how often a ghost moves
/** How long to wait before asking again for today's computer player, which may still be playing the deal. */
const RETRY_MS = 30_000;

/** The shown state before there is a ghost. @type {Shown} */
const NOTHING_SHOWN = { state: NOTHING, withoutGhost: NOTHING, log: null, ms: Infinity };

/** Make the state of a ghost, which has yet to be requested. @param {RaceApp} app @param {Standings} standings */
const makeRun = (app, standings) => ({
  app,
  standings,
  withoutGhost: NOTHING, // the latest state of the page, which knows of no ghost
  roundId: '', // `CODE n` of the round whose ghost was looked up, or ''
  found: /** @type {{code: AfterRace, ghost: Ghost} | null} */ (null), // once it has arrived
  shown: NOTHING_SHOWN,
  stopFetching: () => {},
});

/** Look up the ghost of a round, once. It starts when it arrives. @param {Run} run @param {State['room']} room */
function lookUpGhost(run, room) {
  const round = room?.round;
  const roundId = `${room?.code} ${round?.n}`;
  if (!room || !round || roundId === run.roundId || room.state !== 'RUNNING') return;
  run.stopFetching();
  Object.assign(run, { roundId, found: null, shown: NOTHING_SHOWN });
  const { cards = '' } = round; // the path of the game or the day's race that the cards are from; '' for a new deal
  const { isGame, isContinued } = parseCards(cards);
  // A continued game starts in the middle, but a ghost always at the beginning.
  if (!isForOne(room) || isContinued) return;
  // The ghost is today's chosen computer player, the earlier game whose cards these are, or this player's best game.
  const pace = isTodaysRace(room) ? preference('pace') : null;
  const best = cards ? null : keptOf('best-course', room.settings.game);
  const hasGhost = pace ? pace !== 'nobody' : isGame || Boolean(best);
  if (!hasGhost) return;
  run.app.after.use('ghost', (code) => {
    if (run.roundId !== roundId) return; // another round has started
    const fetchIt = () => (pace ? code.fetchComputer(cards, pace) : code.fetchGhost(cards));
    /** Start the ghost. Returns how many ms to wait before asking for it again; 0 for never. @param {Ghost | null | undefined} ghost */
    function take(ghost) {
      if (run.roundId !== roundId) return 0;
      if (!ghost) return pace ? RETRY_MS : 0; // the computer player may not have played this race yet
      run.found = { code, ghost };
      run.shown = { ...NOTHING_SHOWN, log: { race: roundId, events: run.app.log() } };
      draw(run);
      return 0;
    }
    if (best) take(code.ownBest(best));
    else run.stopFetching = keepFetching(fetchIt, take).stop;
  });
}

/** Move the ghost to its place at a time, and log what that changes. @param {Run} run @param {State} withoutGhost @param {number} ms since the start */
function moveTo(run, withoutGhost, ms) {
  const { room } = withoutGhost;
  if (!run.found || !room?.round) return;
  const { code, ghost } = run.found;
  const { state: before, log } = run.shown;
  const row = code.ghostRow(ghost, ms, GAMES[room.settings.game]);
  const withGhost = code.withGhost(withoutGhost, row);
  const lastLeader = leader(withGhost.standings)?.seat ?? before.lastLeader;
  const state = { ...withGhost, lastLeader };
  const change = { before, after: state, events: raceEvents(before, state) };
  run.shown = { state, withoutGhost, log: log && nextLog(log, change, room.round.t0 + ms), ms };
}

/**
 * Draw the standings, with the ghost if there is one. A hidden tab is seldom drawn, so the ghost first makes each move
 * that it has missed, against the standings drawn last. This gives its events the right times.
 * @param {Run} run
 */
function draw(run) {
  const { app, standings, withoutGhost, found, shown: before } = run;
  if (!found || !withoutGhost.room?.round) return standings.update(withoutGhost);
  const { course, standing } = found.ghost;
  const ms = app.now() - withoutGhost.room.round.t0;
  for (const moveMs of [...course.ms, standing.finished_ms ?? 0])
    if (moveMs > before.ms && moveMs < ms) moveTo(run, before.withoutGhost, moveMs);
  moveTo(run, withoutGhost, ms);
  standings.update(run.shown.state);
  if (run.shown.log !== before.log) app.redraw();
}

/** @param {RaceApp} app @param {Standings} standings */
export function bindRunningGhost(app, standings) {
  const run = makeRun(app, standings);
  const stopMoving = every(STEP_MS, () => {
    if (run.found && run.withoutGhost.room?.state === 'RUNNING') draw(run);
  });
  return {
    isOn: () => run.found !== null,
    /** The app for the parts that show events: its state and its log include the ghost. @type {App} */
    app: {
      ...app,
      state: () => (run.found ? run.shown.state : app.state()),
      log: () => run.shown.log?.events ?? app.log(),
    },
    /** @param {State} state */
    update(state) {
      run.withoutGhost = state;
      lookUpGhost(run, state.room);
      draw(run);
    },
    unbind() {
      stopMoving();
      run.roundId = ''; // so that an answer which is still to come is dropped
      run.stopFetching();
    },
  };
}
